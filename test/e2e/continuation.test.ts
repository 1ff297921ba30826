import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ModelScript} from '../../src/testing/index.ts';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, fettle, modelServer, place, type Finished, type Place} from './support.ts';

type Row = Record<string, unknown>;

interface Given {
  readonly script: ModelScript;
  readonly args?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: string;
}

async function run({script, args = [], files = {}, config = ''}: Given) {
  const server = await modelServer(script);
  const at = await place(files, `${server.config}${config}`);
  const finished = await sharedFettle(at, ['exec', '--json', ...args, 'do it']);
  expect(server.violations).toEqual([]);
  const sent = server.requests.map(({body}) => body['messages'] as {role: string; content: string}[]);
  return {...summary(finished), finished, at, told: sent.map((messages) => messages.findLast(({role}) => role === 'user')?.content ?? '')};
}

/** How it ended, and what was verified. */
function summary(finished: Finished) {
  const events = eventsOf(finished);
  const {outcome_code: outcome, verified} = events.at(-1) ?? {};
  return {code: finished.code, outcome, verified, harness: harnessOf(events)};
}

function harnessOf(events: readonly Row[]): unknown[] {
  return itemsOf(events, 'harness').map(({event, command, exit_code: code}) => [event, command, code].filter((part) => part !== undefined));
}

function itemsOf(events: readonly Row[], type: string): Row[] {
  return events
    .filter((event) => event['type'] === 'item.completed')
    .map((event) => event['item'] as Row)
    .filter((item) => item['type'] === type);
}

const todo = (...todos: Row[]) => ({toolCalls: [{name: 'todo', arguments: {todos} as never}]});
const write = (path: string, content: string) => ({toolCalls: [{name: 'write', arguments: {path, content}}]});

function blockedFile(at: Place, finished: Finished): string {
  return join(at.work, '.fettle/tasks', String(eventsOf(finished)[0]?.['thread_id']), 'blocked.md');
}

