import {execFile} from 'node:child_process';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {runRollout} from '../../../../src/lab/rollout/run-rollout.ts';
import {lab} from './support.ts';

const signal = new AbortController().signal;

describe('a rollout', () => {
  it('gives a right answer the reward 1, and keeps what the agent has left', async () => {
    const {request, artifact, folder} = await lab({agent: ['echo 42 > answer.txt']});
    const result = await runRollout(request, signal);
    expect({...result, startedAt: 0, agentMs: 0, verifyMs: 0}).toEqual({
      key: request.key,
      taskDigest: 'digest',
      outcome: 'passed',
      reward: 1,
      rewards: {reward: 1},
      steps: [{name: 'main', reward: 1}],
      exitCode: 0,
      startedAt: 0,
      agentMs: 0,
      verifyMs: 0,
      usage: {turns: 2, inputTokens: 200, cachedTokens: 0, outputTokens: 20},
      costUsd: 0,
      artifacts: Object.fromEntries(
        ['events.jsonl', 'last-message.txt', 'diff.patch', 'session.jsonl', 'verify.txt'].map((name) => [name, name]),
      ),
      retries: 0,
      version: '0.1.0',
    });
    expect(await artifact('diff.patch')).toMatchInlineSnapshot(`
      "diff --git a/answer.txt b/answer.txt
      new file mode 100644
      index 0000000..d81cc07
      --- /dev/null
      +++ b/answer.txt
      @@ -0,0 +1 @@
      +42
      "
    `);
    expect(await artifact('last-message.txt')).toBe('Done.');
    expect(await artifact('verify.txt')).toBe('[exit code 0]\n');
    expect(await readdir(join(folder, 'scratch'))).toEqual([]);
  });

  it('leaves products of running out of the patch, which applies to the starting tree', async () => {
    const start = {'.gitignore': '*.log\n', 'pkg/a.py': 'A = 1\n', 'pkg/__pycache__/a.cpython-311.pyc': 'old\n'};
    const products = ['pkg/__pycache__/a.cpython-311.pyc', '.pytest_cache/v/x', 'node_modules/.cache/b', 'pkg/.mypy_cache/c', 'build.log'];
    const write = products.map((path) => `mkdir -p "$(dirname ${path})" && echo new > ${path}`).join('; ');
    const {request, artifact, folder} = await lab({start, agent: [`${write}; echo 'A = 2' > pkg/a.py; echo 42 > answer.txt`]});
    await runRollout(request, signal);
    const patch = await artifact('diff.patch');
    expect(patch.match(/^\+\+\+ .*$/gm)).toEqual(['+++ b/answer.txt', '+++ b/pkg/a.py']);
    await promisify(execFile)('git', ['apply', join(folder, 'artifacts/diff.patch')], {cwd: join(folder, 'suite/t/start')});
    expect(await readFile(join(folder, 'suite/t/start/pkg/a.py'), 'utf8')).toBe('A = 2\n');
  });

  it('gives a wrong answer the reward 0, with what the verification said', async () => {
    const {request, artifact} = await lab({agent: ['echo 41 > answer.txt'], verify: {command: 'cat answer.txt; bash check.sh'}});
    const {outcome, failure, reward} = await runRollout(request, signal);
    expect({outcome, failure, reward}).toEqual({outcome: 'failed', failure: 'wrong-answer', reward: 0});
    expect(await artifact('verify.txt')).toBe('41\n[exit code 1]\n');
  });
});
