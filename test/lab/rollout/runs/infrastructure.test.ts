import {execFileSync} from 'node:child_process';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {runRollout} from '../../../../src/lab/rollout/run-rollout.ts';
import type {RolloutResult} from '../../../../src/lab/rollout/rollout.ts';
import {scratch} from '../../../support/scratch.ts';
import {bareAgent, lab, outputOf, step, type Lab} from './support.ts';

const signal = new AbortController().signal;

describe('a failure of the infrastructure', () => {
  it('is a set-up that fails, with its line and what it said', async () => {
    const made = await lab({agent: ['echo 42 > answer.txt'], steps: [{...step({}), setUp: ['true', 'echo no disk >&2; exit 3']}]});
    expect(await verdictOf(made)).toEqual({
      outcome: 'infrastructure',
      failure: undefined,
      note: 'The set-up `echo no disk >&2; exit 3` failed with exit code 3: no disk',
    });
  });

  it('is a provider that fails after all retries', async () => {
    const made = await lab({agent: []});
    const settings = {
      provider_limits: {retries: 0},
      custom_providers: [{name: 'test', format: 'openai-chat', base_url: 'http://127.0.0.1:9/v1'}],
    };
    const request = {...made.request, key: {...made.request.key, model: 'test/model'}, agent: {...made.request.agent, settings}};
    const {outcome, note, exitCode} = await runRollout(request, signal);
    expect({outcome, exitCode, note}).toEqual({
      outcome: 'infrastructure',
      exitCode: 7,
      note: expect.stringMatching(/^The agent ended with exit code 7: /),
    });
  });

  it('is an agent that the machine kills', async () => {
    expect(await verdictOf(await lab({agent: bareAgent('kill -9 $$')}))).toEqual({
      outcome: 'infrastructure',
      failure: undefined,
      note: 'The agent ended with exit code 137',
    });
  });

  it('is an agent that cannot be started', async () => {
    const made = await lab({agent: {...bareAgent(''), program: '/nonexistent/agent'}});
    expect(await verdictOf(made)).toEqual({
      outcome: 'infrastructure',
      failure: undefined,
      note: 'The agent ended with exit code 1: bwrap: execvp /nonexistent/agent: No such file or directory',
    });
  });

  it('is a setting that the agent does not take', async () => {
    const made = await lab({agent: []});
    const request = {...made.request, agent: {...made.request.agent, settings: {limits: {max_turns: -1}}}};
    const {outcome, exitCode, note} = await runRollout(request, signal);
    expect({outcome, exitCode, note}).toEqual({outcome: 'infrastructure', exitCode: 2, note: expect.stringContaining('max_turns')});
  });

  it('is a place that cannot be made without isolation', async () => {
    const made = await lab({agent: [], place: {kind: 'root', workdir: '/app'}});
    const {outcome, note} = await runRollout({...made.request, isolation: undefined}, signal);
    expect({outcome, note}).toEqual({
      outcome: 'infrastructure',
      note: 'The task t expects its files in /app, which takes isolation by bubblewrap.',
    });
  });

  it('is a verification that cannot be started', async () => {
    const made = await lab({agent: ['echo 42 > answer.txt'], place: {kind: 'root', workdir: '/app'}, verify: {testsAt: '/proc/tests'}});
    expect(await verdictOf(made)).toEqual({
      outcome: 'infrastructure',
      failure: undefined,
      note: expect.stringMatching(/^The verification could not be started: bwrap: /),
    });
  });

  it('is a folder of tests that is not there', async () => {
    const made = await lab({agent: ['true'], verify: {tests: ['/nonexistent/tests']}});
    expect(await verdictOf(made)).toMatchObject({outcome: 'infrastructure', note: expect.stringContaining('/nonexistent/tests')});
  });
});

describe('a failure of the agent', () => {
  it.each([
    ['turn-limit', ['true', 'echo 41 > answer.txt'], {agentTimeS: 60, maxTurns: 1}],
    ['time-limit', ['sleep 30'], {agentTimeS: 1}],
  ] as const)('is a %s', async (failure, agent, limits) => {
    expect(await verdictOf(await lab({agent, task: {limits}}))).toMatchObject({outcome: 'failed', failure});
  });

  it('is no failure if the answer is right all the same', async () => {
    const made = await lab({agent: ['echo 42 > answer.txt', 'true'], task: {limits: {agentTimeS: 60, maxTurns: 1}}});
    expect(await verdictOf(made)).toEqual({outcome: 'passed', failure: undefined, note: undefined});
  });

  it('is a verification that does not end in its time', async () => {
    const made = await lab({agent: ['echo 42 > answer.txt'], verify: {command: 'sleep 30', timeoutS: 0.3}});
    expect(await verdictOf(made)).toEqual({
      outcome: 'failed',
      failure: 'verify-time-limit',
      note: 'The verification did not end in 0.3 s.',
    });
  });
});

describe('a cancelled rollout', () => {
  it.each(['agent', 'set-up', 'verification'])(
    'throws CANCELLED during the %s, and leaves no process and no scratch folder',
    async (when) => {
      const stop = new AbortController();
      const wait = 'sleep 61.5';
      const made = await lab({
        agent: [when === 'agent' ? wait : 'true'],
        steps: [{...step({command: wait}), setUp: when === 'set-up' ? [wait] : []}],
      });
      const running = runRollout(made.request, stop.signal);
      const look = setInterval(() => {
        if (execFileSync('ps', ['-eo', 'args'], {encoding: 'utf8'}).split('\n').includes(wait)) stop.abort();
      }, 20);
      await expect(running.finally(() => clearInterval(look))).rejects.toMatchObject({code: 'CANCELLED'});
      expect(execFileSync('ps', ['-eo', 'args'], {encoding: 'utf8'}).split('\n')).not.toContain(wait);
      expect(await readdir(join(made.folder, 'scratch'))).toEqual([]);
    },
  );
});

describe('a starting tree from git', () => {
  it('is one commit without the history before and after it, and a repository that the agent may use', async () => {
    const repository = await scratch({'a.txt': 'one\n'});
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], {cwd: repository, encoding: 'utf8'});
    git('init', '-q', '-b', 'main');
    const commit = (text: string): string => {
      execFileSync('sh', ['-c', `echo '${text}' > a.txt`], {cwd: repository});
      git('add', '.');
      git('commit', '-qm', text);
      return git('rev-parse', 'HEAD').trim();
    };
    commit('before-the-start');
    const start = commit('at-the-start');
    commit('the-solution');
    const made = await lab({
      agent: [
        `ls -A ${repository}`,
        'git log --all --format=%s; git status --short; cat a.txt; git rev-list --all --objects | wc -l; echo 42 > answer.txt; git add .; git commit -qm mine && git log --format=%an',
      ],
      task: {start: {kind: 'git', repository, commit: start}},
    });
    expect(await verdictOf(made)).toEqual({outcome: 'passed', failure: undefined, note: undefined});
    const output = outputOf(await made.artifact('events.jsonl'));
    // The repository itself, with the later commits, is not to be seen.
    expect(output).not.toMatch(/^(?:a\.txt|\.git)$/m);
    expect(output).toContain('at-the-start\nat-the-start\n3\nAgent\nn');
    expect(await made.artifact('diff.patch')).toMatch(/^diff --git a\/answer\.txt b\/answer\.txt\n/);
  });
});

async function verdictOf({request}: Lab): Promise<Pick<RolloutResult, 'outcome' | 'failure' | 'note'>> {
  const {outcome, failure, note} = await runRollout(request, signal);
  return {outcome, failure, note};
}
