/** A whole number from 0, small enough to be added up: a log of another version may hold anything. */
export function wholeCount(value: number): number {
  return Number.isFinite(value) ? Math.min(LARGEST, Math.max(0, Math.round(value))) : 0;
}

const LARGEST = 2 ** 40;
