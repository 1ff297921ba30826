import {FettleError} from '../errors.ts';
import {onAbort} from './on-abort.ts';

/** Returns a promise that rejects as soon as the signal aborts: with CANCELLED, or with the error that `toError` makes of the reason. */
export async function orAbort<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  toError: (reason: unknown) => Error = () => new FettleError({code: 'CANCELLED', message: 'Cancelled.'}),
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const leave = onAbort(signal, () => aborted.reject(toError(signal.reason)));
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    leave();
  }
}
