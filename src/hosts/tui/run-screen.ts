import {readlinkSync} from 'node:fs';
import {join} from 'node:path';
import {appendPrompt, readPrompts} from './editor/history-file.ts';
import type {AgentSession, HostAdapter, KeyboardProtocolSettings, ScreenPort, SurfacePreference} from './host-adapter.ts';
import type {Effect} from './model/action.ts';
import {createKeymap} from './model/keymap.ts';
import {initialState} from './model/screen-state.ts';
import {createAlternateSurface} from './runner/alternate-surface.ts';
import {createDrive, type Drive} from './runner/drive.ts';
import {editInEditor} from './runner/external-editor.ts';
import {createInlineSurface} from './runner/inline-surface.ts';
import {isProcessAlive, recordModes, takeLeftModes} from './runner/mode-record.ts';
import {createPerformer, type Performer} from './runner/perform.ts';
import {createScreenPort} from './runner/screen-port.ts';
import {listenToSignals} from './runner/signals.ts';
import {createTerminalInput, type TerminalEvent} from './runner/terminal-input.ts';
import {createTerminalModes, RESTORE_ALL} from './runner/terminal-modes.ts';
import {sizeOf, type TerminalTraits} from './runner/terminal-output.ts';
import {backgroundFromEnv} from './runner/terminal-reply.ts';
import {colourDepth} from './themes/color-depth.ts';
import {terminalTheme} from './themes/terminal-themes.ts';
import {loadMarkdown} from './views/markdown/load-markdown.ts';

export interface ScreenOptions {
  readonly host: HostAdapter;
  readonly surface: SurfacePreference;
  readonly keyboard: KeyboardProtocolSettings;
  /** Where the history of prompts is kept, and which terminals have other modes. */
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Opens the conversation, while the screen is already there. */
  readonly open: (port: ScreenPort, signal: AbortSignal) => Promise<AgentSession>;
  /** Sent as soon as the session is open. */
  readonly prompt?: string | undefined;
}

export interface ScreenEnd {
  /** For the person, once the terminal is theirs again. */
  readonly lines: readonly string[];
  readonly signal?: 'SIGTERM' | 'SIGHUP' | undefined;
}

/** Shows a session in the terminal of this process until the person leaves it. Rejects with what opening the session throws. */
export async function runScreen(options: ScreenOptions): Promise<ScreenEnd> {
  const {host, env, stateDir} = options;
  const {stdin: input, stdout: output} = process;
  const depth = colourDepth(env);
  const traits: TerminalTraits = {synchronized: false, looks: terminalTheme(backgroundFromEnv(env) ?? 'dark', depth)};
  const historyFile = join(stateDir, 'prompts.jsonl');
  const place = {folder: join(stateDir, 'terminals'), tty: ttyName(), pid: process.pid};
  if (takeLeftModes(place, isProcessAlive)) output.write(RESTORE_ALL);
  const record = recordModes(place);
  const modes = createTerminalModes({input, output}, options.keyboard);
  const stopped = new AbortController();
  const end = Promise.withResolvers<ScreenEnd['signal']>();
  const onEvent = (event: TerminalEvent): void => {
    if (event.type === 'focus') return host.notifications.setFocused(event.isFocused);
    if (event.type !== 'reply') return drive.dispatch({type: 'key', key: event});
    const {reply} = event;
    modes.onReply(reply);
    if (reply.type === 'mode' && reply.mode === 2026) traits.synchronized = reply.isKnown;
    if (reply.type === 'background') traits.looks = terminalTheme(reply.background, depth);
  };
  const keys = createTerminalInput({input, onEvent, onEnd: () => end.resolve('SIGHUP'), hasKittyKeys: () => modes.hasKittyKeys});
  const enter = (): void => {
    modes.enter();
    keys.resume();
  };
  const leave = (): void => {
    keys.pause();
    modes.leave();
  };
  const signals = listenToSignals({
    onEnd: (signal) => end.resolve(signal),
    onResize: () => drive.dispatch({type: 'resize', size: sizeOf(output)}),
    onSuspend: leave,
    onContinue() {
      enter();
      drive.redraw();
    },
  });
  const performer: Performer = createPerformer({
    host,
    dispatch: (action) => drive.dispatch(action),
    leave: () => end.resolve(undefined),
    suspend: signals.suspend,
    remember: (text) => appendPrompt(historyFile, text),
    async editText(text) {
      leave();
      try {
        return await editInEditor(text, env, stopped.signal);
      } finally {
        enter();
        drive.redraw();
      }
    },
  });
  const surface = options.surface === 'alternate' ? createAlternateSurface(output, traits) : createInlineSurface(output, traits);
  const drive: Drive = createDrive({
    initial: initialState({
      size: sizeOf(output),
      now: performance.now(),
      appName: host.appName,
      folder: host.workspace.name,
      prompts: readPrompts(historyFile),
      keymap: createKeymap().keymap,
    }),
    surface,
    openPager: () => createAlternateSurface(output, traits),
    perform: (effect: Effect) => performer.perform(effect),
    now: () => performance.now(),
  });
  let session: AgentSession | undefined;
  try {
    enter();
    drive.dispatch({type: 'tick'});
    session = await opened(options, {drive, performer, signal: stopped.signal, end: end.promise});
    const signal = await end.promise;
    performer.close();
    const lines = await (performer.session() ?? session)?.close();
    return {lines: lines ?? [], signal};
  } finally {
    stopped.abort();
    drive.close();
    leave();
    signals.dispose();
    record?.remove();
  }
}

interface Opening {
  readonly drive: Drive;
  readonly performer: Performer;
  readonly signal: AbortSignal;
  readonly end: Promise<unknown>;
}

/** Undefined where the person left before the session was open. */
async function opened({open, prompt}: ScreenOptions, {drive, performer, signal, end}: Opening): Promise<AgentSession | undefined> {
  const port = createScreenPort({dispatch: drive.dispatch, answers: performer.answers, info: () => performer.session()?.info});
  const [session] = await Promise.all([Promise.race([open(port, signal), end.then(() => undefined)]), loadMarkdown()]);
  if (session === undefined) return undefined;
  await performer.use(session);
  if (prompt !== undefined && prompt.trim() !== '') drive.dispatch({type: 'submit', text: prompt.trim()});
  return session;
}

/** The device behind stdin, where the system tells. */
function ttyName(): string {
  try {
    return readlinkSync('/proc/self/fd/0');
  } catch {
    return process.env['TTY'] ?? 'unknown';
  }
}
