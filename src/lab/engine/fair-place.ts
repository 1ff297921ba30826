/** The length of a step for a run with share 1. All shares up to 10 and many above divide it. */
const WHOLE = 2520;

/** Places of rollouts grow up to this; after it they are served in the order in which they came. */
export const MAX_PLACE = 2 ** 26 - 1;

/**
 * Returns the places of `count` more rollouts of a run; workers take the lowest first. Start-time fair queueing (Goyal, Vin and Cheng, 1996): a run with
 * twice the share takes half the steps, and a run that comes later begins where the others are.
 *
 * @param last the highest place of this run so far
 * @param now the lowest place that is still queued, of any run
 */
export function fairPlaces({last, now, share, count}: FairPlaceFacts): number[] {
  const step = WHOLE / share / UNIT;
  const begin = Math.max(last ?? 0, now ?? 0);
  return Array.from({length: count}, (_, n) => Math.min(Math.round(begin + step * (n + 1)), MAX_PLACE));
}

/** A million rollouts of share 1 fit below {@link MAX_PLACE}. */
const UNIT = 42;

interface FairPlaceFacts {
  readonly last: number | undefined;
  readonly now: number | undefined;
  readonly share: number;
  readonly count: number;
}
