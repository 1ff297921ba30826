import {randomBytes} from 'node:crypto';
import {FettleError} from '../../base/errors.ts';
import type {SessionTask, SessionTasks} from '../../tools/ports/session-tasks.ts';
import {describeTiming} from '../times/describe-timing.ts';
import {formatLocal, systemTimeZone} from '../times/local-time.ts';
import type {dueBetween, nextDue} from '../times/due-times.ts';
import type {Clock} from '../times/parse-moment.ts';
import type {Timing} from '../times/timing.ts';
import {latenessOf, momentOf} from './jitter.ts';
import {type ReadRequest, readRequest, SESSION_LIMITS} from './read-request.ts';

/** A task whose time has come, as the host runs it. */
export interface DueTask {
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  readonly isReminder: boolean;
  /** The number of due times that this run stands for: more than one where the session was busy. */
  readonly times: number;
  /** True if a repeated task is over: its next due time is after its expiry. */
  readonly isLast: boolean;
}

/** The tasks of one session, in memory: they end with it. */
export interface SessionSchedule extends SessionTasks {
  /** Hands out the task that is due the longest; for an idle session only. undefined: none is due. */
  takeDue(): DueTask | undefined;
  /** True while a task is due and not handed out. */
  hasDue(): boolean;
  /** The time now and the time zone by which texts are read. */
  clock(): Clock;
  /** Ends all tasks; returns those that were left. */
  close(): readonly SessionTask[];
}

/** The clock of a schedule: tests have one of their own. */
export interface ScheduleClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back after some milliseconds; returns a function that prevents it. */
  after(ms: number, act: () => void): () => void;
}

export interface SessionScheduleOptions {
  /** Called when a task becomes due that is to be handed out at the next idle moment. Must not throw. */
  readonly onDue: () => void;
  readonly clock?: ScheduleClock | undefined;
  /** IANA name; absent: that of the system. */
  readonly timeZone?: string | undefined;
  readonly newId?: (() => string) | undefined;
}

/** A clock that is set and a machine that sleeps do not stop timers for longer than this. */
const LONGEST_WAIT = 600_000;

interface DueFunctions {
  readonly nextDue: typeof nextDue;
  readonly dueBetween: typeof dueBetween;
}

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  readonly isReminder: boolean;
  readonly timing: Timing;
  /** Milliseconds by which it runs after its due times; negative: before. */
  readonly late: number;
  readonly expiresAt: number;
  /** The due time that comes next, without `late`. */
  next: number;
  /** The host knows that it is due. */
  isReported: boolean;
  /** They bring a library along, which only a session with tasks loads. */
  readonly times: DueFunctions;
}

/** Creates the empty schedule of a session. One timer waits for the next due time; without a task there is none. */
export function createSessionSchedule(options: SessionScheduleOptions): SessionSchedule {
  const {onDue, clock = systemClock, timeZone = systemTimeZone(), newId = randomId} = options;
  const entries = new Map<string, Entry>();
  let isClosed = false;
  const shown = (entry: Entry): SessionTask => shownTask(entry, timeZone);
  const sorted = (): Entry[] => [...entries.values()].toSorted((a, b) => dueOf(a) - dueOf(b));
  const isDue = (entry: Entry): boolean => dueOf(entry) <= clock.now();
  const wake = createWake(clock, () => look());
  const arm = (): void => wake(sorted().find((entry) => !entry.isReported));
  const look = (): void => {
    const newly = sorted().filter((entry) => !entry.isReported && isDue(entry));
    for (const entry of newly) entry.isReported = true;
    arm();
    if (newly.length > 0) onDue();
  };
  return {
    async create(request) {
      const read = await readRequest(request, {now: clock.now(), timeZone});
      const times = await import('../times/due-times.ts');
      if (isClosed) throw new FettleError({code: 'UNAVAILABLE', message: 'The session is over.', hint: 'Open it again, then schedule.'});
      if (entries.size >= SESSION_LIMITS.tasks) throw new FettleError(TOO_MANY);
      const id = freeId(newId, entries);
      const entry = newEntry(read, {id, times, now: clock.now(), timeZone});
      entries.set(id, entry);
      arm();
      return {...shown(entry), note: read.due.note};
    },
    list: () => sorted().map(shown),
    cancel(id) {
      const entry = entries.get(id.toLowerCase());
      if (entry === undefined) throw noSuchTask(id);
      entries.delete(entry.id);
      arm();
      return shown(entry);
    },
    takeDue() {
      const entry = sorted().find(isDue);
      if (entry === undefined) return undefined;
      const task = handedOut(entry, clock.now());
      if (task.isLast || entry.timing.kind === 'at') entries.delete(entry.id);
      arm();
      return task;
    },
    clock: () => ({now: clock.now(), timeZone}),
    hasDue: () => [...entries.values()].some(isDue),
    close() {
      isClosed = true;
      const left = sorted().map(shown);
      entries.clear();
      arm();
      return left;
    },
  };
}

/** Owns the one timer: it waits for a task, or for none. */
function createWake(clock: ScheduleClock, act: () => void): (next: Entry | undefined) => void {
  let stop: (() => void) | undefined;
  return (next) => {
    stop?.();
    const wait = next === undefined ? undefined : Math.max(0, dueOf(next) - clock.now());
    stop = wait === undefined ? undefined : clock.after(Math.min(wait, LONGEST_WAIT), act);
  };
}

function dueOf({next, late}: Entry): number {
  return next + late;
}

interface Making extends Clock {
  readonly id: string;
  readonly times: DueFunctions;
}

function newEntry({due, ...read}: ReadRequest, {id, times, now, timeZone}: Making): Entry {
  const late = due.period === undefined ? momentOf(id, due.first, timeZone) - due.first : latenessOf(id, due.period);
  const expiresAt = now + SESSION_LIMITS.hours * 3_600_000;
  return {id, ...read, late: Math.max(late, now - due.first), expiresAt, next: due.first, isReported: false, times};
}

function handedOut(entry: Entry, now: number): DueTask {
  const {id, name, prompt, isReminder, timing, late, times} = entry;
  const upTo = now - late;
  const passed = times.dueBetween(timing, {after: entry.next - 1, upTo, most: 1});
  const next = times.nextDue(timing, upTo);
  const isLast = timing.kind !== 'at' && (next === undefined || next + late > entry.expiresAt);
  if (next !== undefined) [entry.next, entry.isReported] = [next, false];
  return {id, name, prompt, isReminder, times: passed.due.length + passed.omitted, isLast};
}

function shownTask({id, name, prompt, isReminder, timing, next, late}: Entry, timeZone: string): SessionTask {
  const words = timing.kind === 'at' ? 'once' : describeTiming(timing, timeZone);
  return {id, name, prompt, isReminder, timing: words, nextDue: next + late, next: formatLocal(next + late, timeZone)};
}

function freeId(newId: () => string, taken: ReadonlyMap<string, unknown>): string {
  for (;;) {
    const id = newId();
    if (!taken.has(id)) return id;
  }
}

function randomId(): string {
  return randomBytes(4).toString('hex');
}

const systemClock: ScheduleClock = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

const TOO_MANY = {
  code: 'LIMIT',
  message: `A session has at most ${SESSION_LIMITS.tasks} scheduled tasks.`,
  hint: 'Cancel one that is not needed any more.',
} as const;

function noSuchTask(id: string): FettleError {
  return new FettleError({
    code: 'NOT_FOUND',
    message: `There is no scheduled task ${JSON.stringify(id.slice(0, 40))} in this session.`,
    hint: 'List the scheduled tasks to see their ids.',
  });
}
