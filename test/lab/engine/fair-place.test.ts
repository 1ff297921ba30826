import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {fairPlaces, MAX_PLACE} from '../../../src/lab/engine/fair-place.ts';
import {MAX_STARTS, RETRY_DELAYS_MS, retryDelayMs} from '../../../src/lab/engine/retry-policy.ts';

describe('places', () => {
  it('are twice as close for a run with twice the share', () => {
    expect(fairPlaces({last: undefined, now: undefined, share: 1, count: 3})).toEqual([60, 120, 180]);
    expect(fairPlaces({last: undefined, now: undefined, share: 2, count: 3})).toEqual([30, 60, 90]);
  });

  it('go on behind the last of the run, and begin where the others are', () => {
    expect(fairPlaces({last: 180, now: 60, share: 1, count: 1})).toEqual([240]);
    expect(fairPlaces({last: undefined, now: 6000, share: 1, count: 1})).toEqual([6060]);
  });

  it('give each of two runs its part of every beginning, within one rollout', () => {
    const share = fc.integer({min: 1, max: 100});
    fc.assert(
      fc.property(share, share, (a, b) => {
        const placesOf = (name: string, share: number): {name: string; place: number}[] =>
          fairPlaces({last: undefined, now: undefined, share, count: 300}).map((place) => ({name, place}));
        const order = [...placesOf('a', a), ...placesOf('b', b)].toSorted((x, y) => x.place - y.place).slice(0, 300);
        const worst = order.map((_, n) =>
          Math.abs(order.slice(0, n + 1).filter(({name}) => name === 'a').length - ((n + 1) * a) / (a + b)),
        );
        // Places are whole numbers: of large shares several rollouts stand at one.
        expect(Math.max(...worst)).toBeLessThanOrEqual(1 + Math.max(a, b) / 60);
      }),
    );
  });

  it('never exceed what the queue can hold, whatever their number', () => {
    expect(fairPlaces({last: MAX_PLACE - 30, now: 0, share: 1, count: 2})).toEqual([MAX_PLACE, MAX_PLACE]);
    expect(15 * (MAX_PLACE + 1)).toBeLessThan(2 ** 31);
    expect(-15 * (MAX_PLACE + 1) - MAX_PLACE).toBeGreaterThanOrEqual(-(2 ** 31));
  });
});

it('a rollout starts four times at most, each later than the last', () => {
  expect(Array.from({length: MAX_STARTS}, (_, n) => retryDelayMs(n + 1))).toEqual([...RETRY_DELAYS_MS, undefined]);
});
