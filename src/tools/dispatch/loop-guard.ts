import type {SideEffect} from '../../protocol/side-effect.ts';

/** For the same call with the same result: warn at the third, refuse the fifth. */
export const WARN_AT = 3;
export const REFUSE_CALL_AT = 5;
/** For a command that fails in the same way: the agent counts those, and reports the fourth (`agent/guards/failing-checks.ts`). */
export const CHECK_STOP_AT = 8;
/** For calls that may wait for something and are not made in quick succession. */
export const POLL_STOP_AT = 20;
/** A call that comes at least this long after the same one is a poll. Milliseconds. */
export const POLL_MS = 1000;

/** Two or three calls that take turns are a loop, too; longer rounds are work. */
const MAX_PERIOD = 3;

export interface LoopGuard {
  /** Returns the number of this repetition if it is one too many, judged by the earlier calls and their results. */
  refuses(key: string): number | undefined;
  /** Records the result of a call; returns how often in a row it was the same. */
  record(key: string, result: CallResult): Repetition;
}

interface CallResult {
  readonly digest: string;
  /** A command that ran and failed. */
  readonly isFailedCommand?: boolean;
  /** See `mayWait`. */
  readonly mayWait?: boolean;
}

interface Repetition {
  readonly times: number;
  /** Returns the number of the repetition that is refused; undefined if another guard is responsible. */
  readonly stopAt: number | undefined;
}

interface Seen {
  readonly key: string;
  readonly digest: string;
  readonly at: number;
  readonly isFailedCommand: boolean;
  readonly mayWait: boolean;
}

/**
 * Watches the calls of a thread. Only calls with identical tool, arguments and result count, and only with nothing else in between:
 * polling with changing output, and a test run again after an edit, are not loops. `now` gives milliseconds.
 */
export function createLoopGuard(now: () => number): LoopGuard {
  const history: Seen[] = [];
  const worst = (): Run => longest(periods().map((period) => runAtEnd(history, period)));
  return {
    refuses(key) {
      const runs = periods().flatMap((period) => {
        const before = history.at(-period);
        return before?.key === key ? [runAtEnd([...history, {...before, at: now()}], period)] : [];
      });
      return runs.find(({times, quick, isFailure}) => quick >= (isFailure ? CHECK_STOP_AT : REFUSE_CALL_AT) || times >= POLL_STOP_AT)
        ?.times;
    },
    record(key, {digest, isFailedCommand = false, mayWait: waits = false}) {
      history.push({key, digest, at: now(), isFailedCommand, mayWait: waits});
      if (history.length > MAX_PERIOD * POLL_STOP_AT) history.shift();
      const {times, quick} = worst();
      if (isFailedCommand) return {times, stopAt: undefined};
      return {times, stopAt: quick < times ? POLL_STOP_AT : REFUSE_CALL_AT};
    },
  };
}

/**
 * Returns true if a call may wait for something that continues without the model: a command, a server, or a subagent does. Reading a file or
 * searching again finds nothing new just because time has passed.
 */
export function mayWait({sideEffect, permission}: {readonly sideEffect: SideEffect; readonly permission: string}): boolean {
  return WAITING_EFFECTS.has(sideEffect) || permission === 'task';
}

const WAITING_EFFECTS: ReadonlySet<SideEffect> = new Set<SideEffect>(['execute', 'network', 'interact']);

function periods(): number[] {
  return Array.from({length: MAX_PERIOD}, (_, index) => index + 1);
}

/** The number of times in a row that the last entries occur at the end of a history. */
interface Run {
  readonly times: number;
  /** Leaves out calls that came a second or more after the one before. */
  readonly quick: number;
  readonly isFailure: boolean;
}

function longest(runs: readonly Run[]): Run {
  return runs.reduce((best, run) => (run.times > best.times ? run : best));
}

function runAtEnd(history: readonly Seen[], period: number): Run {
  let length = Math.min(period, history.length);
  let slow = 0;
  // A pause between calls that cannot wait for anything comes from a slow model.
  const isPoll = history.slice(-period).some((entry) => entry.mayWait);
  for (let at = history.length - 1; at >= period; at -= 1) {
    const entry = history[at];
    const before = history[at - period];
    if (entry === undefined || before === undefined || entry.key !== before.key || entry.digest !== before.digest) break;
    length += 1;
    // The newest call of each round represents the round.
    if (isPoll && (history.length - 1 - at) % period === 0 && entry.at - before.at >= POLL_MS) slow += 1;
  }
  const times = Math.floor(length / period);
  return {times, quick: Math.max(times - slow, 0), isFailure: history.slice(-period).every(({isFailedCommand}) => isFailedCommand)};
}
