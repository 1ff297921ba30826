/**
 * Calls at most once in a while, however often it is asked, and a call that takes long less often: three quarters of the time are left to others.
 * The last time it was asked is never lost.
 */
export interface Throttle {
  /** Calls soon, never at once: whoever asks may be in the middle of something. */
  ask(): void;
  /** Nothing is called from here on. */
  stop(): void;
}

/** @param every Milliseconds. */
export function createThrottle(call: () => void, every: number): Throttle {
  let timer: NodeJS.Timeout | undefined;
  let calledAt = Number.NEGATIVE_INFINITY;
  let took = 0;
  let isStopped = false;
  return {
    ask() {
      if (isStopped || timer !== undefined) return;
      const wait = Math.max(0, calledAt + Math.max(every, 4 * took) - performance.now());
      timer = setTimeout(() => {
        timer = undefined;
        calledAt = performance.now();
        call();
        took = performance.now() - calledAt;
      }, wait).unref();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
