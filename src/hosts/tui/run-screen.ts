import {join} from 'node:path';
import {visibleText} from '../../base/visible-text.ts';
import {setImmediate as nextRound} from 'node:timers/promises';
import {draftFile, keepDraft, takeDraft} from './editor/draft-file.ts';
import {appendPrompt, readPrompts} from './editor/history-file.ts';
import {submittedText} from './editor/paste-marker.ts';
import type {AgentSession, HostAdapter, KeyboardProtocolSettings, ScreenPort, SessionInfo, SurfacePreference} from './host-adapter.ts';
import type {Action} from './model/action.ts';
import {createKeymap} from './keys/keymap.ts';
import {keymapProblemAction, keymapProblemText} from './keys/keymap-problem-text.ts';
import {initialState, type ScreenState} from './model/screen-state.ts';
import {crashError, watchCrashes} from './runner/crash.ts';
import {createFollower} from './live-commands/follow-commands.ts';
import {createDrive, type Drive} from './runner/drive.ts';
import {editInEditor} from './runner/external-editor.ts';
import {createPerformer, type Performer} from './runner/perform.ts';
import {createScreenPort} from './runner/screen-port.ts';
import {createStatusText, type StatusText} from './runner/status-text.ts';
import {createSurfaces} from './surface/surfaces.ts';
import {openTerminal, type Terminal} from './terminal/terminal.ts';
import {sizeOf} from './terminal/terminal-output.ts';
import {loadMarkdown} from './views/markdown/load-markdown.ts';

export interface ScreenOptions {
  readonly host: HostAdapter;
  readonly surface: SurfacePreference;
  readonly keyboard: KeyboardProtocolSettings;
  /** Folder for the prompt history, drafts, and the known modes of terminals. */
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Opens the conversation, while the screen is already there. */
  readonly open: (port: ScreenPort, signal: AbortSignal) => Promise<AgentSession>;
  /** Key bindings of the person, by action. */
  readonly keys?: Readonly<Record<string, readonly string[]>> | undefined;
  /** True if the input has the keys of vim. */
  readonly vim?: boolean | undefined;
  /** Text of the person's own for the status line. Must not reject. */
  readonly readStatus?: ((info: SessionInfo, signal: AbortSignal) => Promise<string | undefined>) | undefined;
  /** Sent as soon as the session is open. */
  readonly prompt?: string | undefined;
  /** Initial text of the line. Absent: the draft of the last session of the folder, if that was ended from outside. */
  readonly draft?: string | undefined;
}

export interface ScreenEnd {
  /** For the person, once the terminal is theirs again. */
  readonly lines: readonly string[];
  readonly signal?: 'SIGTERM' | 'SIGHUP' | undefined;
}

/**
 * Shows a session in the terminal of this process until the person leaves it. Rejects with the errors of opening
 * the session, and with INTERNAL for a defect, whose trace is in a file: the terminal is restored in any case.
 */
export async function runScreen(options: ScreenOptions): Promise<ScreenEnd> {
  try {
    return await showScreen(options);
  } catch (thrown) {
    throw crashError(thrown, options.stateDir);
  }
}

