import {basename, join} from 'node:path';
import {EXIT} from '../../../protocol/exit-code.ts';
import {loadSettings, withModel, type SettingsRequest} from '../../../sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../../sdk/settings/session-settings.ts';
import {VERSION} from '../../../sdk/version.ts';
import type {TrustedSession} from '../../tui/fettle/settle-trust.ts';
import {runScreen, type ScreenOptions} from '../../tui/run-screen.ts';
import {askInLines} from '../line-questions.ts';
import type {Io} from '../io.ts';
import {CHOOSE, flagsOf, type RunOptions} from '../command-line/run-options.ts';
import {sessionToResume} from '../session-to-resume.ts';
import type {ScreenChoice} from '../display-mode.ts';
import {createTerminalNotices} from '../../tui/terminal/terminal-notices.ts';

interface TuiOptions extends RunOptions {
  readonly surface: ScreenChoice;
  /** Runs a command line that is typed on the screen. */
  readonly runCommandLine: TrustedSession['runCommandLine'];
}

export {problemsOfKeys} from '../../tui/fettle/key-problems.ts';

/** The interactive session on the screen of the terminal. */
export async function tui(io: Io, prompt: string, options: TuiOptions): Promise<number> {
  const place: SettingsRequest = {cwd: options.cwd ?? io.cwd, env: io.env, home: io.home, flags: flagsOf(options)};
  const found = withModel(await loadSettings(place));
  const {terminal} = found.settings;
  const surface = options.surface === 'auto' ? terminal.surface : options.surface;
  if (surface === 'lines') {
    const {chat} = await import('./chat.ts');
    return await chat(io, prompt, options);
  }
  // Without an id it is chosen on the screen.
  const resume =
    options.resume === CHOOSE ? undefined : await askInLines(async ({ask}) => await sessionToResume({io, session: found, options, ask}));
  const {lines, signal} = await runScreen({
    host: {
      appName: 'Fettle',
      version: VERSION,
      workspace: {name: basename(found.cwd) || found.cwd, root: found.cwd},
      notifications: createTerminalNotices({env: io.env, write: (text) => void (terminal.bell && process.stdout.write(text))}),
      themes: {available: ['auto', 'dark', 'light', 'none'], active: terminal.theme},
    },
    surface,
    keys: terminal.keys,
    vim: terminal.vim,
    readStatus: statusOf(found),
    keyboard: {enabled: true, reportEventTypes: false, reportAlternateKeys: true},
    stateDir: found.paths.stateDir,
    env: io.env,
    ...(options.resume === CHOOSE ? {prompt: '/resume', draft: prompt} : {prompt}),
    // The loop and the providers are read while the screen is already there.
    async open(port, stop) {
      const {openTrusted} = await import('../../tui/fettle/settle-trust.ts');
      const reload = async (trust: typeof place.trust): Promise<SessionSettings> => await loadSettings({...place, trust});
      return await openTrusted({session: found, reload, port, resume, runCommandLine: options.runCommandLine}, stop);
    },
  });
  for (const line of lines) io.note(line);
  return signal === undefined ? EXIT.done : EXIT.interrupted;
}

/** Read when the command is asked for the first time: most have none. */
function statusOf({settings, home, cwd, paths, env}: SessionSettings): ScreenOptions['readStatus'] {
  const line = settings.terminal.status_command;
  if (line === undefined) return undefined;
  return async (info, signal) => {
    const {statusCommand} = await import('../../tui/fettle/status-command.ts');
    return await statusCommand({line, home, folder: cwd, spoolDir: join(paths.stateDir, 'spool'), env})(info, signal);
  };
}
