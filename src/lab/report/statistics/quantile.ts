/** The standard normal quantile of 0.975. */
export const normalQuantile = 1.959963984540054;

/** Student's quantile of 0.975 for `freedom` degrees, 1 or more; from the seventh on to three decimals (Fisher and Cornish 1960). */
export function studentQuantile(freedom: number): number {
  const exact = SMALL[freedom - 1];
  if (exact !== undefined) return exact;
  const z = normalQuantile;
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  );
}

const SMALL = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469];

/**
 * The value below which the part `part` (0 to 1) of the values lies, by linear interpolation between neighbours (Hyndman and Fan 1996, type 7).
 * undefined without values.
 */
export function quantileOf(values: readonly number[], part: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const place = part * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  return below === undefined || above === undefined ? undefined : below + (above - below) * (place - Math.floor(place));
}
