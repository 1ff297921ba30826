import {FettleError} from '../base/errors.ts';
import type {Terminal, TerminalEnd, TerminalRequest, TerminalScreen} from '../exec/terminal.ts';
import type {Terminals} from '../exec/terminals.ts';
import {terminalKeys} from './terminal-keys.ts';

/** A command of a thread with a terminal of its own. */
export interface TerminalSession {
  /** `t1`, `t2` … */
  readonly id: string;
  readonly command: string;
  /** What a person would see now; after the end, what was there last. */
  screen(): Promise<TerminalScreen>;
  /** How it ended; undefined while it runs. */
  ended(): TerminalEnd | undefined;
  /** Milliseconds since it was started, up to its end. */
  age(): number;
  /** Types, with the names of keys that `terminalKeys` knows. Throws UNAVAILABLE when it has ended. */
  write(input: string): Promise<void>;
  /** Throws UNAVAILABLE when it has ended. */
  resize(size: {readonly columns?: number | undefined; readonly rows?: number | undefined}): void;
  /**
   * Resolves when something was drawn since the screen was last read and no more came for a moment; when it has ended; or when the
   * signal says so.
   */
  settled(signal: AbortSignal): Promise<void>;
  /** Ends it, with everything it started. */
  end(): Promise<void>;
}

export interface TerminalSessions {
  start(request: TerminalRequest): Promise<TerminalSession>;
  /** Throws NOT_FOUND, naming those that there are. */
  find(id: string): TerminalSession;
  list(): readonly TerminalSession[];
}

/** The sessions of the thread that owns the terminals; they end with it. */
export function terminalSessions(terminals: Terminals): TerminalSessions {
  const known = SESSIONS.get(terminals);
  if (known !== undefined) return known;
  const made = createSessions(terminals);
  SESSIONS.set(terminals, made);
  return made;
}

const SESSIONS = new WeakMap<Terminals, TerminalSessions>();
/** Ended ones are forgotten, oldest first, beyond so many. */
const MAX_KNOWN = 50;
/** So long without a change, and the screen counts as drawn. */
const QUIET_MS = 400;

function createSessions(terminals: Terminals): TerminalSessions {
  const sessions = new Map<string, TerminalSession>();
  let count = 0;
  return {
    async start(request) {
      const session = await startSession(terminals, request, () => `t${(count += 1)}`);
      sessions.set(session.id, session);
      const oldest = [...sessions.values()].find((other) => other.ended() !== undefined);
      if (sessions.size > MAX_KNOWN && oldest !== undefined) sessions.delete(oldest.id);
      return session;
    },
    find(id) {
      const session = sessions.get(id);
      if (session !== undefined) return session;
      const hint = sessions.size === 0 ? 'No command was started in a terminal.' : `Sessions: ${[...sessions.keys()].join(', ')}.`;
      throw new FettleError({code: 'NOT_FOUND', message: `There is no session "${id}".`, hint});
    },
    list: () => [...sessions.values()],
  };
}

async function startSession(terminals: Terminals, request: TerminalRequest, nextId: () => string): Promise<TerminalSession> {
  const terminal = await terminals.open(request);
  const began = performance.now();
  let size = {columns: request.columns, rows: request.rows};
  let lasted: number | undefined;
  void terminal.done.then(() => (lasted = performance.now() - began));
  const id = nextId();
  const requireRunning = (): void => {
    if (terminal.ended() === undefined) return;
    throw new FettleError({code: 'UNAVAILABLE', message: `Session ${id} has ended.`, hint: 'Start the command again.'});
  };
  return {
    id,
    command: request.command,
    screen: terminal.screen,
    ended: terminal.ended,
    age: () => lasted ?? performance.now() - began,
    async write(input) {
      const keys = terminalKeys(input, await terminal.screen());
      requireRunning();
      terminal.write(keys);
    },
    resize({columns = size.columns, rows = size.rows}) {
      requireRunning();
      terminal.resize(columns, rows);
      size = {columns, rows};
    },
    settled: (signal) => untilQuiet(terminal, signal),
    end: terminal.end,
  };
}

async function untilQuiet(terminal: Terminal, signal: AbortSignal): Promise<void> {
  await terminal.changed(signal);
  while (terminal.ended() === undefined && !signal.aborted) {
    await terminal.screen(); // seen; only what comes after it counts
    const quiet = AbortSignal.timeout(QUIET_MS);
    await terminal.changed(AbortSignal.any([signal, quiet]));
    if (quiet.aborted) return;
  }
}
