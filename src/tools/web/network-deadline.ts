import {FettleError, isFettleError} from '../../base/errors.ts';

/**
 * Time for the network alone: the waits for a person in between do not count. `run` runs a step with a signal that ends it when all of
 * the time is used up, TIMEOUT, or the call is cancelled.
 */
export function createNetworkDeadline(
  timeoutMs: number,
  outer: AbortSignal,
): {run<Result>(step: (signal: AbortSignal) => Promise<Result>): Promise<Result>} {
  let leftMs = timeoutMs;
  return {
    async run(step) {
      const limit = new AbortController();
      const began = performance.now();
      const timer = setTimeout(() => limit.abort(), Math.max(0, leftMs));
      try {
        return await step(AbortSignal.any([outer, limit.signal]));
      } catch (error) {
        if (isFettleError(error) && error.code !== 'CANCELLED') throw error;
        if (!limit.signal.aborted || outer.aborted) throw error;
        throw new FettleError({
          code: 'TIMEOUT',
          message: `No complete answer within ${timeoutMs / 1000} s.`,
          hint: 'Try again with a longer timeout, at most 120 s, or another address.',
        });
      } finally {
        clearTimeout(timer);
        leftMs -= performance.now() - began;
      }
    },
  };
}
