import {describe, expect, it} from 'vitest';
import {plannedCount, planRollouts, rolloutName, type RunPlan} from '../../../src/lab/run/run-plan.ts';

const PLAN: RunPlan = {
  name: 'nightly',
  suite: '/suites/small',
  suiteName: 'small',
  tasks: [
    {id: 'fix-date', digest: 'a', labels: {}, prompt: 'p'},
    {id: 'rename', digest: 'b', labels: {}, prompt: 'p'},
  ],
  notRun: [{id: 'needs-go', reason: 'go is not installed'}],
  models: ['one/a', 'two/b'],
  toolsets: ['fettle'],
  attempts: 2,
  store: '/store',
  isShared: false,
  createdAt: 0,
  version: '0.1.0',
};

describe('the rollouts of a plan', () => {
  it('take every task and model once before any of them a second time', () => {
    expect([...planRollouts(PLAN)].map(({key}) => rolloutName(key))).toEqual([
      'fix-date/one/a/fettle/1',
      'fix-date/two/b/fettle/1',
      'rename/one/a/fettle/1',
      'rename/two/b/fettle/1',
      'fix-date/one/a/fettle/2',
      'fix-date/two/b/fettle/2',
      'rename/one/a/fettle/2',
      'rename/two/b/fettle/2',
    ]);
  });

  it('bear the name of their run and the digest of their task', () => {
    expect(new Set([...planRollouts(PLAN)].map(({key, taskDigest}) => `${key.run} ${key.task} ${taskDigest}`))).toEqual(
      new Set(['nightly fix-date a', 'nightly rename b']),
    );
  });

  it('are counted without listing them', () => {
    expect(plannedCount(PLAN)).toBe([...planRollouts(PLAN)].length);
  });
});