describe('VT Code architecture › Continuation: "accepts completion only when tracker state is complete and verification commands pass"', () => {
  it('a question without a task list and without commands is answered as ever; nothing is written', async () => {
    const {code, outcome, verified, harness, at} = await run({script: [{text: 'Yes.'}]});
    expect({code, outcome, verified, harness}).toEqual({code: 0, outcome: 'success', verified: 'none', harness: []});
    expect(existsSync(join(at.work, '.fettle'))).toBe(false);
  });

  it('a command that takes 5 s and fails is never reported as passed (VT Code took all that ran for more than 1 s for passed)', async () => {
    const slow = 'sleep 5; echo broken; exit 7';
    const {code, outcome, verified, harness} = await run({
      script: [{text: 'Done!'}],
      args: ['--verify', slow],
      config: '[harness]\ncontinuation = "off"\n',
    });
    expect({code, outcome, verified, harness}).toEqual({
      code: 1,
      outcome: 'failed',
      verified: false,
      harness: [
        ['verification_started', slow],
        ['verification_failed', slow, 7],
      ],
    });
  });

  it('unchanged files and the same failure twice: blocked', async () => {
    const fails = 'echo broken; exit 7';
    const {code, outcome, verified, harness, told} = await run({
      script: [{text: 'Done!'}, {text: 'Done, really!'}],
      args: ['--verify', fails],
    });
    expect({code, outcome, verified, harness}).toEqual({
      code: 6,
      outcome: 'blocked',
      verified: false,
      harness: [
        ['verification_started', fails],
        ['verification_failed', fails, 7],
        ['continuation_started'],
        ['verification_started', fails],
        ['verification_failed', fails, 7],
        ['blocked_handoff_written'],
      ],
    });
    expect(told[1]).toMatch(
      /^Not verified: `echo broken; exit 7` exited with 7 after [\d.]+ s\.\n<output>\nbroken\n\[exit code 7\]\n<\/output>\n/,
    );
  });

  it('what fails is sent back until it passes; then exit code 0 says verified', async () => {
    const {code, outcome, verified, harness} = await run({
      script: [{text: 'Done!'}, write('fixed.txt', 'ok\n'), {text: 'Now it is.'}],
      args: ['--verify', 'test -f fixed.txt', '--verify', 'echo second', '--mode', 'accept-edits'],
    });
    expect({code, outcome, verified, harness}).toEqual({
      code: 0,
      outcome: 'success',
      verified: true,
      harness: [
        ['verification_started', 'test -f fixed.txt'],
        ['verification_failed', 'test -f fixed.txt', 1],
        ['continuation_started'],
        ['verification_started', 'test -f fixed.txt'],
        ['verification_passed', 'test -f fixed.txt', 0],
        ['verification_started', 'echo second'],
        ['verification_passed', 'echo second', 0],
      ],
    });
  });

  it('a command that is not over in time is not verified', async () => {
    const {code, verified, harness, told} = await run({
      script: [{text: 'Done.'}, {text: 'Done.'}],
      args: ['--verify', 'sleep 60'],
      config: '[harness]\nverify_timeout_s = 0.3\n',
    });
    expect({code, verified, failed: harness[1]}).toEqual({code: 6, verified: false, failed: ['verification_failed', 'sleep 60', null]});
    expect(told[1]).toMatch(/^Not verified: `sleep 60` did not end in time \([\d.]+ s\)\.\n/);
  });

  it.each([
    ['the end of a pipe does not hide its beginning', 'false | cat', 1],
    ['a line that is over before what it started', 'sleep 60 &', null],
    ['a program that does not exist', 'no-such-program-here', 127],
    ['killed by a signal', 'kill -9 $$', null],
  ])('not verified: %s', async (_, command, exitCode) => {
    const {code, verified, harness} = await run({script: [{text: 'Done.'}, {text: 'Done.'}], args: ['--verify', command]});
    expect({code, verified, failed: harness[1]}).toEqual({
      code: 6,
      verified: false,
      failed: ['verification_failed', command, exitCode],
    });
  });

  it('continuation = "off": commands of the person run once, and a failure is exit code 1', async () => {
    const given = {args: ['--verify', 'exit 3'], config: '[harness]\ncontinuation = "off"\n'};
    const {code, outcome, verified} = await run({script: [{text: 'Done.'}], ...given});
    expect({code, outcome, verified}).toEqual({code: 1, outcome: 'failed', verified: false});
  });

  it('premature done: open items are named until they are done', async () => {
    const {code, verified, told} = await run({
      script: [
        todo({content: 'write it', status: 'in_progress'}, {content: 'test it'}),
        {text: 'All done!'},
        todo({content: 'write it', status: 'completed'}, {content: 'test it', status: 'completed'}),
        {text: 'Now.'},
      ],
    });
    expect({code, verified, told: told[2]}).toEqual({
      code: 0,
      verified: 'none',
      told: `Not finished: the task list has open items.
- [/] write it
- [ ] test it

Do them and update the list, then answer again. What you cannot do: mark it blocked and say why.`,
    });
  });

  it('a model that says done again and again with nothing changed is blocked: exit code 6, a handoff with the way to go on', async () => {
    const {code, outcome, at, finished} = await run({
      script: [todo({content: 'write it'}), {text: 'Done.'}, {text: 'Done!'}],
      args: ['--verify', "echo it's fine"],
    });
    expect({code, outcome}).toEqual({code: 6, outcome: 'blocked'});
    const id = String(eventsOf(finished)[0]?.['thread_id']);
    const lines = (await readFile(blockedFile(at, finished), 'utf8')).split('\n');
    expect(lines.map((line) => line.replace(/"\d{4}-[^"]+Z"/, '"TIME"')).slice(0, 23)).toEqual([
      '---',
      `session_id: "${id}"`,
      'outcome: "blocked"',
      'created_at: "TIME"',
      `workspace: "${at.work}"`,
      `resume_command: "fettle exec --resume ${id} --verify 'echo it'\\\\''s fine' 'Go on.'"`,
      '---',
      '',
      '# What blocks',
      '',
      'The task list has 1 open item. Nothing has changed since it was said.',
      '',
      '# Tasks',
      '',
      '- [ ] write it',
      '',
      '# Verification',
      '',
      '- nothing was verified',
      '',
      '# Paths',
      '',
      expect.stringMatching(/^- \/.*\.jsonl$/),
    ]);
    expect(await readFile(join(at.work, '.fettle/tasks/.gitignore'), 'utf8')).toBe('*\n');
    expect(finished.stderr).toContain(`hint: Go on with: fettle exec --resume ${id} --verify 'echo it'\\''s fine' 'Go on.'`);
  });

  it('a resumed session has its list, and can be finished', async () => {
    const server = await modelServer([
      todo({content: 'write it', verify: ['test -f a.txt']}),
      {text: 'Done.'},
      {text: 'Done!'},
      write('a.txt', 'x'),
      todo({content: 'write it', status: 'completed'}),
      {text: 'Finished.'},
    ]);
    const at = await place({}, server.config);
    const first = await sharedFettle(at, ['exec', '--json', 'do it']);
    const id = String(eventsOf(first)[0]?.['thread_id']);
    const second = await fettle(at, ['exec', '--json', '--mode', 'accept-edits', '--resume', id, 'Go on.']);
    expect([first.code, summary(second)]).toEqual([
      6,
      {
        code: 0,
        outcome: 'success',
        verified: true,
        harness: [
          ['verification_started', 'test -f a.txt'],
          ['verification_passed', 'test -f a.txt', 0],
        ],
      },
    ]);
  });

  it('all that is open is blocked: the model says so, and is not asked again', async () => {
    const {code, finished} = await run({script: [todo({content: 'deploy', status: 'blocked'}), {text: 'I have no key.'}]});
    expect({code, last: eventsOf(finished).at(-1)?.['stop_reason']}).toEqual({code: 6, last: 'The model is blocked:\n- [!] deploy'});
  });

  it('commands that a model names are asked for like any command (VT Code ran them past its rules): exit code 3, and the rule', async () => {
    const done = {content: 'it', status: 'completed', verify: ['npm run evil']};
    const {code, outcome, verified, finished, at} = await run({script: [todo(done), {text: 'Done.'}]});
    expect({code, outcome, verified}).toEqual({code: 3, outcome: 'denied', verified: false});
    expect(finished.stderr).toContain('A rule that would allow it: bash:npm run evil');
    expect(await readFile(blockedFile(at, finished), 'utf8')).toContain('- `npm run evil` was not allowed to run\n');
    const allowed = await run({script: [todo({...done, verify: ['touch ran.txt']}), {text: 'Done.'}], args: ['--allow', 'bash:touch *']});
    expect([allowed.code, allowed.verified, existsSync(join(allowed.at.work, 'ran.txt'))]).toEqual([0, true, true]);
  });

  it('a rule that denies holds for commands of the person, too', async () => {
    const {code, verified, at} = await run({
      script: [{text: 'Done.'}],
      args: ['--verify', 'touch ran.txt', '--deny', 'bash:touch *'],
    });
    expect([code, verified, existsSync(join(at.work, 'ran.txt'))]).toEqual([3, false, false]);
  });

  it('the limits of the run hold: nothing is verified then', async () => {
    const {code, outcome, verified} = await run({
      script: [todo({content: 'x'}), {text: 'Done.'}],
      args: ['--max-turns', '2', '--verify', 'true'],
    });
    expect({code, outcome, verified}).toEqual({code: 4, outcome: 'turn_limit_reached', verified: false});
    const late = await run({script: [{text: 'Done.'}], args: ['--max-time', '0.6', '--verify', 'sleep 60']});
    expect([late.code, late.outcome, late.verified]).toEqual([4, 'time_limit_reached', false]);
  });

  it('a run that a limit or a loop has cut off leaves a handoff where something was to be completed', async () => {
    const limit = await run({script: [todo({content: 'x'})], args: ['--max-turns', '1']});
    expect([limit.code, limit.harness]).toEqual([4, [['blocked_handoff_written']]]);
    expect(await readFile(blockedFile(limit.at, limit.finished), 'utf8')).toContain('outcome: "turn_limit_reached"');
    const same = Array.from({length: 6}, () => ({toolCalls: [{name: 'ls', arguments: {}}]}));
    const loop = await run({script: [todo({content: 'x'}), ...same]});
    expect([loop.code, loop.harness]).toEqual([5, [['blocked_handoff_written']]]);
  });

  it('contradictory calls: what is ticked off in the reply that breaks it is not done', async () => {
    const {code, verified, harness} = await run({
      script: [
        {
          toolCalls: [
            {name: 'todo', arguments: {todos: [{content: 'a', status: 'completed', verify: ['test ! -e bad.txt']}]}},
            {name: 'write', arguments: {path: 'bad.txt', content: 'x'}},
            {name: 'todo', arguments: {todos: [{content: 'a', status: 'pending'}]}},
            {name: 'todo', arguments: {todos: [{content: 'a', status: 'completed'}]}},
          ],
        },
        {text: 'Done.'},
        {text: 'Done.'},
      ],
      args: ['--mode', 'accept-edits', '--allow', 'bash:test *'],
    });
    expect({code, verified, failed: harness[1]}).toEqual({
      code: 6,
      verified: false,
      failed: ['verification_failed', 'test ! -e bad.txt', 1],
    });
  });

  it('a toolset without a task list is held to its commands alone', async () => {
    const {code, verified} = await run({script: [{text: 'Done.'}], args: ['--toolset', 'microcode', '--verify', 'true']});
    expect({code, verified}).toEqual({code: 0, verified: true});
  });

  it('full-auto: commands run in the sandbox that commands have there', async () => {
    const {code, verified, at} = await run({
      script: [{text: 'Done.'}],
      args: ['--mode', 'full-auto', '--verify', 'touch "$HOME/outside.txt"; touch inside.txt'],
    });
    expect([code, verified, existsSync(join(at.work, 'inside.txt')), existsSync(join(at.home, 'outside.txt'))]).toEqual([
      0,
      true,
      true,
      false,
    ]);
  });

  it('silence is not a success', async () => {
    const {code, outcome, verified} = await run({script: [{text: ''}, {text: ''}, {text: ''}], args: ['--verify', 'true']});
    expect({code, outcome, verified}).toEqual({code: 1, outcome: 'failed', verified: false});
  });

  it('what fails with ever new changes is tried eight times, then the run has failed', async () => {
    const tries = Array.from({length: 9}, (_, index) => [write('try.txt', `${index}\n`), {text: 'Done.'}]).flat();
    const {code, outcome, verified} = await run({script: tries, args: ['--verify', 'false', '--mode', 'accept-edits']});
    expect({code, outcome, verified}).toEqual({code: 1, outcome: 'failed', verified: false});
  });

  it('a link in the project does not lead the handoff elsewhere', async () => {
    const {symlink, mkdir} = await import('node:fs/promises');
    const server = await modelServer([todo({content: 'x'}), {text: 'Done.'}, {text: 'Done.'}]);
    const at = await place({'src/a.txt': 'x'}, server.config);
    await mkdir(join(at.work, '.fettle'));
    await symlink(join(at.work, 'src'), join(at.work, '.fettle/tasks'));
    const finished = await sharedFettle(at, ['exec', '--json', 'do it']);
    const {code, harness} = summary(finished);
    expect({code, last: harness.at(-1), led: existsSync(join(at.work, 'src/.gitignore'))}).toEqual({
      code: 6,
      last: ['handoff_failed'],
      led: false,
    });
  });
});
