import {describe, expect, it} from 'vitest';
import type {ClaimedRollout} from '../../../src/lab/engine/engine.ts';
import {runOne, type RolloutRunner} from '../../../src/lab/run/coordinate-run.ts';
import {read} from '../suite/suite-cases.ts';
import {scratch} from '../../support/scratch.ts';

describe('a rollout of a run that was begun elsewhere', () => {
  it('is a failure of the infrastructure where this machine lacks something, not a wrong answer', async () => {
    const suite = await read(await scratch({'t/task.toml': 'prompt = "x"\nverify = "true"\nneeds = ["no-such-program"]\n'}));
    const [task] = suite.tasks;
    const runner: RolloutRunner = {
      tasks: new Map(suite.tasks.map((one) => [one.id, one])),
      folders: {scratch: '/nonexistent', hidden: []},
      agent: {program: 'agent', args: [], env: {}, secrets: {}, settings: {}, version: '1'},
      artifacts: () => ({put: async (name) => name, get: async () => false, remove: async () => undefined}),
      isolation: undefined,
    };
    const key = {run: 'r', task: 't', model: 'script', toolset: 'fettle', attempt: 1};
    const rollout: ClaimedRollout = {key, taskDigest: task?.digest ?? '', settings: {}, retries: 0};
    await expect(runOne(runner, rollout, new AbortController().signal)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The task t cannot be run here: no-such-program is not on PATH.',
    });
  });
});
