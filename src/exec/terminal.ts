import {randomUUID} from 'node:crypto';
import {stat} from 'node:fs/promises';
import type {IPty, spawn} from '@lydell/node-pty';
import type {Terminal as Emulator} from '@xterm/headless';
import {FettleError} from '../base/errors.ts';
import {childEnvironment} from './child-environment.ts';
import {watchTree} from './death-watch.ts';
import {systemTicks} from './process-table.ts';
import {endTree, type ProcessTree} from './process-tree.ts';

export interface TerminalSpec {
  /** Goes to `bash -c`. */
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** The variables of the owner, scrubbed before the command sees them. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly columns: number;
  readonly rows: number;
}

/** What a place where commands run is asked for: its variables and, where none is named, its folder are used. */
export type TerminalRequest = Pick<TerminalSpec, 'command' | 'columns' | 'rows'> & {readonly cwd?: string | undefined};

/** A command in a pseudo-terminal, with a screen that can be read: for programs that ask, draw or wait. Its owner calls `end`. */
export interface Terminal {
  readonly pid: number;
  /** Keys, as a terminal sends them: `\r` for Enter, `\x03` for Ctrl-C. */
  write(keys: string): void;
  resize(columns: number, rows: number): void;
  /** What a person would see now; after `end`, what was there last. */
  screen(): Promise<TerminalScreen>;
  /** Resolves when something was drawn since the screen was last read, when it has ended, or when the signal says so. */
  changed(signal: AbortSignal): Promise<void>;
  /** Resolves when it has ended. */
  readonly done: Promise<void>;
  /** How it ended; undefined while it runs. */
  ended(): TerminalEnd | undefined;
  /** Ends it, with everything it started. */
  end(): Promise<void>;
}

export interface TerminalScreen {
  /** The lines above the screen that scrolled away, the newest {@link SCROLLBACK} of them, then the screen; empty lines at the end left out. */
  readonly lines: readonly string[];
  /** 0-based, in `lines`. */
  readonly cursor: {readonly line: number; readonly column: number};
  /** The program has asked for the other codes of the arrow keys: `ESC O A` in place of `ESC [ A`. */
  readonly applicationKeys: boolean;
}

export interface TerminalEnd {
  readonly exitCode: number;
  readonly signal: number | undefined;
}

export const SCROLLBACK = 2000;

/** Throws NOT_FOUND for a missing working folder, UNAVAILABLE where there is no pseudo-terminal for this platform. */
export async function openTerminal(spec: TerminalSpec, load: PtyLoader = () => import('@lydell/node-pty')): Promise<Terminal> {
  await requireFolder(spec.cwd);
  const [pty, emulator] = await Promise.all([loadPty(load), createEmulator(spec)]);
  const mark = randomUUID();
  const since = systemTicks();
  const env = {...childEnvironment(spec.env), TERM: 'xterm-256color', [MARKER]: mark};
  const {columns, rows, cwd} = spec;
  const marker = `${MARKER}=${mark}`;
  watchTree({marker});
  const child = pty.spawn('bash', ['--norc', '--noprofile', '-c', spec.command], {cwd, env, cols: columns, rows, name: 'xterm-256color'});
  return attach(child, emulator, {leader: child.pid, marker, since});
}

/** The library for pseudo-terminals; it has a part for each platform, and may have none for this one. */
type PtyLoader = () => Promise<{readonly spawn: typeof spawn}>;

const MARKER = 'FETTLE_CALL_ID';

function attach(child: IPty, emulator: Emulator, tree: ProcessTree): Terminal {
  const unwatch = watchTree(tree);
  let news = Promise.withResolvers<void>();
  /** What was drawn since the screen was last read. */
  let unread = false;
  let ended: TerminalEnd | undefined;
  const exited = Promise.withResolvers<void>();
  let last: Promise<TerminalScreen> | undefined;
  let ending: Promise<void> | undefined;
  const drawn = (): Promise<TerminalScreen> =>
    new Promise((resolve) =>
      emulator.write('', () => {
        unread = false;
        resolve(readScreen(emulator));
      }),
    );
  const end = async (): Promise<void> => {
    await endTree(tree);
    if (ended === undefined) await exited.promise;
    last = drawn();
    await last;
    emulator.dispose();
  };
  const tell = (): void => {
    unread = true;
    news.resolve();
    news = Promise.withResolvers();
  };
  child.onData((data) => emulator.write(data, tell));
  // Programs ask a terminal what it is and where its cursor stands, and wait for the answer.
  emulator.onData((answer) => ended === undefined && child.write(answer));
  child.onExit(({exitCode, signal}) => {
    ended = {exitCode, signal};
    unwatch();
    tell();
    exited.resolve();
  });
  return {
    pid: child.pid,
    write: (keys) => child.write(keys),
    resize(columns, rows) {
      child.resize(columns, rows);
      emulator.resize(columns, rows);
    },
    screen: () => last ?? drawn(),
    async changed(signal) {
      if (unread || ended !== undefined || signal.aborted) return;
      const stopped = Promise.withResolvers<void>();
      const stop = (): void => stopped.resolve();
      signal.addEventListener('abort', stop, {once: true});
      await Promise.race([news.promise, stopped.promise]);
      signal.removeEventListener('abort', stop);
    },
    done: exited.promise,
    ended: () => ended,
    end: () => (ending ??= end()),
  };
}

function readScreen(emulator: Emulator): TerminalScreen {
  const buffer = emulator.buffer.active;
  const lines = Array.from({length: buffer.length}, (_, line) => buffer.getLine(line)?.translateToString(true) ?? '');
  const last = lines.findLastIndex((line) => line !== '');
  return {
    lines: lines.slice(0, last + 1),
    cursor: {line: buffer.baseY + buffer.cursorY, column: buffer.cursorX},
    applicationKeys: emulator.modes.applicationCursorKeysMode,
  };
}

async function requireFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new FettleError({
    code: 'NOT_FOUND',
    message: `The working folder ${cwd} does not exist.`,
    hint: 'Name an existing folder, or leave it out.',
  });
}

async function loadPty(load: PtyLoader): ReturnType<PtyLoader> {
  try {
    return await load();
  } catch (cause) {
    const message = 'There is no pseudo-terminal on this platform.';
    throw new FettleError({code: 'UNAVAILABLE', message, hint: 'Run the command without a terminal.', cause});
  }
}

async function createEmulator({columns, rows}: TerminalSpec): Promise<Emulator> {
  const {default: headless} = await import('@xterm/headless');
  return new headless.Terminal({cols: columns, rows, scrollback: SCROLLBACK, allowProposedApi: true});
}
