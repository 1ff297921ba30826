import {describe, expect, it} from 'vitest';
import {chooseExecutor, type ExecutorFacts} from '../../../src/lab/run/choose-executor.ts';

const FACTS: ExecutorFacts = {rollouts: 100, localSlots: 2, queueSlots: 8, rolloutMs: 12_000, isStoreShared: true};

describe('chooseExecutor', () => {
  it('takes the queue where its workers are expected to be clearly quicker', () => {
    expect(chooseExecutor(FACTS)).toEqual({
      feasible: ['queue', 'local'],
      why: '100 rollouts take about 10 min here and 2 min with 8 more at a time in the queue (12 s measured for a rollout)',
    });
    expect(chooseExecutor({...FACTS, rolloutMs: undefined}).why).toContain('30 s assumed for a rollout');
  });

  it.each([
    ['few rollouts', {rollouts: 2}],
    ['short ones', {rollouts: 20, rolloutMs: 200}],
    ['few workers beside many here', {localSlots: 16, queueSlots: 1}],
  ])('stays here with %s', (_, over) => {
    expect(chooseExecutor({...FACTS, ...over}).feasible).toEqual(['local', 'queue']);
  });

  it.each([
    ['no worker is live', {queueSlots: 0}, 'no worker of the queue is live'],
    [
      'the artefacts are in a folder of this machine',
      {isStoreShared: false},
      'other machines cannot read its artefacts: name a place with --store',
    ],
  ])('never takes the queue where %s', (_, over, why) => {
    expect(chooseExecutor({...FACTS, ...over})).toEqual({feasible: ['local'], why});
  });
});
