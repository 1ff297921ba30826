import {FettleError} from '../base/errors.ts';

/** A promise that ends with CANCELLED as soon as the signal does, whatever it waits for. */
export async function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const {promise: aborted, reject} = Promise.withResolvers<never>();
  const cancel = (): void => reject(new FettleError({code: 'CANCELLED', message: 'Cancelled.'}));
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
