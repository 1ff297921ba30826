import {FettleError, isFettleError} from '../../base/errors.ts';
import {createDeadline, type Deadline} from '../../base/waiting/deadline.ts';

/** A time limit for network access: its signal also aborts with the call, and a wait for a person pauses it. */
export type NetworkTime = Pick<Deadline, 'signal' | 'pauseFor'>;

/** Runs work with this much time for the network. Throws TIMEOUT when all of it is used up. */
export async function withinNetworkTime<Result>(
  timeoutMs: number,
  outer: AbortSignal,
  work: (time: NetworkTime) => Promise<Result>,
): Promise<Result> {
  const deadline = createDeadline({totalMs: timeoutMs});
  try {
    return await work({signal: AbortSignal.any([outer, deadline.signal]), pauseFor: deadline.pauseFor});
  } catch (error) {
    if (isFettleError(error) && error.code !== 'CANCELLED') throw error;
    if (!deadline.signal.aborted || outer.aborted) throw error;
    throw new FettleError({
      code: 'TIMEOUT',
      message: `No complete answer within ${timeoutMs / 1000} s.`,
      hint: 'Try again with a longer timeout, at most 120 s, or another address.',
    });
  } finally {
    deadline.end();
  }
}
