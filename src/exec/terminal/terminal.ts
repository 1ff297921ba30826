import {randomUUID} from 'node:crypto';
import {stat} from 'node:fs/promises';
import {constants} from 'node:os';
import type {IPty, spawn} from '@lydell/node-pty';
import type {Terminal as Emulator} from '@xterm/headless';
import {FettleError} from '../../base/errors.ts';
import {visibleText} from '../../base/visible-text.ts';
import {orAbort} from '../../base/waiting/or-abort.ts';
import type {ScreenCells} from '../../protocol/live-command.ts';
import type {Variables} from '../variables/child-environment.ts';
import {watchTree} from '../process/orphan-reaper.ts';
import {overrunText, type Overrun} from '../process/resource-overrun.ts';
import {endTree, treeOf, type ProcessTree} from '../process/process-tree.ts';
import {watchResources, type ResourceLimits} from '../process/resource-watch.ts';
import type {Sandbox, SandboxedCommand, SandboxPlace, WrappedCommand} from '../sandbox/sandbox.ts';
import {readCells} from './terminal-cells.ts';
import {useCurrentWidths} from './terminal-widths.ts';

export interface TerminalSpec {
  /** Goes to `bash -c`. */
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** Environment of the command, without TERM. */
  readonly env: Variables;
  readonly columns: number;
  readonly rows: number;
  /** Milliseconds; then it is ended. */
  readonly timeoutMs: number;
  readonly sandbox?: Sandbox | undefined;
  readonly limits?: ResourceLimits | undefined;
  /** Folders whose disks are watched; absent: that of `cwd`. */
  readonly watchedFolders?: readonly string[] | undefined;
}

/** A request for a terminal: the variables of the environment are used and, if no folder is named, its folder. */
export type TerminalRequest = Pick<TerminalSpec, 'command' | 'columns' | 'rows' | 'timeoutMs'> & {readonly cwd?: string | undefined};

