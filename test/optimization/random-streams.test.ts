import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {drawBeta, drawGumbel, seededNumbers, seededStreams} from '../../src/optimization/random-streams.ts';

const many = (draw: () => number, count = 20_000): number[] => Array.from({length: count}, draw);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('seededStreams', () => {
  it('repeats both streams for a seed, and differs between seeds', () => {
    const draws = (seed: number): number[] => {
      const {explore, draw} = seededStreams(seed);
      return [...many(explore, 5), ...many(draw, 5)];
    };
    expect(draws(7)).toEqual(draws(7));
    expect(new Set([...draws(7), ...draws(8)]).size).toBe(20);
  });

  it('has numbers from 0 to below 1, spread evenly, for any seed', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const numbers = many(seededNumbers(seed), 4000);
        expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
        expect(Math.abs(mean(numbers) - 0.5)).toBeLessThan(0.03);
      }),
      {numRuns: 20},
    );
  });

  it('has two streams that know nothing of each other (VT Code architecture › one random source for two draws)', () => {
    const {explore, draw} = seededStreams(3);
    const pairs = Array.from({length: 20_000}, () => [explore(), draw()] as const);
    const covariance = mean(pairs.map(([a, b]) => (a - 0.5) * (b - 0.5)));
    expect(Math.abs(covariance)).toBeLessThan(0.002);
  });
});

describe('distributions', () => {
  it.each([
    [4, 2, 0.667],
    [0.5, 0.5, 0.5],
    [2, 60, 0.032],
  ])('Beta(%d, %d) has the mean %d', (alpha, beta, expected) => {
    expect(mean(many(() => drawBeta(alpha, beta, seeded)))).toBeCloseTo(expected, 1.7);
  });

  it('Gumbel has the mean γ, and is never infinite', () => {
    expect(mean(many(() => drawGumbel(seeded)))).toBeCloseTo(0.577, 1.5);
    expect([drawGumbel(() => 0), drawGumbel(() => 1 - 2 ** -32)].every(Number.isFinite)).toBe(true);
  });
});

const seeded = seededNumbers(11);
