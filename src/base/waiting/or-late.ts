import {MAX_TIMER_MS} from '../timer.ts';
import {orAbort} from './or-abort.ts';

/** The answer of {@link orLate} if the promise takes too long. */
export const LATE = Symbol('late');

export interface Timers {
  /** Calls `run` once after `ms` milliseconds; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

interface LateOptions {
  /** Ends the wait with CANCELLED. */
  readonly signal?: AbortSignal;
  readonly timers?: Timers;
}

/** Resolves like a promise, or to LATE after `ms` milliseconds; the work of the promise goes on then. The timer keeps the process alive. */
export async function orLate<T>(promise: Promise<T>, ms: number, options: LateOptions = {}): Promise<T | typeof LATE> {
  const {signal, timers = systemTimers} = options;
  const late = Promise.withResolvers<typeof LATE>();
  const cancel = timers.after(ms, () => late.resolve(LATE));
  const first = Promise.race([promise, late.promise]);
  try {
    return await (signal === undefined ? first : orAbort(first, signal));
  } finally {
    cancel();
  }
}

export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
