import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {runRollout} from '../../../../src/lab/rollout/run-rollout.ts';
import type {TaskStep} from '../../../../src/lab/suite/task.ts';
import {scratch} from '../../../support/scratch.ts';
import {bareAgent, lab, outputOf, step, type Lab} from './support.ts';

const signal = new AbortController().signal;

describe('several steps', () => {
  it('go on in the same folder with their own files, replies and rewards, and the tests of a step are gone for the next', async () => {
    const tests = await scratch({'check.sh': 'test "$(wc -l < answer.txt)" = $LINES\n'});
    const files = await scratch({'config.txt': 'second\n'});
    const made = await lab({
      agent: ['echo 1 >> answer.txt', 'ls; cat config.txt; echo 2 >> answer.txt'],
      start: {},
      steps: [
        named('first', {tests: [tests], env: {LINES: '1'}}),
        {
          ...named('second', {tests: [tests], env: {LINES: '2'}}),
          files,
          setUp: ['test ! -e check.sh'],
          prompt: '/app is the folder.\r\nGo on.',
        },
      ],
    });
    // One script for both steps: each uses what the one before has left.
    await useReplies(made, [['echo 1 >> answer.txt'], ['ls; cat config.txt; echo 2 >> answer.txt']]);
    const {outcome, steps, rewards, usage, artifacts} = await runRollout(made.request, signal);
    expect({outcome, steps, rewards, usage, artifacts: Object.keys(artifacts)}).toEqual({
      outcome: 'passed',
      steps: [
        {name: 'first', reward: 1},
        {name: 'second', reward: 1},
      ],
      rewards: {'first/reward': 1, 'second/reward': 1},
      usage: {turns: 4, inputTokens: 400, cachedTokens: 0, outputTokens: 40},
      artifacts: ['first', 'second'].flatMap((name) =>
        ['events.jsonl', 'last-message.txt', 'diff.patch', 'session.jsonl', 'verify.txt'].map((artifact) => `${name}/${artifact}`),
      ),
    });
    const events = await made.artifact('second/events.jsonl');
    expect(events).toContain(String.raw`"text":"The task:\n/app is the folder.\nGo on."`);
    expect(outputOf(events)).toBe('AGENTS.md\nCLAUDE.md\nGEMINI.md\nREADME.md\nanswer.txt\nbunfig.toml\nconfig.txt\nsecond');
    expect(await made.artifact('second/diff.patch')).toMatchInlineSnapshot(`
      "diff --git a/answer.txt b/answer.txt
      index d00491f..1191247 100644
      --- a/answer.txt
      +++ b/answer.txt
      @@ -1 +1,2 @@
       1
      +2
      "
    `);
  });

  it('end at one whose reward is below its least, and the others count 0', async () => {
    const low = named('low', {command: 'echo \'{"speed": 0.5, "size": 0.25}\' > rewards.json; exit 1', rewardFiles: ['rewards.json']});
    const made = await lab({
      agent: bareAgent('true'),
      steps: [named('good', {command: 'true'}), {...low, minReward: 0.5}, named('never', {})],
    });
    const {outcome, failure, reward, rewards, steps} = await runRollout(made.request, signal);
    expect({outcome, failure, reward, rewards, steps}).toEqual({
      outcome: 'failed',
      failure: 'wrong-answer',
      reward: (1 + 0.375) / 3,
      rewards: {'good/reward': 1, 'low/speed': 0.5, 'low/size': 0.25},
      steps: [
        {name: 'good', reward: 1},
        {name: 'low', reward: 0.375},
        {name: 'never', reward: 0},
      ],
    });
  });
});

describe('the place of a task', () => {
  it('has its variables, copies, skills and working folder, and no network and no settings of the person', async () => {
    const files = await scratch({
      'data/a.txt': 'copied\n',
      'skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets.\n---\nSay hello.\n',
    });
    const made = await lab({
      agent: ['pwd; echo $COLOUR; cat /app/data/a.txt /logs/b.txt; ls /app; echo 42 > answer.txt'],
      place: {
        kind: 'root',
        workdir: '/app/sub',
        env: {COLOUR: 'green'},
        copies: [
          {from: join(files, 'data'), to: '/app/data'},
          {from: join(files, 'data/a.txt'), to: '/logs/b.txt'},
        ],
        skills: join(files, 'skills'),
      },
      verify: {command: 'echo "$COLOUR $HOME $PWD"; cat < /dev/tcp/127.0.0.1/1; env | grep -c SECRET_KEY; bash check.sh'},
    });
    const request = {...made.request, agent: {...made.request.agent, secrets: {SECRET_KEY: 'k'}}};
    expect(await runRollout(request, signal)).toMatchObject({outcome: 'passed'});
    expect(await made.artifact('session.jsonl')).toContain('greet');
    expect(outputOf(await made.artifact('events.jsonl'))).toBe('/app/sub\ngreen\ncopied\ncopied\ndata\nsub');
    expect((await made.artifact('verify.txt')).replaceAll(made.folder, 'LAB').replaceAll(/[0-9a-f]{24}/g, 'KEY')).toMatchInlineSnapshot(`
      "green LAB/scratch/KEY/judge/home /app/sub
      0
      bash: connect: Connection refused
      bash: line 1: /dev/tcp/127.0.0.1/1: Connection refused
      [exit code 0]
      "
    `);
  });

  it.each(['/etc/x', '/app/../etc/x'])('takes no copy to %s', async (to) => {
    const made = await lab({agent: [], place: {kind: 'root', workdir: '/app', copies: [{from: '/etc/hostname', to}]}});
    const {outcome, note} = await runRollout(made.request, signal);
    expect({outcome, note}).toEqual({outcome: 'infrastructure', note: `The task copies to ${to}, which is outside of its place.`});
  });

  it.each([
    ['/srv', 'root'],
    ['../out', 'folder'],
    ['/srv', 'folder'],
  ] as const)('has no working folder %s (%s)', async (workdir, kind) => {
    const made = await lab({agent: [], place: {kind, workdir}});
    const {outcome, note} = await runRollout(made.request, signal);
    expect({outcome, note}).toEqual({
      outcome: 'infrastructure',
      note: `The working folder ${workdir} of the task is outside of its place.`,
    });
  });
});

