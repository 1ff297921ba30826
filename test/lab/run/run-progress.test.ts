import {Readable} from 'node:stream';
import {describe, expect, it} from 'vitest';
import type {RolloutResult} from '../../../src/lab/rollout/rollout.ts';
import {addResult, durationText, progressLine, startProgress, type RunProgress} from '../../../src/lab/run/run-progress.ts';

function result(outcome: RolloutResult['outcome'], costUsd: number | null): RolloutResult {
  return {
    key: {run: 'r', task: 't', model: 'm/x', toolset: 'fettle', attempt: 1},
    taskDigest: 'd',
    outcome,
    reward: outcome === 'passed' ? 1 : 0,
    rewards: {},
    steps: [],
    exitCode: 0,
    startedAt: 0,
    agentMs: 1,
    verifyMs: 1,
    usage: {turns: 1, inputTokens: 1, cachedTokens: 0, outputTokens: 1},
    costUsd,
    artifacts: {},
    retries: 0,
    version: '0.1.0',
  };
}

/** The progress after these earlier results. */
async function from(total: number, earlier: readonly RolloutResult[] = []): Promise<RunProgress> {
  return await startProgress(total, Readable.from(earlier));
}

describe('the progress of a run', () => {
  it('says rate, time left, cost and pass rate', async () => {
    const done = [result('passed', 0.25), result('failed', 0.25), result('passed', 0.5)].reduce(addResult, await from(12));
    expect(progressLine(done, 60_000)).toBe('3 of 12 · 67 % passed · 3.0 a minute · 3 min left · $1.00');
  });

  it('leaves rollouts of a failing infrastructure out of the pass rate', async () => {
    const done = [result('passed', 0), result('infrastructure', 0)].reduce(addResult, await from(2));
    expect(progressLine(done, 30_000)).toBe('2 of 2 · 100 % passed · 1 not judged · 4.0 a minute');
  });

  it('counts the rate of this process alone after a resume', async () => {
    const done = addResult(await from(10, [result('passed', null), result('passed', null)]), result('failed', null));
    expect(progressLine(done, 60_000)).toBe('3 of 10 · 67 % passed · 1.0 a minute · 7 min left');
  });

  it('says for how many rollouts no price is known', async () => {
    const done = [result('passed', 1.5), result('passed', null)].reduce(addResult, await from(2));
    expect(progressLine(done, 0)).toBe('2 of 2 · 100 % passed · $1.50 and 1 rollout without a known price');
  });

  it.each([
    [0.2, '1 s'],
    [59, '59 s'],
    [59.6, '1 min'],
    [3599, '1 h 0 min'],
    [3540, '59 min'],
    [11_100, '3 h 5 min'],
  ])('writes %s seconds as %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});
