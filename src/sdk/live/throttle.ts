/** Calls at most once in a while, however often it is asked; the last time it was asked is never lost. */
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
  let isStopped = false;
  return {
    ask() {
      if (isStopped || timer !== undefined) return;
      const wait = Math.max(0, calledAt + every - performance.now());
      timer = setTimeout(() => {
        timer = undefined;
        calledAt = performance.now();
        call();
      }, wait).unref();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
