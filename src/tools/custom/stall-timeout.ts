import {FettleError} from '../../base/errors.ts';
import {createDeadline, type Deadline} from '../../base/waiting/deadline.ts';
import {orAbort} from '../../base/waiting/or-abort.ts';

/** Abandons a call after a time without progress, and soon after it was cancelled. `end` must be called. */
export interface StallTimeout extends Deadline {
  /** Settles as the promise does, unless the call is abandoned first: then rejects with TIMEOUT or CANCELLED. */
  orLost<T>(promise: Promise<T>): Promise<T>;
}

/** Time that a cancelled call has to clean up. */
const GRACE_MS = 1000;

export function createStallTimeout(idleMs: number, signal: AbortSignal): StallTimeout {
  const deadline = createDeadline({idleMs, cancel: {signal, graceMs: GRACE_MS}});
  const lost = (): FettleError =>
    signal.aborted
      ? new FettleError({code: 'CANCELLED', message: 'Cancelled; it did not end by itself.'})
      : new FettleError({
          code: 'TIMEOUT',
          message: `No progress for ${idleMs} ms; abandoned. It may still be running.`,
          hint: 'Try it with less work, or another way.',
        });
  return {...deadline, orLost: (promise) => orAbort(promise, deadline.signal, lost)};
}