/** A command in a pseudo-terminal, with a screen that can be read: for programs that ask, draw or wait. Its owner calls `end`. */
export interface CommandTerminal {
  readonly pid: number;
  /** Keys, as a terminal sends them: `\r` for Enter, `\x03` for Ctrl-C. */
  write(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves to the current screen; after `end`, to the last one. */
  screen(): Promise<TerminalScreen>;
  /** Resolves when something was drawn since the screen was last read, when it has ended, or when the signal says so. */
  changed(signal: AbortSignal): Promise<void>;
  /** Reads its screen as it is at this moment, cell by cell. It does not count as a look: `changed` is not answered by it. */
  cells(): ScreenCells;
  /** Calls back whenever something was drawn, and when it has ended; returns a function that ends that. It does not count as a look, either. */
  onDrawn(listener: () => void): () => void;
  /** Resolves when it has ended. */
  readonly done: Promise<void>;
  /** The end of the command; undefined while it runs. */
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
  /** Title set by the program, without control characters; '' if it set none. */
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
}

export interface TerminalEnd {
  /** null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** True if the owner ended the command. */
  readonly cancelled: boolean;
  /** The limit for which the command was ended: it used too much of the machine. */
  readonly overrun?: Overrun | undefined;
}

export const SCROLLBACK = 2000;
const MAX_TITLE_CHARS = 120;

/** Throws NOT_FOUND for a missing working folder, UNAVAILABLE if this platform has no pseudo-terminal. */
export async function openCommandTerminal(
  spec: TerminalSpec,
  load: PtyLoader = () => import('@lydell/node-pty'),
): Promise<CommandTerminal> {
  await requireFolder(spec.cwd);
  const [pty, emulator] = await Promise.all([loadPty(load), createEmulator(spec)]);
  const mark = randomUUID();
  const env = {...spec.env, TERM: 'xterm-256color', [MARKER]: mark};
  const {columns, rows, cwd} = spec;
  const marker = `${MARKER}=${mark}`;
  watchTree({marker});
  const wrapped = await wrap(
    {program: 'bash', args: ['--norc', '--noprofile', '-c', spec.command]},
    {cwd, env, terminal: true},
    spec.sandbox,
  );
  const began = performance.now();
  const child = spawnOrRelease(pty, wrapped, {cwd, env: {...wrapped.env}, cols: columns, rows, name: 'xterm-256color'});
  const {release} = wrapped;
  const {timeoutMs, limits = {}, watchedFolders = [cwd]} = spec;
  return attach(child, emulator, {tree: treeOf(child.pid, marker, began), timeoutMs, limits, folders: watchedFolders, release});
}

async function wrap(command: SandboxedCommand, place: SandboxPlace, sandbox: Sandbox | undefined): Promise<WrappedCommand> {
  return sandbox === undefined ? {...command, env: place.env, release: async () => []} : await sandbox.wrap(command, place);
}

function spawnOrRelease(
  pty: Awaited<ReturnType<PtyLoader>>,
  {program, args, release}: WrappedCommand,
  options: Parameters<typeof spawn>[2],
): IPty {
  try {
    return pty.spawn(program, [...args], options);
  } catch (error) {
    void release();
    throw error;
  }
}

/** The library for pseudo-terminals; it has a part for each platform, and may have none for this one. */
type PtyLoader = () => Promise<{readonly spawn: typeof spawn}>;

const MARKER = 'FETTLE_CALL_ID';

interface Attached extends Pick<WrappedCommand, 'release'> {
  readonly tree: ProcessTree;
  readonly timeoutMs: number;
  readonly limits: ResourceLimits;
  readonly folders: readonly string[];
}

function attach(child: IPty, emulator: Emulator, {tree, timeoutMs, limits, folders, release}: Attached): CommandTerminal {
  const unwatch = watchTree(tree);
  const news = createNews();
  let ended: TerminalEnd | undefined;
  const exited = Promise.withResolvers<void>();
  let last: Promise<TerminalScreen> | undefined;
  let lastCells: ScreenCells | undefined;
  let ending: Promise<void> | undefined;
  let stopped: Stop | undefined;
  const stated = watchStated(emulator);
  const cells = (): ScreenCells => readCells(emulator, stated);
  const drawn = (): Promise<TerminalScreen> =>
    new Promise((resolve) =>
      emulator.write('', () => {
        news.read();
        resolve({...readScreen(emulator), title: stated.title});
      }),
    );
  const end = async (): Promise<void> => {
    await (typeof stopped === 'object' ? endTree(tree, 0) : endTree(tree));
    if (ended === undefined) await exited.promise;
    last = drawn();
    await last;
    lastCells = cells();
    emulator.dispose();
    news.tell();
  };
  const stop = (why: Stop): Promise<void> => {
    stopped ??= why;
    return (ending ??= end());
  };
  const timer = setTimeout(() => void stop('timeout'), timeoutMs).unref();
  const unwatchResources = watchResources({tree, limits, folders, onOverrun: (overrun) => void stop(overrun)});
  child.onData((data) => emulator.write(data, news.tell));
  // Programs ask a terminal what it is and where its cursor is, and wait for the answer.
  emulator.onData((answer) => ended === undefined && child.write(answer));
  child.onExit(({exitCode, signal}) => {
    clearTimeout(timer);
    unwatchResources();
    ended = howItEnded({exitCode, signal}, stopped);
    if (ended.overrun !== undefined) emulator.write(`\r\n[ended: it ${overrunText(ended.overrun)}]`);
    unwatch();
    void release().then((notes) => {
      for (const note of notes) emulator.write(`\r\n[sandbox: ${note}]`);
      news.tell();
      exited.resolve();
    });
  });
  return {
    pid: child.pid,
    write: (keys) => child.write(keys),
    resize: (columns, rows) => [child, emulator].forEach((one) => one.resize(columns, rows)),
    screen: () => last ?? drawn(),
    cells: () => lastCells ?? cells(),
    onDrawn: news.listen,
    changed: async (signal) => (ended === undefined ? await news.next(signal) : undefined),
    done: exited.promise,
    ended: () => ended,
    end: () => stop('cancel'),
  };
}

/** Watches state of a program besides its cells: its title, and whether the cursor is shown (DECTCEM, DEC private mode 25; a reset shows it). */
function watchStated({parser, onTitleChange}: Emulator): {readonly title: string; readonly isCursorShown: boolean} {
  let [title, isCursorShown] = ['', true];
  const set = (shown: boolean) => (params: (number | number[])[]) => {
    if (params.includes(25)) isCursorShown = shown;
    // The emulator itself is to hear of it, too.
    return false;
  };
  onTitleChange((text) => (title = visibleText(text).slice(0, MAX_TITLE_CHARS)));
  parser.registerCsiHandler({prefix: '?', final: 'h'}, set(true));
  parser.registerCsiHandler({prefix: '?', final: 'l'}, set(false));
  parser.registerEscHandler({final: 'c'}, () => {
    isCursorShown = true;
    return false;
  });
  return {
    get title() {
      return title;
    },
    get isCursorShown() {
      return isCursorShown;
    },
  };
}

interface News {
  tell(): void;
  /** Calls back on each `tell`; returns a function that ends that. */
  listen(listener: () => void): () => void;
  read(): void;
  /** Resolves at the first `tell` since the last read, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void>;
}

function createNews(): News {
  let unread = false;
  let changed = Promise.withResolvers<void>();
  const listeners = new Set<() => void>();
  return {
    tell() {
      unread = true;
      changed.resolve();
      changed = Promise.withResolvers();
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    read: () => void (unread = false),
    async next(signal) {
      if (unread || signal.aborted) return;
      await orAbort(changed.promise, signal).catch(() => undefined);
    },
  };
}

/** The reason why it was ended, if it did not end by itself. */
type Stop = 'timeout' | 'cancel' | Overrun;

/** The library says 0, or nothing, without a signal. */
function howItEnded({exitCode, signal = 0}: {exitCode: number; signal?: number | undefined}, stopped: Stop | undefined): TerminalEnd {
  const [name] = Object.entries(constants.signals).find(([, number]) => number === signal) ?? [];
  return {
    ...(signal === 0 ? {exitCode, signal: null} : {exitCode: null, signal: name ?? String(signal)}),
    timedOut: stopped === 'timeout',
    cancelled: stopped === 'cancel',
    ...(typeof stopped === 'object' ? {overrun: stopped} : {}),
  };
}

function readScreen(emulator: Emulator): Omit<TerminalScreen, 'title'> {
  const buffer = emulator.buffer.active;
  const lines = Array.from({length: buffer.length}, (_, line) => buffer.getLine(line)?.translateToString(true) ?? '');
  const last = lines.findLastIndex((line) => line !== '');
  return {
    lines: lines.slice(0, last + 1),
    cursor: {line: buffer.baseY + buffer.cursorY, column: buffer.cursorX},
    applicationKeys: emulator.modes.applicationCursorKeysMode,
    columns: emulator.cols,
    rows: emulator.rows,
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
  const emulator = new headless.Terminal({cols: columns, rows, scrollback: SCROLLBACK, allowProposedApi: true});
  useCurrentWidths(emulator);
  return emulator;
}
