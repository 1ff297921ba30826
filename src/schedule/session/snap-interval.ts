import {FettleError} from '../../base/errors.ts';
import {describeTiming} from '../times/describe-timing.ts';

/** Intervals of session tasks in minutes: each divides an hour or a day, so that due times stay at the same minutes. */
const MINUTES = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 120, 180, 240, 360, 480, 720, 1440];

export interface SnappedInterval {
  readonly seconds: number;
  /** Set where it is another interval than was asked for. */
  readonly note?: string | undefined;
}

/**
 * Returns the nearest interval that a session task may have, the longer of two that are as near (VT Code architecture › Scheduling). Seconds
 * are rounded up to minutes. Throws USAGE beyond a day.
 */
export function snapInterval(seconds: number): SnappedInterval {
  if (seconds > 86_400) throw new FettleError(TOO_LONG);
  const asked = Math.ceil(seconds / 60);
  const minutes = MINUTES.reduce((best, next) => (Math.abs(next - asked) <= Math.abs(best - asked) ? next : best), 1);
  const snapped = minutes * 60;
  return snapped === seconds ? {seconds} : {seconds: snapped, note: `${words(seconds)} becomes ${words(snapped).toLowerCase()}.`};
}

const TOO_LONG = {
  code: 'USAGE',
  message: 'A task of a session repeats at least once a day.',
  hint: 'For longer intervals add a durable job: fettle schedule add --every … --prompt …',
} as const;

function words(seconds: number): string {
  const text = describeTiming({kind: 'every', seconds, anchor: 0}, 'UTC');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
