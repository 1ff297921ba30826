import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {DIMENSIONS, featureVector, NO_FEATURES} from '../../../src/optimization/policies/feature-vector.ts';

describe('featureVector', () => {
  it('is the constant component without features', () => {
    expect([featureVector(), featureVector({})]).toEqual([NO_FEATURES, NO_FEATURES]);
  });

  it('is the same for the same features in any order, and differs where one does', () => {
    const sorted = (features: Parameters<typeof featureVector>[0]) => featureVector(features).toSorted(([a], [b]) => a - b);
    expect(sorted({kind: 'fix', language: 'rust'})).toEqual(sorted({language: 'rust', kind: 'fix'}));
    const kinds = Array.from({length: 12}, (_, n) => JSON.stringify(sorted({kind: `kind-${n}`})));
    expect(new Set(kinds).size).toBe(12);
    expect(sorted({size: 0.5})).toEqual(sorted({size: 1}).map(([index, value]) => [index, index === 0 ? 1 : value / 2]));
  });

  it('has finite numbers at few places, whatever the features are', () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.boolean());
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value, {maxKeys: 6}), (features) => {
        const vector = featureVector(features);
        expect(vector.length).toBeLessThanOrEqual(13);
        for (const [index, number] of vector) {
          expect(Number.isInteger(index) && index >= 0 && index < DIMENSIONS).toBe(true);
          expect(Math.abs(number)).toBeLessThanOrEqual(3 * 6 * 2);
        }
      }),
    );
  });
});
