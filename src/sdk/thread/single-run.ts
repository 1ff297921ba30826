import {FettleError} from '../../base/errors.ts';

/** Allows one run of a thread at a time, and none after it is closed. */
export interface OneRun {
  /** Throws UNAVAILABLE if a run is open, or the thread is closed. */
  run<T>(body: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** The same for actions that are only allowed between runs. */
  between<T>(what: string, body: () => Promise<T>): Promise<T>;
  /** Throws UNAVAILABLE if the thread is closed. */
  assertOpen(): void;
  /** Ends an open run, then closes. Later calls return the same promise. */
  close<T>(body: () => Promise<T>): Promise<T>;
}

export function createOneRun(): OneRun {
  const closing = new AbortController();
  let running: Promise<unknown> | undefined;
  let closed: Promise<unknown> | undefined;
  const assertOpen = (): void => {
    if (closed !== undefined) throw new FettleError(CLOSED);
  };
  const alone = async <T>(refusal: FettleError, body: () => Promise<T>): Promise<T> => {
    assertOpen();
    if (running !== undefined) throw refusal;
    const current = body();
    running = current;
    try {
      return await current;
    } finally {
      running = undefined;
    }
  };
  return {
    assertOpen,
    run: (body, signal) => alone(new FettleError(RUNNING), () => body(AbortSignal.any([signal, closing.signal]))),
    between: (what, body) => alone(new FettleError({...RUNNING, message: `${what}: a run of this thread has not ended yet.`}), body),
    close<T>(body: () => Promise<T>): Promise<T> {
      closed ??= ended(running, closing).then(body);
      return closed as Promise<T>;
    },
  };
}

async function ended(running: Promise<unknown> | undefined, closing: AbortController): Promise<void> {
  closing.abort();
  await Promise.allSettled(running === undefined ? [] : [running]);
}

const RUNNING = {
  code: 'UNAVAILABLE',
  message: 'A run of this thread has not ended yet.',
  hint: 'Wait for it. While it runs, followUp() adds a turn and steer() adds to the running one.',
} as const;

const CLOSED = {code: 'UNAVAILABLE', message: 'This thread is closed.', hint: 'Open it again: openThread({resume: {id}}).'} as const;