async function showScreen(options: ScreenOptions): Promise<ScreenEnd> {
  const {host, env, stateDir, keyboard, readStatus} = options;
  const stopped = new AbortController();
  const end = Promise.withResolvers<ScreenEnd['signal']>();
  const terminal = openTerminal({
    keyboard,
    stateDir,
    env,
    theme: host.themes.active,
    onKey: (key) => drive.dispatch({type: 'key', key}),
    onFocus: (isFocused) => host.notifications.setFocused(isFocused),
    onResize: () => drive.dispatch({type: 'resize', size: sizeOf(terminal.output)}),
    onRedraw: () => drive.redraw(),
    onEnd: end.resolve,
  });
  const historyFile = join(stateDir, 'prompts.jsonl');
  const status = readStatus === undefined ? undefined : statusTextOf(readStatus, (action) => drive.dispatch(action));
  const performer = createPerformer({
    host,
    dispatch: (action) => drive.dispatch(action),
    prepare: async (action) => await drive.prepare(action),
    leave: () => end.resolve(undefined),
    suspend: terminal.suspend,
    askStatus: (info) => status?.ask(info),
    remember: (text) => appendPrompt(historyFile, text),
    useTheme: terminal.useTheme,
    editText: (text) => terminal.lend(() => editInEditor(text, env, stopped.signal)),
  });
  const follower = createFollower({background: () => performer.session()?.background, dispatch: (action) => drive.dispatch(action)});
  const drive = driveOf(options, {terminal, performer, prompts: readPrompts(historyFile), observe: follower.follow});
  const unwatch = watchCrashes((thrown) => {
    end.reject(thrown);
    performer.close();
    performer
      .session()
      ?.close()
      .catch(() => undefined);
  });
  try {
    terminal.enter();
    drive.dispatch({type: 'tick'});
    showKeyProblems(options, drive);
    // The first frame is drawn before anything else is loaded.
    await nextRound();
    await opened(options, {drive, performer, signal: stopped.signal, end: end.promise});
    const signal = await end.promise;
    // Done before all other steps of ending: the process may be killed soon.
    if (signal !== undefined) keepDraft(draftFile(stateDir, host.workspace.root), unsentText(drive.state()));
    performer.close();
    return {lines: (await performer.session()?.close()) ?? [], signal};
  } finally {
    stopped.abort();
    status?.close();
    follower.close();
    try {
      drive.close();
    } finally {
      terminal.close();
      unwatch();
    }
  }
}

interface Parts {
  readonly terminal: Terminal;
  readonly performer: Performer;
  readonly prompts: readonly string[];
  readonly observe: (state: ScreenState) => void;
}

function statusTextOf(read: NonNullable<ScreenOptions['readStatus']>, dispatch: (action: Action) => void): StatusText {
  return createStatusText({read, show: (text) => dispatch({type: 'status', text}), now: () => performance.now()});
}

/** Returns the queued inputs that never started, and the text on the line. */
function unsentText({queue, editor}: ScreenState): string {
  return [...queue, submittedText(editor)].filter((text) => text.trim() !== '').join('\n\n');
}

function driveOf(
  {surface, host, keys, vim, stateDir, draft}: ScreenOptions,
  {terminal: {output, traits}, performer, prompts, observe}: Parts,
): Drive {
  return createDrive({
    initial: initialState({
      size: sizeOf(output),
      now: performance.now(),
      appName: [host.appName, host.version ?? ''].join(' ').trim(),
      folder: host.workspace.name,
      root: host.workspace.root,
      prompts,
      draft: draft || takeDraft(draftFile(stateDir, host.workspace.root)),
      themes: host.themes.available,
      keymap: createKeymap(keys).keymap,
      hasVim: vim,
      isOpening: true,
    }),
    ...createSurfaces(surface, output, traits),
    perform: performer.perform,
    observe,
    now: () => performance.now(),
  });
}

function showKeyProblems({keys}: ScreenOptions, drive: Drive): void {
  for (const problem of createKeymap(keys).problems) {
    const text = `The keys of ${keymapProblemAction(problem)}: ${keymapProblemText(problem)}.`;
    drive.dispatch({type: 'entry', entry: {kind: 'notice', level: 'warning', text: visibleText(text)}});
  }
}

interface Opening {
  readonly drive: Drive;
  readonly performer: Performer;
  readonly signal: AbortSignal;
  readonly end: Promise<unknown>;
}

/** Nothing is opened if the person has left before. */
async function opened({open, prompt}: ScreenOptions, {drive, performer, signal, end}: Opening): Promise<void> {
  const port = createScreenPort({dispatch: drive.dispatch, answers: performer.answers, info: () => performer.session()?.info});
  const [session] = await Promise.all([Promise.race([open(port, signal), end.then(() => undefined)]), loadMarkdown()]);
  if (session === undefined) return;
  await performer.use(session);
  if (prompt !== undefined && prompt.trim() !== '') drive.dispatch({type: 'submit', text: prompt.trim()});
}
