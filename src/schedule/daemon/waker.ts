import {onAbort} from '../../base/waiting/on-abort.ts';
import type {Clock} from '../clock.ts';

/** Waits for the next look of the daemon. */
export interface Waker {
  /** Ends the present wait, or the next one at once. */
  wake(): void;
  /** Resolves when it is woken, when the moment has come, or on abort. Without a moment there is no timer. */
  until(moment: number | undefined, signal: AbortSignal): Promise<void>;
}

/** A computer that slept, or whose clock was set, is noticed after this time at the latest. */
const LONGEST_WAIT_MS = 600_000;
/** Waits become shorter towards a due time, so that it is not missed after a short sleep. */
const SHORT_WAIT_MS = 60_000;

export function createWaker(clock: Clock): Waker {
  let isWoken = false;
  let resolve: (() => void) | undefined;
  const wake = (): void => {
    isWoken = true;
    resolve?.();
  };
  return {
    wake,
    async until(moment, signal) {
      const woken = Promise.withResolvers<void>();
      resolve = woken.resolve;
      const cancel = moment === undefined ? undefined : clock.after(waitMs(moment - clock.now()), woken.resolve);
      const leave = onAbort(signal, woken.resolve);
      if (!isWoken) await woken.promise;
      isWoken = false;
      cancel?.();
      leave();
    },
  };
}

/** Returns how long to wait at once for a moment that is so far away. */
export function waitMs(remaining: number): number {
  if (remaining <= SHORT_WAIT_MS) return Math.max(0, remaining);
  return Math.min(LONGEST_WAIT_MS, Math.max(SHORT_WAIT_MS, remaining / 2));
}
