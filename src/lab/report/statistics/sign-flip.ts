import {createRandom} from './random.ts';

export interface SignFlip {
  /** The chance, if neither side were better, that the sum of the differences is as far from 0 as it is, or farther; two-sided. */
  readonly p: number;
  /** False: estimated from random flips, which are the same each time. */
  readonly exact: boolean;
}

/**
 * The permutation test of paired differences: if neither side is better, each difference could as well have the other sign (R. A. Fisher 1935,
 * "The Design of Experiments", section 21). Whole numbers are counted exactly, whatever their number, as long as their sums are not too large. With
 * differences of −1, 0 and 1 it is the exact test of McNemar.
 */
export function signFlipTest(differences: readonly number[]): SignFlip {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const sum = Math.abs(differences.reduce((total, one) => total + one, 0));
  if (sizes.length === 0) return {p: 1, exact: true};
  const unit = sizes.every(Number.isSafeInteger) ? sizes.reduce(commonDivisor) : 0;
  const reach = unit === 0 ? Infinity : sizes.reduce((total, one) => total + one / unit, 0);
  if (reach * sizes.length > MOST_STEPS) return {p: flippedAtRandom(sizes, sum), exact: false};
  return {
    p: flippedEachWay(
      sizes.map((size) => size / unit),
      sum / unit,
    ),
    exact: true,
  };
}

/** Additions of the exact count: a fraction of a second. */
const MOST_STEPS = 30_000_000;

export function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** The distribution of the sum over all flips, one difference after the other: 2ⁿ flips are never listed. */
function flippedEachWay(sizes: readonly number[], sum: number): number {
  const reach = sizes.reduce((total, size) => total + size, 0);
  let chances = new Float64Array(2 * reach + 1);
  chances[reach] = 1;
  let known = 0;
  for (const size of sizes) {
    const next = new Float64Array(2 * reach + 1);
    for (let at = reach - known; at <= reach + known; at += 1) {
      const half = (chances[at] ?? 0) / 2;
      if (half === 0) continue;
      next[at + size] = (next[at + size] ?? 0) + half;
      next[at - size] = (next[at - size] ?? 0) + half;
    }
    chances = next;
    known += size;
  }
  let p = 0;
  for (const [at, chance] of chances.entries()) if (Math.abs(at - reach) >= sum) p += chance;
  return Math.min(1, p);
}

const FLIPS = 20_000;

/** Counts the observed signs as one of the flips, so that p is never 0 (Phipson and Smyth 2010). */
function flippedAtRandom(sizes: readonly number[], sum: number): number {
  const random = createRandom(1);
  // What is as far but for rounding is as far.
  const far = sum - 1e-9 * Math.max(1, sum);
  let asFar = 1;
  for (let flip = 0; flip < FLIPS; flip += 1) {
    let total = 0;
    for (const size of sizes) total += random() < 0.5 ? size : -size;
    if (Math.abs(total) >= far) asFar += 1;
  }
  return asFar / (FLIPS + 1);
}

/** Holm's correction for several comparisons at once (Holm 1979): keeps the chance of any false difference at the level of one. */
export function holmAdjusted(ps: readonly number[]): readonly number[] {
  const order = ps.map((p, index) => ({p, index})).toSorted((a, b) => a.p - b.p);
  const adjusted: number[] = ps.map(() => 1);
  let highest = 0;
  for (const [rank, {p, index}] of order.entries()) {
    highest = Math.max(highest, Math.min(1, p * (ps.length - rank)));
    adjusted[index] = highest;
  }
  return adjusted;
}
