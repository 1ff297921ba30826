/** How long is waited for one call: it ends after a time without a sign of life, and after ten times that in all. */
export interface CallDeadline {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** A sign of life. */
  touch(): void;
  /** Time in which a person thinks does not count. */
  whilePaused<T>(wait: () => Promise<T>): Promise<T>;
  end(): void;
}

const TOTAL = 10;

export function createCallDeadline(idleMs: number): CallDeadline {
  const over = new AbortController();
  const expire = (): void => over.abort();
  const armIdle = (): NodeJS.Timeout => setTimeout(expire, idleMs);
  const armTotal = (): NodeJS.Timeout => setTimeout(expire, Math.min(idleMs * TOTAL, 2 ** 31 - 1));
  let idle = armIdle();
  let total = armTotal();
  let pauses = 0;
  const stop = (): void => {
    clearTimeout(idle);
    clearTimeout(total);
  };
  return {
    signal: over.signal,
    touch() {
      if (pauses > 0 || over.signal.aborted) return;
      clearTimeout(idle);
      idle = armIdle();
    },
    async whilePaused(wait) {
      pauses += 1;
      stop();
      try {
        return await wait();
      } finally {
        pauses -= 1;
        if (pauses === 0 && !over.signal.aborted) {
          idle = armIdle();
          total = armTotal();
        }
      }
    },
    end() {
      stop();
      pauses = Infinity;
    },
  };
}
