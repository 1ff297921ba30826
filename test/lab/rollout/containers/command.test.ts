import {afterAll, describe, expect, it, vi} from 'vitest';
import {fettle, place, start} from '../../../e2e/support.ts';
import {openPodman} from '../../container/podman.ts';
import {replies} from '../runs/support.ts';
import {DOCKERFILE} from './support.ts';

const opened = await openPodman();
if (typeof opened === 'string') console.warn(`fettle lab with containers is not tested: ${opened}.`);
// Skipped without it.
const podman = typeof opened === 'string' ? {env: {}, call: () => '', close: async () => undefined} : opened;
afterAll(() => podman.close());

const solving = (delayMs: number): string =>
  JSON.stringify({replies: (replies(['echo 42 > answer.txt']) as object[]).map((reply) => ({...reply, delayMs}))});

describe.skipIf(typeof opened === 'string')('fettle lab with containers, which needs root and podman', () => {
  it('runs tasks with and without one, says by which engine, and continues after kill -9 without what was left', async () => {
    const at = await place({
      'suite/native/task.toml': 'prompt = "Write 42."\nverify = "grep -qx 42 answer.txt"\n',
      'suite/native/script.json': solving(0),
      'suite/boxed/task.toml': '[agent]\ntimeout_sec = 60.0\n',
      'suite/boxed/instruction.md': 'Write 42.\n',
      'suite/boxed/environment/Dockerfile': DOCKERFILE,
      'suite/boxed/tests/test.sh': '[ "$(cat /opt/tool/word)" = "$(cat answer.txt)" ] && echo 1 > /logs/verifier/reward.txt\n',
      'suite/boxed/script.json': solving(3000),
    });
    const own = {...at, env: {...at.env, ...podman.env, HOME: at.home, FETTLE_HOME: at.home} as typeof at.env};
    const tasks = await fettle(own, ['lab', 'tasks', 'suite']);
    expect([tasks.code, tasks.stderr.split('\n')]).toEqual([
      0,
      [expect.stringMatching(/^Containers run with podman \d/), '2 tasks, 2 can be run here.', ''],
    ]);

    const killed = start(own, ['lab', 'run', 'suite', '--models', 'script', '--name', 'first', '--workers', '2']);
    const containers = (): string => podman.call('ps', '--all', '--quiet').trim();
    await vi.waitFor(() => expect(podman.call('ps', '--quiet', '--filter', 'label=fettle.run=first').trim()).not.toBe(''), {
      timeout: 120_000,
      interval: 200,
    });
    killed.kill('SIGKILL');
    await new Promise((resolve) => killed.once('close', resolve));
    expect(containers()).not.toBe('');
    const resumed = await fettle(own, ['lab', 'run', '--resume', 'first']);
    expect([resumed.code, resumed.stdout.split('\n')[1]]).toEqual([0, '2 of 2 rollouts done: 2 passed, 0 failed']);
    expect(containers()).toBe('');
  });
});
