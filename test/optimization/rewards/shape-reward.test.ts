import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {DEFAULTS} from '../../../src/config/defaults.ts';
import {shapeReward} from '../../../src/optimization/rewards/shape-reward.ts';

const {reward_shaping: SHAPING} = DEFAULTS.optimization;

describe('shapeReward', () => {
  it.each([
    [{success: true}, 1],
    [{success: true, latency_ms: 60_000}, 0.93],
    [{success: true, latency_ms: 3_600_000, cost_usd: 10}, 0.81],
    [{success: true, latency_ms: 36_000_000}, 0.86],
    [{success: true, cost_usd: 1}, 0.97],
    [{success: true, tokens: 1_000_000}, 0.97],
    [{success: true, tokens: 1_000_000, cost_usd: 0}, 1],
    [{success: false}, 0],
    [{success: false, latency_ms: 5}, 0],
    [{success: true, timeout: true}, 0],
  ])('with the defaults, %j is %d', (signal, expected) => {
    expect(shapeReward(signal, SHAPING)).toBeCloseTo(expected, 2);
  });

  it('follows each of its settings', () => {
    const signal = {success: true, latency_ms: 60_000, cost_usd: 1};
    const with_ = (change: Partial<typeof SHAPING>) => Number(shapeReward(signal, {...SHAPING, ...change}).toFixed(3));
    expect([
      with_({}),
      with_({success_reward: 10}),
      with_({timeout_penalty: -10}),
      with_({latency_penalty_weight: 1}),
      with_({cost_penalty_weight: 1}),
    ]).toEqual([0.902, 0.984, 0.984, 0.693, 0.652]);
  });

  it('is from 0 to 1, never better for more time or cost, and never worse for a success than for a failure', () => {
    const number = fc.double({min: 0, max: 1e9, noNaN: true});
    const shaping = fc.record({
      success_reward: fc.double({min: 0.001, max: 1000, noNaN: true}),
      timeout_penalty: fc.double({min: -1000, max: 0, noNaN: true}),
      latency_penalty_weight: fc.double({min: 0, max: 100, noNaN: true}),
      cost_penalty_weight: fc.double({min: 0, max: 100, noNaN: true}),
    });
    fc.assert(
      fc.property(number, number, fc.double({min: 1, max: 10, noNaN: true}), shaping, (latency, cost, more, weights) => {
        const reward = (success: boolean, factor: number) =>
          shapeReward({success, latency_ms: latency * factor, cost_usd: cost * factor}, weights);
        expect(reward(true, 1)).toBeLessThanOrEqual(1);
        expect(reward(true, more)).toBeLessThanOrEqual(reward(true, 1));
        expect(reward(false, 1)).toBeLessThanOrEqual(reward(true, 1));
        expect(reward(false, more)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
