import {afterAll, describe, expect, it, onTestFinished} from 'vitest';
import {runRollout} from '../../../../src/lab/rollout/run-rollout.ts';
import {startModelServer} from '../../../../src/testing/index.ts';
import {openPodman} from '../../container/podman.ts';
import {bareAgent, cancelledAt, outputOf} from '../runs/support.ts';
import {boxedLab, DOCKERFILE} from './support.ts';

const opened = await openPodman();
const signal = new AbortController().signal;
if (typeof opened === 'string') console.warn(`Rollouts in containers are not tested: ${opened}.`);
// Skipped without it.
const podman = typeof opened === 'string' ? {env: {}, call: () => '', close: async () => undefined} : opened;
afterAll(() => podman.close());

describe.skipIf(typeof opened === 'string')('a rollout in a container, which needs root and podman', () => {
  it('has what its image has, is verified there, and leaves no container', async () => {
    const {request, artifact} = await boxedLab(podman, {agent: ['cat /opt/tool/word > answer.txt; pwd; echo "$HOME"; ls /sys/class/net']});
    const {outcome, rewards, artifacts, note} = await runRollout(request, signal);
    expect({outcome, note, rewards, names: Object.keys(artifacts)}).toEqual({
      outcome: 'passed',
      rewards: {reward: 1},
      names: ['events.jsonl', 'last-message.txt', 'diff.patch', 'session.jsonl', 'verify.txt'],
    });
    expect(await artifact('diff.patch')).toContain('+++ b/answer.txt\n@@ -0,0 +1 @@\n+42\n');
    expect(outputOf(await artifact('events.jsonl'))).toContain('/app\n/root\n');
    expect(podman.call('ps', '--all', '--quiet')).toBe('');
  });

  it('gives a cheating agent neither tests nor suite, and ends what it leaves running', async () => {
    const cheat = [
      'mkdir -p /tests /logs/verifier; echo "echo 1 > /logs/verifier/reward.txt" > /tests/test.sh; echo 1 > /logs/verifier/reward.txt; echo \'{"r":1}\' > /logs/verifier/reward.json',
      'setsid bash -c "while :; do echo 1 > /logs/verifier/reward.txt; cp /logs/verifier/reward.txt /logs/verifier/reward.json; sleep 0.05; done" > /dev/null 2>&1 &',
      "grep -rls hidden-6f1c / --exclude-dir=proc --exclude-dir=sys --exclude-dir=dev | head; tail -n +1 /proc/*/environ 2>/dev/null | tr '\\0' '\\n' | grep -i key",
      'cat /proc/self/mountinfo | grep -E "suite|artifacts|record|judge|home"; ls /opt/fettle; touch /opt/fettle/bin/node || echo read-only',
    ];
    const {request, artifact} = await boxedLab(podman, {agent: bareAgent(cheat.join('\n')), files: {'solution/solve.sh': '# hidden-6f1c'}});
    const {outcome, failure, rewards, note} = await runRollout(request, signal);
    expect({outcome, failure, rewards, note}).toEqual({outcome: 'failed', failure: 'wrong-answer', rewards: {reward: 0}});
    const seen = outputOf(await artifact('events.jsonl'));
    expect(seen).toContain('read-only');
    expect(seen.split('\n').filter((line) => /hidden-6f1c|suite|artifacts|judge/.test(line))).toEqual([]);
  });

  it('of several steps goes on in the same files, and shows no tests of an earlier step', async () => {
    const test = (text: string): string =>
      `if ${text}; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi\n`;
    const {request, artifact} = await boxedLab(podman, {
      agent: bareAgent('echo step >> steps.txt; ls /tests; cat given.txt'),
      files: {
        'task.toml':
          '[agent]\ntimeout_sec = 60.0\n[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n[steps.verifier.env]\nLINES_WANTED = "2"\n',
        'tests/helpers.sh': '# hidden-6f1c',
        'steps/one/instruction.md': 'One.',
        'steps/one/tests/test.sh': test('[ "$(wc -l < steps.txt)" = 1 ]'),
        'steps/two/instruction.md': 'Two.',
        'steps/two/workdir/given.txt': 'given\n',
        'steps/two/workdir/setup.sh': 'echo set up >> given.txt\n',
        'steps/two/tests/test.sh': test('[ "$(wc -l < steps.txt)" = "$LINES_WANTED" ] && [ "$(wc -l < given.txt)" = 2 ]'),
      },
    });
    const {outcome, steps} = await runRollout(request, signal);
    expect({outcome, steps}).toEqual({
      outcome: 'passed',
      steps: [
        {name: 'one', reward: 1},
        {name: 'two', reward: 1},
      ],
    });
    expect(outputOf(await artifact('two/events.jsonl'))).toContain('given\nset up');
    expect(outputOf(await artifact('two/events.jsonl'))).not.toContain('helpers.sh');
  });

  it.each([
    ['at its verification', 'verify.txt'],
    ['before its work was stored', 'events.jsonl'],
  ])('that was cut off %s is verified again, and not paid again', async (_, artefact) => {
    const {request} = await boxedLab(podman, {agent: bareAgent('echo once >> /once; cat /opt/tool/word > answer.txt')});
    const interrupted = cancelledAt(request, artefact);
    await expect(runRollout(interrupted.request, interrupted.signal)).rejects.toMatchObject({code: 'CANCELLED'});
    expect(podman.call('ps', '--all', '--quiet')).toBe('');
    const unable = {...request.containers, agent: {...request.containers?.agent, program: '/nonexistent'}} as typeof request.containers;
    expect(await runRollout({...request, containers: unable}, signal)).toMatchObject({outcome: 'passed', costUsd: 0.25});
  });

  it('reaches its model through a relay: neither the agent nor its commands have the key', async () => {
    const server = await startModelServer([
      {
        toolCalls: [
          {
            name: 'bash',
            arguments: {command: "cat /opt/tool/word > answer.txt; tail -n +1 /proc/*/environ | tr '\\0' '\\n' | grep -a API_KEY"},
          },
        ],
      },
      {text: 'Done.'},
    ]);
    onTestFinished(() => server.close());
    const {request, artifact} = await boxedLab(podman, {
      agent: [],
      model: 'openai-chat/gpt-test',
      files: {'task.toml': '[agent]\ntimeout_sec = 60.0\n[environment]\nallow_internet = false\n'},
    });
    const baseUrl = `${server.url}/v1`;
    const agent = {
      ...request.agent,
      secrets: {OPENAI_API_KEY: 'sk-real-key-0123456789', OPENAI_BASE_URL: baseUrl},
      upstreams: [
        {baseUrl, header: 'authorization', key: 'sk-real-key-0123456789', keyVariable: 'OPENAI_API_KEY', headers: {'x-team': 'a'}},
      ],
    } as const;
    expect(await runRollout({...request, agent}, signal)).toMatchObject({outcome: 'passed', usage: {turns: 2}});
    expect(server.requests.map(({headers}) => [headers['authorization'], headers['x-team']])).toEqual([
      ['Bearer sk-real-key-0123456789', 'a'],
      ['Bearer sk-real-key-0123456789', 'a'],
    ]);
    expect(outputOf(await artifact('events.jsonl'))).toMatch(/OPENAI_API_KEY=/);
    expect(await artifact('events.jsonl')).not.toContain('sk-real-key');
  });

  it('is not verified by a shell, or by files of test runners, that the agent has put there', async () => {
    const fake =
      '#!/opt/fettle/bin/node\nconsole.error(process.argv.find((arg) => arg.startsWith("began ")));require("fs").writeFileSync("/logs/verifier/reward.txt", "1")\n';
    const {request, artifact} = await boxedLab(podman, {
      agent: bareAgent(
        `mkdir -p /usr/local/bin; printf '%s' '${fake}' > /tmp/f; chmod +x /tmp/f; cp /tmp/f /usr/local/bin/bash; mv /tmp/f /bin/bash; echo /none.so > /etc/ld.so.preload; touch conftest.py`,
      ),
      files: {'tests/test.sh': 'ls /usr/local/bin /etc/ld.so.preload conftest.py; echo 0 > /logs/verifier/reward.txt\n'},
    });
    expect(await runRollout(request, signal)).toMatchObject({
      outcome: 'failed',
      rewards: {reward: 0},
      note: expect.stringContaining('/bin/bash'),
    });
    const said = await artifact('verify.txt');
    for (const path of ['/bin/bash', '/usr/local/bin/bash', '/etc/ld.so.preload', 'conftest.py'])
      expect(said).toContain(`[put back as it was before the agent: ${path}]`);
    expect(said).toContain("cannot access '/etc/ld.so.preload'");
    expect(said).toContain("cannot access 'conftest.py'");
  });

  it.each([
    ['removed every program', 'rm -rf /bin /lib /lib64 /usr'],
    ['removed the shell', 'rm /bin/bash'],
    ['removed the working folder', 'cd /; rm -rf /app'],
  ])('whose agent has %s has failed; the infrastructure has not', async (_, line) => {
    const {request} = await boxedLab(podman, {agent: bareAgent(`trap '' EXIT; ${line};`)});
    const {outcome, rewards} = await runRollout(request, signal);
    expect({outcome, rewards}).toEqual({outcome: 'failed', rewards: {reward: 0}});
  });

  it.each([
    [
      'a build that fails',
      `${DOCKERFILE}RUN echo no such thing >&2; exit 3\n`,
      /^The image of t cannot be built: `podman build` failed: .*exit status 3/,
    ],
    ['no bash', `${DOCKERFILE}RUN rm /bin/bash\n`, /^The image of t cannot be used: it has no bash$/],
    [
      'no libraries of Node',
      `${DOCKERFILE}RUN find / -name 'libstdc*' -type f | head -n 3 | tr '\\n' ' ' > /l; rm $(cat /l)\n`,
      /^The image of t cannot be used: Node does not run in it, which needs glibc and libstdc\+\+: .*libstdc/,
    ],
  ])('with %s is a failure of the infrastructure', async (_, dockerfile, note) => {
    const {request} = await boxedLab(podman, {agent: ['true'], files: {'environment/Dockerfile': dockerfile}});
    expect(await runRollout(request, signal)).toMatchObject({outcome: 'infrastructure', note: expect.stringMatching(note)});
  });
});
