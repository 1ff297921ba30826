import fc from 'fast-check';
import {describe, expect, it, onTestFinished} from 'vitest';
import {DEFAULTS} from '../../src/config/defaults.ts';
import type {OptimizationSettings} from '../../src/config/settings.ts';
import {openLedger, type RewardLedger} from '../../src/optimization/ledger/ledger.ts';
import {openOptimizer, type Optimizer} from '../../src/optimization/optimizer.ts';
import {seededStreams} from '../../src/optimization/random-streams.ts';

const STRATEGIES = ['bandit', 'epsilon_greedy', 'ucb1', 'ucb1_tuned', 'thompson', 'linucb', 'actor_critic'] as const;

function open(change: Partial<OptimizationSettings> = {}, seed = 1): {one: Optimizer; ledger: RewardLedger} {
  const ledger = openLedger();
  onTestFinished(() => ledger.close());
  return {one: openOptimizer({settings: {...DEFAULTS.optimization, ...change}, ledger, random: seededStreams(seed)}), ledger};
}

/** Chooses so often, and learns each outcome. */
function chosen(one: Optimizer, exploreShare: number, succeeds: (action: string) => boolean, count = 200): string[] {
  return Array.from({length: count}, () => {
    const {action, choice = ''} = one.select(['a', 'b', 'c'], {exploreShare});
    one.applyReward({action, success: succeeds(action)}, {choice});
    return action;
  });
}

describe('a choice with a bound on exploring', () => {
  it.each(STRATEGIES)('%s stays at the first that succeeds, if no other may be tried', (strategy) => {
    expect(new Set(chosen(open({strategy}).one, 0, () => true).slice(1)).size).toBe(1);
  });

  it.each(STRATEGIES)('%s looks for one that succeeds as long as none did', (strategy) => {
    expect(chosen(open({strategy}).one, 0, (action) => action === 'c').at(-1)).toBe('c');
  });

  it.each(STRATEGIES)('%s tries others in no larger share than is allowed', (strategy) => {
    fc.assert(
      fc.property(fc.integer({min: 0, max: 100_000}), (seed) => {
        const all = chosen(open({strategy}, seed).one, 0.1, (action) => action === 'a', 400);
        const first = all.indexOf('a');
        // Five standard deviations above the share of 40 in 400.
        expect(all.slice(first).filter((action) => action !== 'a').length).toBeLessThan(70);
      }),
      {numRuns: 10},
    );
  });

  it('says that it tries another', () => {
    const {one} = open({strategy: 'ucb1'});
    const {choice = ''} = one.select(['a', 'b'], {exploreShare: 1});
    one.applyReward({action: 'a', success: true}, {choice});
    expect(one.select(['a', 'b'], {exploreShare: 1})).toMatchObject({action: 'b', why: 'tries another than a, the best so far'});
    expect(one.select(['a', 'b'], {exploreShare: 0})).toMatchObject({action: 'a', why: 'best so far: mean 1.00 of 1 outcome'});
  });

  it('chooses the best that is known where learning is frozen, not one that nobody tried', () => {
    const {one, ledger} = open();
    const {choice = ''} = one.select(['b', 'a'], {exploreShare: 0});
    one.applyReward({action: 'b', success: true, latency_ms: 60_000}, {choice});
    ledger.setFrozen(true);
    expect(one.select(['a', 'b'], {exploreShare: 1})).toEqual({
      action: 'b',
      why: 'best so far: mean 0.93 of 1 outcome; learning is frozen',
    });
  });

  it('is explained with that bound', () => {
    const {one} = open();
    chosen(one, 0, (action) => action === 'a');
    const shares = (exploreShare: number) => one.explain({exploreShare}, ['a', 'b'])?.actions.map(({share}) => share);
    expect(shares(0)).toEqual([1, 0]);
    expect(shares(0.2)?.[1]).toBeGreaterThan(0.05);
    expect(shares(0.2)?.[1]).toBeLessThan(0.2);
  });
});
