/** How long is waited for one call: it ends after a time without a sign of life, and after ten times that in all. */
export interface Patience {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** A sign of life. */
  touch(): void;
  /** Time in which a person thinks does not count. */
  whilePaused<T>(wait: () => Promise<T>): Promise<T>;
  end(): void;
}

const TOTAL = 10;

export function createPatience(silenceMs: number): Patience {
  const over = new AbortController();
  const expire = (): void => over.abort();
  const afterSilence = (): NodeJS.Timeout => setTimeout(expire, silenceMs);
  const afterAll = (): NodeJS.Timeout => setTimeout(expire, Math.min(silenceMs * TOTAL, 2 ** 31 - 1));
  let silence = afterSilence();
  let total = afterAll();
  let pauses = 0;
  const stop = (): void => {
    clearTimeout(silence);
    clearTimeout(total);
  };
  return {
    signal: over.signal,
    touch() {
      if (pauses > 0 || over.signal.aborted) return;
      clearTimeout(silence);
      silence = afterSilence();
    },
    async whilePaused(wait) {
      pauses += 1;
      stop();
      try {
        return await wait();
      } finally {
        pauses -= 1;
        if (pauses === 0 && !over.signal.aborted) {
          silence = afterSilence();
          total = afterAll();
        }
      }
    },
    end() {
      stop();
      pauses = Infinity;
    },
  };
}
