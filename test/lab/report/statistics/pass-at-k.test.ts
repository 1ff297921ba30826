import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {passAtK} from '../../../../src/lab/report/statistics/pass-at-k.ts';

/** C(n, k), by Pascal's rule. */
function binomial(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  return k === 0 ? 1 : (binomial(n - 1, k - 1) * n) / k;
}

describe('pass@k (Chen et al. 2021, section 2.1)', () => {
  it('is 1 − C(n−c, k) / C(n, k)', () => {
    expect(passAtK(10, 3, 1)).toBeCloseTo(0.3, 12);
    // 1 − C(7, 5) / C(10, 5) = 1 − 21 / 252
    expect(passAtK(10, 3, 5)).toBeCloseTo(11 / 12, 12);
    // 1 − C(190, 100) / C(200, 100), which overflows where both are written out.
    expect(passAtK(200, 10, 100)).toBeCloseTo(0.999229, 6);
  });

  it('has ends that are exact', () => {
    expect([passAtK(5, 0, 3), passAtK(5, 5, 3), passAtK(5, 3, 3), passAtK(1, 1, 1), passAtK(1, 0, 1)]).toEqual([0, 1, 1, 1, 0]);
  });

  it('is not known with fewer attempts', () => {
    expect([passAtK(2, 1, 3), passAtK(0, 0, 1)]).toEqual([undefined, undefined]);
  });

  it('agrees with the binomials, and grows with k', () => {
    const counts = fc.integer({min: 1, max: 40}).chain((n) => fc.tuple(fc.constant(n), fc.nat(n), fc.integer({min: 1, max: n})));
    fc.assert(
      fc.property(counts, ([n, c, k]) => {
        const estimate = passAtK(n, c, k) ?? -1;
        expect(estimate).toBeCloseTo(1 - binomial(n - c, k) / binomial(n, k), 9);
        if (k > 1) expect(estimate).toBeGreaterThanOrEqual((passAtK(n, c, k - 1) ?? 2) - 1e-12);
      }),
    );
  });

  it('has no bias: the mean over all outcomes of n attempts is 1 − (1 − p)^k', () => {
    fc.assert(
      fc.property(fc.double({min: 0, max: 1, noNaN: true}), fc.integer({min: 1, max: 12}), fc.nat(11), (p, n, less) => {
        const k = Math.max(1, n - less);
        let mean = 0;
        for (let c = 0; c <= n; c += 1) mean += binomial(n, c) * p ** c * (1 - p) ** (n - c) * (passAtK(n, c, k) ?? 0);
        expect(mean).toBeCloseTo(1 - (1 - p) ** k, 9);
      }),
    );
  });
});