describe('a verification that is to write rewards', () => {
  it('and writes none has not passed, whatever its exit code', async () => {
    const made = await lab({agent: bareAgent('echo 42 > answer.txt'), verify: {command: 'true', rewardFiles: ['reward.txt']}});
    const {outcome, note} = await runRollout(made.request, signal);
    expect({outcome, note}).toEqual({outcome: 'failed', note: 'The verification wrote no reward.'});
  });
});

describe('control characters of a prompt', () => {
  it('are visible to the agent, which would refuse them', async () => {
    const steps = [{...step({tests: []}), prompt: 'Why does it print \u001b[31mred\u007f?'}];
    const made = await lab({agent: [], steps});
    await runRollout(made.request, signal);
    expect(await made.artifact('events.jsonl')).toContain('"text":"Why does it print ␛[31mred␡?"');
  });
});

describe('files that test runners load', () => {
  const agent = ['echo 42 > answer.txt; echo changed > pytest.ini; mkdir sub; echo mine > sub/conftest.py; rm tox.ini'];
  const start = {'pytest.ini': 'kept\n', 'tox.ini': 'kept\n'};
  const command = 'cat pytest.ini tox.ini; ls sub; bash check.sh';

  it('are put back before the verification, which says so', async () => {
    const made = await lab({agent, start, verify: {command}});
    expect(await runRollout(made.request, signal)).toMatchObject({outcome: 'passed'});
    expect(await made.artifact('verify.txt')).toMatchInlineSnapshot(`
      "[put back as it was before the agent: pytest.ini]
      [put back as it was before the agent: sub/conftest.py]
      [put back as it was before the agent: tox.ini]
      kept
      kept
      [exit code 0]
      "
    `);
    expect((await made.artifact('diff.patch')).match(/^(?:new|deleted) file.*|^[-+]{3} .*/gm)).toMatchInlineSnapshot(`
      [
        "new file mode 100644",
        "--- /dev/null",
        "+++ b/answer.txt",
        "--- a/pytest.ini",
        "+++ b/pytest.ini",
        "new file mode 100644",
        "--- /dev/null",
        "+++ b/sub/conftest.py",
        "deleted file mode 100644",
        "--- a/tox.ini",
        "+++ /dev/null",
      ]
    `);
  });

  it("stay where the task says that they are the agent's work", async () => {
    const made = await lab({agent, start, verify: {command, runnerFiles: 'agent'}});
    expect(await runRollout(made.request, signal)).toMatchObject({outcome: 'passed'});
    expect(await made.artifact('verify.txt')).toMatchInlineSnapshot(`
      "changed
      conftest.py
      cat: tox.ini: No such file or directory
      [exit code 0]
      "
    `);
  });

  it('are named in the note of a wrong answer', async () => {
    const made = await lab({agent: ['echo mine > conftest.py']});
    expect(await runRollout(made.request, signal)).toMatchObject({
      failure: 'wrong-answer',
      note: 'The agent had changed what test runners load: conftest.py',
    });
  });
});

function named(name: string, verify: Partial<TaskStep['verify']>): TaskStep {
  return {...step(verify), name};
}

/** Writes a script in which each step has its calls and an answer. */
async function useReplies({request}: Lab, steps: readonly (readonly string[])[]): Promise<void> {
  const usage = {input_tokens: 100, output_tokens: 10};
  const replies = steps.flatMap((lines) => [
    ...lines.map((command) => ({toolCalls: [{name: 'bash', arguments: {command}}], usage})),
    {text: 'Done.', usage},
  ]);
  await writeFile(request.task.script ?? '', JSON.stringify({replies}));
}
