import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {holmAdjusted, signFlipTest} from '../../../../src/lab/report/statistics/sign-flip.ts';

/** All flips, one by one. */
function countedFlips(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, one) => sum + one, 0));
  let asFar = 0;
  for (let flips = 0; flips < 2 ** differences.length; flips += 1) {
    const sum = differences.reduce((total, one, at) => total + (((flips >> at) & 1) === 1 ? one : -one), 0);
    if (Math.abs(sum) >= observed) asFar += 1;
  }
  return asFar / 2 ** differences.length;
}

describe('the sign-flip test', () => {
  it("has Fisher's value for Darwin's plants (The Design of Experiments, section 21): 1726 of 32768 flips", () => {
    const eighthsOfAnInch = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
    expect(signFlipTest(eighthsOfAnInch)).toEqual({p: 1726 / 32768, exact: true});
  });

  it("is McNemar's exact test with one attempt for each task", () => {
    const eightToTwo = [...Array<number>(8).fill(1), -1, -1, ...Array<number>(30).fill(0)];
    expect(signFlipTest(eightToTwo)).toEqual({p: (2 * (1 + 10 + 45)) / 1024, exact: true});
  });

  it('shows nothing where nothing differs', () => {
    expect([signFlipTest([]), signFlipTest([0, 0]), signFlipTest([3]), signFlipTest([1, -1])]).toEqual([
      {p: 1, exact: true},
      {p: 1, exact: true},
      {p: 1, exact: true},
      {p: 1, exact: true},
    ]);
  });

  it('counts exactly what a list of all flips counts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({min: -12, max: 12}), {maxLength: 10}), (differences) => {
        const {p, exact} = signFlipTest(differences);
        expect(exact).toBe(true);
        expect(p).toBeCloseTo(countedFlips(differences), 12);
      }),
    );
  });

  it('counts exactly also for hundreds of tasks, where all flips could never be listed', () => {
    const hundreds = Array.from({length: 500}, (_, at) => [6, -4, 0, 3, -2][at % 5] ?? 0);
    const {p, exact} = signFlipTest(hundreds);
    // The sum is 300 and its variance 500 · 13: 3.72 standard deviations, of which the normal distribution has 0.0002 outside.
    expect([exact, Math.round(p * 1e5) / 1e5]).toEqual([true, 0.0002]);
  });

  it('estimates where differences are no whole numbers, the same each time and near the exact value', () => {
    const exact = signFlipTest([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]);
    const estimated = signFlipTest([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48].map((one) => one / 7.3));
    expect([estimated.exact, Math.abs(estimated.p - exact.p) < 0.006]).toEqual([false, true]);
    expect(signFlipTest([0.1, 0.2, -0.35])).toEqual(signFlipTest([0.1, 0.2, -0.35]));
  });
});

describe("Holm's correction", () => {
  it('multiplies the smallest by the number, the next by one less, and never falls', () => {
    expect(holmAdjusted([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
    expect(holmAdjusted([0.5, 0.6])).toEqual([1, 1]);
    expect(holmAdjusted([])).toEqual([]);
  });
});
