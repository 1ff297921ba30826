import type {Clock} from './clock.ts';

/** How long an answer may be silent, in milliseconds. */
export interface StallLimits {
  /** Until the first byte of the body. */
  readonly firstByteMs: number;
  /** Between two pieces of the body. */
  readonly betweenEventsMs: number;
  /** Silence is reported after this time, and each time it passes again. */
  readonly stallNoticeMs: number;
}

interface Watch {
  /** Milliseconds of silence that are too many now. */
  limitMs(): number;
  readonly noticeMs: number;
  readonly clock: Clock;
}

/** The source said nothing for too long. */
export class StallError extends Error {
  readonly silentMs: number;

  constructor(silentMs: number) {
    super(`silent for ${silentMs / 1000} s`);
    this.name = 'StallError';
    this.silentMs = silentMs;
  }
}

/**
 * Passes on the data of the source, with a notice for each stretch of silence. Throws {@link StallError} at the limit, and leaves the source
 * open.
 */
export async function* withStallTimeout<T>(source: AsyncIterator<T>, watch: Watch): AsyncGenerator<{item: T} | {silentMs: number}> {
  for (;;) {
    const next = source.next();
    let silentMs = 0;
    let result = await within(next, stretch(watch, silentMs), watch.clock);
    while (result === LATE) {
      silentMs += stretch(watch, silentMs);
      if (silentMs >= watch.limitMs()) throw new StallError(silentMs);
      yield {silentMs};
      result = await within(next, stretch(watch, silentMs), watch.clock);
    }
    if (result.done === true) return;
    yield {item: result.value};
  }
}

function stretch(watch: Watch, silentMs: number): number {
  return Math.min(watch.noticeMs, watch.limitMs() - silentMs);
}

const LATE = Symbol('late');

function within<T>(promise: Promise<T>, ms: number, clock: Clock): Promise<T | typeof LATE> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(LATE));
    promise.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}
