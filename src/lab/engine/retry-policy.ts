/** A rollout is parked when its infrastructure failed, or its worker died, that often. */
export const MAX_STARTS = 4;

/** A rollout whose worker died that often runs alone: either it kills them, and then no other one with it, or it was beside one that does. */
export const DEATHS_UNTIL_ALONE = 2;

/** Milliseconds until a rollout starts again, after its infrastructure failed for the first, second, … time. */
export const RETRY_DELAYS_MS: readonly number[] = [1000, 10_000, 60_000];

/** The delay after `failures` failures; undefined: it is parked. */
export function retryDelayMs(failures: number, delays: readonly number[] = RETRY_DELAYS_MS): number | undefined {
  return failures >= MAX_STARTS ? undefined : delays[Math.min(failures, delays.length) - 1];
}
