import {readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {runRollout} from '../../../../src/lab/rollout/run-rollout.ts';
import type {RolloutRequest} from '../../../../src/lab/rollout/rollout-request.ts';
import {bareAgent, cancelledAt, lab, step} from './support.ts';

const signal = new AbortController().signal;
const EVERY_KIND =
  'echo 42 > answer.txt; mkdir empty; ln -s answer.txt link; printf x > run.sh; chmod +x run.sh; rm README.md; echo ignored > .gitignore; echo i > ignored';
const VERIFY = {command: 'test -d empty -a -L link -a -x run.sh -a -e ignored -a ! -e README.md && bash check.sh'};

/** As if the agent may not run any more: whatever it would do, the rollout fails. */
function withoutAgent(request: RolloutRequest): RolloutRequest {
  return {...request, agent: {...request.agent, program: '/nonexistent/agent'}, retries: 1};
}

describe('a rollout whose agent has ended', () => {
  it('goes on at the verification with the same tree, and the agent is not paid again', async () => {
    const {request} = await lab({agent: bareAgent(EVERY_KIND), verify: VERIFY});
    const interrupted = cancelledAt(request, 'verify.txt');
    await expect(runRollout(interrupted.request, interrupted.signal)).rejects.toMatchObject({code: 'CANCELLED'});
    const {outcome, usage, costUsd, retries, exitCode, artifacts, agentMs} = await runRollout(withoutAgent(request), signal);
    expect({outcome, usage, costUsd, retries, exitCode, names: Object.keys(artifacts), isTimed: agentMs > 0}).toEqual({
      outcome: 'passed',
      costUsd: 0.25,
      usage: {turns: 0, inputTokens: 200, cachedTokens: 0, outputTokens: 20},
      retries: 1,
      exitCode: 0,
      names: ['events.jsonl', 'last-message.txt', 'diff.patch', 'verify.txt'],
      isTimed: true,
    });
  });

  it('and that was stopped before its work was stored is not paid again: what has ended is still kept', async () => {
    const {request} = await lab({agent: bareAgent(EVERY_KIND), verify: VERIFY});
    const interrupted = cancelledAt(request, 'events.jsonl');
    await expect(runRollout(interrupted.request, interrupted.signal)).rejects.toMatchObject({code: 'CANCELLED'});
    expect(await runRollout(withoutAgent(request), signal)).toMatchObject({outcome: 'passed', costUsd: 0.25});
  });

  it('sees nothing of a verification that was cut off', async () => {
    const {request} = await lab({
      agent: bareAgent('echo 42 > answer.txt'),
      verify: {command: 'test ! -e spoilt && touch spoilt && bash check.sh'},
    });
    const interrupted = cancelledAt(request, 'verify.txt');
    await expect(runRollout(interrupted.request, interrupted.signal)).rejects.toMatchObject({code: 'CANCELLED'});
    expect(await runRollout(withoutAgent(request), signal)).toMatchObject({outcome: 'passed'});
  });

  it('begins anew when the task has changed since, and when the note is that of another version', async () => {
    const {request, folder} = await lab({agent: bareAgent('echo 42 > answer.txt')});
    await runRollout(request, signal);
    const changed = {...request, task: {...request.task, digest: 'other'}};
    expect(await runRollout(withoutAgent(changed), signal)).toMatchObject({outcome: 'infrastructure'});
    await writeFile(join(folder, 'artifacts/progress.json'), '{"version":2,"taskDigest":"digest","steps":[],"artifacts":{}}');
    expect(await runRollout(withoutAgent(request), signal)).toMatchObject({outcome: 'infrastructure'});
    await writeFile(join(folder, 'artifacts/progress.json'), '{"version":1,"taskDi');
    expect(await runRollout(request, signal)).toMatchObject({outcome: 'passed'});
  });

  it('is run again if it was free and quick: to store its tree would take longer', async () => {
    const {request, folder} = await lab({agent: ['echo 42 > answer.txt']});
    expect(await runRollout(request, signal)).toMatchObject({outcome: 'passed', costUsd: 0});
    expect(await readdir(join(folder, 'artifacts'))).toEqual([
      'diff.patch',
      'events.jsonl',
      'last-message.txt',
      'session.jsonl',
      'verify.txt',
    ]);
  });

  it('of several steps goes on with the next one', async () => {
    const {request, folder} = await lab({agent: bareAgent('echo step >> steps.txt; echo 42 > answer.txt')});
    const tests = request.task.steps[0]?.verify.tests ?? [];
    const named = (name: string, lines: number): (typeof request.task.steps)[number] => ({
      ...step({tests, command: `test "$(wc -l < steps.txt)" = ${lines} && bash check.sh`}),
      name,
    });
    const whole = {...request, task: {...request.task, steps: [named('one', 1), named('two', 2), named('three', 3)]}};
    const interrupted = cancelledAt(whole, 'two/verify.txt');
    await expect(runRollout(interrupted.request, interrupted.signal)).rejects.toMatchObject({code: 'CANCELLED'});
    expect(await runRollout(whole, signal)).toMatchObject({
      outcome: 'passed',
      steps: [
        {name: 'one', reward: 1},
        {name: 'two', reward: 1},
        {name: 'three', reward: 1},
      ],
    });
    expect(await readdir(join(folder, 'scratch'))).toEqual([]);
  });
});
