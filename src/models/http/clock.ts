/** Time as the provider needs it: tests pass their own, so that nothing waits. */
export interface Clock {
  /** Milliseconds since 1970, for dates that a server names. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds; returns what cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Ends after `ms` milliseconds, or at once when `signal` is aborted; never rejects. */
export async function pause(ms: number, signal: AbortSignal, clock: Clock): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const wake = (): void => {
      cancel();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = clock.after(ms, wake);
    signal.addEventListener('abort', wake);
  });
}
