import {onAbort} from '../../base/waiting/on-abort.ts';
import type {Clock} from '../clock.ts';

interface Storing {
  readonly clock: Clock;
  /** After an abort there is no more waiting: the error is thrown. */
  readonly signal: AbortSignal;
  /** Gets the cause of each failure. */
  readonly onFailure: (cause: unknown) => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60_000;

/** Stores something however long it takes: on a full or locked disk it tries again, at longer and longer intervals. */
export async function stored<T>(store: () => T, {clock, signal, onFailure}: Storing): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return store();
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      onFailure(thrown);
      await pauseFor(pause, clock, signal);
    }
  }
}

async function pauseFor(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const over = Promise.withResolvers<void>();
  const cancel = clock.after(ms, over.resolve);
  const leave = onAbort(signal, over.resolve);
  await over.promise;
  cancel();
  leave();
}
