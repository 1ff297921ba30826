import {LATE, orLate, type Timers} from '../../base/waiting/or-late.ts';

/** The longest silence of a response, in milliseconds. */
export interface StallLimits {
  /** Until the first byte of the body. */
  readonly firstByteMs: number;
  /** Between two pieces of the body. */
  readonly betweenEventsMs: number;
  /** Silence is reported after this time, and again each time this long passes. */
  readonly stallNoticeMs: number;
}

interface Watch {
  /** Milliseconds of silence that are too many now. */
  limitMs(): number;
  readonly noticeMs: number;
  readonly timers: Timers;
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
    let result = await orLate(next, stretch(watch, silentMs), {timers: watch.timers});
    while (result === LATE) {
      silentMs += stretch(watch, silentMs);
      if (silentMs >= watch.limitMs()) throw new StallError(silentMs);
      yield {silentMs};
      result = await orLate(next, stretch(watch, silentMs), {timers: watch.timers});
    }
    if (result.done === true) return;
    yield {item: result.value};
  }
}

function stretch(watch: Watch, silentMs: number): number {
  return Math.min(watch.noticeMs, watch.limitMs() - silentMs);
}
