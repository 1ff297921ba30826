import {MAX_TIMER_MS} from '../timer.ts';
import {onAbort} from './on-abort.ts';

/** The times after which a wait ends, in milliseconds. */
export interface DeadlineLimits {
  /** Without a sign of life. */
  readonly idleMs?: number | undefined;
  /** The time in total, whatever the progress. */
  readonly totalMs?: number | undefined;
  /** From an abort of `signal` on only `graceMs` counts: neither silence, nor the total, nor a pause. */
  readonly cancel?: {readonly signal: AbortSignal; readonly graceMs: number} | undefined;
}

/** Watches over a wait. `end` must be called: it clears every timer and listener. */
export interface Deadline {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** A sign of life. */
  touch(): void;
  /** Pauses the deadline until `promise` settles, for example while a person decides. */
  pauseFor<T>(promise: Promise<T>): Promise<T>;
  end(): void;
}

/** Starts a deadline. A pause resets the idle time and holds the total, which then continues. */
export function createDeadline({idleMs, totalMs, cancel}: DeadlineLimits): Deadline {
  const over = new AbortController();
  const expire = (): void => {
    end();
    over.abort();
  };
  let isOpen = true;
  let pauses = 0;
  let leftMs = totalMs;
  let began = 0;
  let idle: NodeJS.Timeout | undefined;
  let total: NodeJS.Timeout | undefined;
  let grace: NodeJS.Timeout | undefined;

  const touch = (): void => {
    if (!isOpen || pauses > 0) return;
    clearTimeout(idle);
    idle = timerFor(idleMs, expire);
  };
  const resume = (): void => {
    if (!isOpen || pauses > 0) return;
    touch();
    began = performance.now();
    total = timerFor(leftMs, expire);
  };
  const stop = (): void => {
    for (const timer of [idle, total]) clearTimeout(timer);
  };
  function end(): void {
    isOpen = false;
    stop();
    clearTimeout(grace);
    leave?.();
  }

  resume();
  const leave =
    cancel &&
    onAbort(cancel.signal, () => {
      isOpen = false;
      stop();
      grace = timerFor(cancel.graceMs, expire);
    });
  return {
    signal: over.signal,
    touch,
    async pauseFor(promise) {
      if (pauses === 0 && leftMs !== undefined) leftMs -= performance.now() - began;
      pauses += 1;
      stop();
      try {
        return await promise;
      } finally {
        pauses -= 1;
        resume();
      }
    },
    end,
  };
}

/** Node warns of times below zero, and takes those above its most for one millisecond. */
function timerFor(ms: number | undefined, run: () => void): NodeJS.Timeout | undefined {
  return ms === undefined ? undefined : setTimeout(run, Math.min(Math.max(0, ms), MAX_TIMER_MS));
}
