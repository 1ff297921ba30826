import {FettleError} from '../base/errors.ts';

/** A promise that ends with CANCELLED as soon as the signal does, whatever it waits for. */
export async function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const cancel = (): void => reject(new FettleError({code: 'CANCELLED', message: 'Cancelled.'}));
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, {once: true, signal: settled.signal});
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    settled.abort();
  }
}
