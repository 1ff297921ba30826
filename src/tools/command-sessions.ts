import {FettleError} from '../base/errors.ts';
import type {CommandResult, CommandSpec} from '../exec/command.ts';
import type {Job, Jobs} from '../exec/jobs.ts';
import type {ToolOutput} from './operation.ts';

/** A command of a thread that is looked at again and again while it runs. */
export interface CommandSession {
  /** `s1`, `s2` … */
  readonly id: string;
  readonly command: string;
  /** Takes what was written and not taken before, at most the newest 64 KB of it. */
  take(): readonly ToolOutput[];
  /** How much was dropped because nobody took it in time; counted anew with each call. */
  dropped(): number;
  /** How it ended; undefined while it runs. */
  ended(): CommandResult | undefined;
  /** Milliseconds since it was started. */
  age(): number;
  /** Resolves when something was written, when it has ended, or when the signal says so. */
  changed(signal: AbortSignal): Promise<void>;
  /** Ends it, with everything it started. */
  end(): Promise<void>;
}

export interface CommandSessions {
  start(spec: CommandSpec & {readonly shell: string}): Promise<CommandSession>;
  /** Throws NOT_FOUND, naming those that there are. */
  find(id: string): CommandSession;
  list(): readonly CommandSession[];
}

/** The sessions of the thread that owns the jobs; they end with it. */
export function commandSessions(jobs: Jobs): CommandSessions {
  const known = SESSIONS.get(jobs);
  if (known !== undefined) return known;
  const made = createSessions(jobs);
  SESSIONS.set(jobs, made);
  return made;
}

const SESSIONS = new WeakMap<Jobs, CommandSessions>();
/** Ended ones are forgotten, oldest first, beyond so many. */
const MAX_KNOWN = 50;
const MAX_UNREAD_CHARS = 65_536;

function createSessions(jobs: Jobs): CommandSessions {
  const sessions = new Map<string, CommandSession>();
  let count = 0;
  return {
    async start(spec) {
      const output = createUnread();
      const job = await jobs.start(spec, output.push);
      count += 1;
      const session = createSession(`s${count}`, {command: spec.shell, job, output});
      sessions.set(session.id, session);
      const oldest = [...sessions.values()].find((other) => other.ended() !== undefined);
      if (sessions.size > MAX_KNOWN && oldest !== undefined) sessions.delete(oldest.id);
      return session;
    },
    find(id) {
      const session = sessions.get(id);
      if (session !== undefined) return session;
      const hint = sessions.size === 0 ? 'No command was started in streaming mode.' : `Sessions: ${[...sessions.keys()].join(', ')}.`;
      throw new FettleError({code: 'NOT_FOUND', message: `There is no session "${id}".`, hint});
    },
    list: () => [...sessions.values()],
  };
}

interface Started {
  readonly command: string;
  readonly job: Job;
  readonly output: Unread;
}

function createSession(id: string, {command, job, output}: Started): CommandSession {
  const began = performance.now();
  let ended: CommandResult | undefined;
  let lasted: number | undefined;
  job.done.then(
    (result) => {
      ended = result;
      lasted = performance.now() - began;
      output.wake();
    },
    () => output.wake(),
  );
  return {
    id,
    command,
    take: output.take,
    dropped: output.dropped,
    ended: () => ended,
    age: () => lasted ?? performance.now() - began,
    changed: (signal) => (ended === undefined ? output.next(signal) : Promise.resolve()),
    end: job.end,
  };
}

interface Unread {
  push(stream: 'stdout' | 'stderr', text: string): void;
  take(): readonly ToolOutput[];
  dropped(): number;
  next(signal: AbortSignal): Promise<void>;
  wake(): void;
}

function createUnread(): Unread {
  let pieces: ToolOutput[] = [];
  let chars = 0;
  let lost = 0;
  let news = Promise.withResolvers<void>();
  const wake = (): void => {
    news.resolve();
    news = Promise.withResolvers();
  };
  return {
    wake,
    push(stream, text) {
      pieces.push({type: 'output', stream, text});
      chars += text.length;
      while (chars > MAX_UNREAD_CHARS && pieces.length > 1) {
        const {length} = pieces.shift()?.text ?? '';
        chars -= length;
        lost += length;
      }
      wake();
    },
    take() {
      const taken = pieces;
      pieces = [];
      chars = 0;
      return taken;
    },
    dropped() {
      const count = lost;
      lost = 0;
      return count;
    },
    async next(signal) {
      if (pieces.length > 0 || signal.aborted) return;
      const stopped = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => stopped.resolve(), {once: true});
      await Promise.race([news.promise, stopped.promise]);
    },
  };
}
