/**
 * Limits how often a function is called, however often it is requested; a call that takes long runs less often,
 * so that three quarters of the time are left to other work. The last request is never lost.
 */
export interface Throttle {
  /** Requests a call. It runs soon, never at once: the requester may be in the middle of something. */
  ask(): void;
  /** Stops all further calls. */
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
