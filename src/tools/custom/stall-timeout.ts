import {FettleError} from '../../base/errors.ts';

/** Watches over a call: gives it up after a silence, and soon after it was cancelled. `end` must be called. */
export interface StallTimeout {
  /** Rejects with TIMEOUT or CANCELLED; never resolves. */
  readonly lost: Promise<never>;
  /** Notes progress, which restarts the timeout. */
  touch(): void;
  /** Waiting for something else, a person perhaps, is not silence. */
  waitFor<T>(promise: Promise<T>): Promise<T>;
  end(): void;
}

/** How long a cancelled call may take to put things in order. */
const GRACE_MS = 1000;

export function createStallTimeout(idleMs: number, signal: AbortSignal): StallTimeout {
  const {promise: lost, reject} = Promise.withResolvers<never>();
  lost.catch(() => undefined); // it may be lost once nothing waits for it
  const cancelled = (): void => reject(new FettleError({code: 'CANCELLED', message: 'Cancelled; it did not end by itself.'}));
  const stalled = (): void =>
    reject(
      new FettleError({
        code: 'TIMEOUT',
        message: `No progress for ${idleMs} ms; abandoned. It may still be running.`,
        hint: 'Try it with less work, or another way.',
      }),
    );
  let waits = 0;
  let timer: NodeJS.Timeout | undefined;
  const arm = (): void => {
    if (signal.aborted || waits > 0) return; // then another timer runs, or none
    clearTimeout(timer);
    timer = setTimeout(stalled, idleMs);
  };
  const onAbort = (): void => {
    clearTimeout(timer);
    timer = setTimeout(cancelled, GRACE_MS);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, {once: true});
  arm();
  return {
    lost,
    touch: arm,
    async waitFor(promise) {
      waits += 1;
      if (!signal.aborted) clearTimeout(timer);
      try {
        return await promise;
      } finally {
        waits -= 1;
        arm();
      }
    },
    end() {
      waits += 1; // nothing arms it again
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
