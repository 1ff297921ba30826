import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {AgentSession, TurnEnding} from '../../../../src/hosts/tui/host-adapter.ts';
import {hunksOf} from '../../../../src/text/diff/hunks.ts';
import {call, fakeScreen, lastSent, never, opened, place} from './session-support.ts';

describe('openFettleSession: a turn', () => {
  it('runs a task, asks about a command, and says what was changed', async () => {
    const at = await place([
      call('edit', {path: 'a.txt', old_string: 'one', new_string: 'two\nthree'}),
      call('bash', {command: 'touch b.txt && ls'}),
      {text: 'Done.'},
    ]);
    const port = fakeScreen({approve: () => ({decision: 'once'})});
    const session = await opened({settings: await at.settings({'--mode': 'ask'}), port});
    const ending = await session.submit('change it', never);
    expect(ending).toEqual<TurnEnding>({
      outcome: 'success',
      lines: ['Changed 2 files:', '  a.txt +2 −1', '  b.txt created', 'Nothing was verified: no check was named (--verify "COMMAND").'],
    });
    expect(port.questions.map(({tool, subject, diffs}) => ({tool, subject, diffs}))).toEqual([
      {
        tool: 'edit',
        subject: [{text: 'write '}, {text: 'a.txt'}],
        diffs: [{path: 'a.txt', before: 'one\n', after: 'two\nthree\n', hunks: hunksOf('one\n', 'two\nthree\n')}],
      },
      {
        tool: 'bash',
        subject: [{text: 'touch b.txt', risky: true}, {text: ' && ls'}],
        diffs: [],
      },
    ]);
    expect(session.info).toMatchObject({model: 'ollama/m', mode: 'ask', sandbox: 'off', title: 'change it', contextTokens: 120});
    const {sessionId} = session.info;
    expect(await session.close()).toEqual([`Resume this session: fettle --resume ${sessionId}`]);
  });

  it('a denial with words reaches the model, a rule for the session is not asked again', async () => {
    const at = await place([
      call('bash', {command: 'touch b'}),
      call('bash', {command: 'touch c'}),
      call('bash', {command: 'touch d'}),
      {text: 'Done.'},
    ]);
    const replies = [{decision: 'deny', feedback: 'not b'} as const, {decision: 'session', rules: ['bash:touch *']} as const];
    const port = fakeScreen({approve: () => replies.shift() ?? {decision: 'cancelled'}});
    const session = await opened({settings: await at.settings(), port});
    const {outcome} = await session.submit('go', never);
    expect([outcome, ...['b', 'c', 'd'].map((name) => existsSync(join(at.work, name)))]).toEqual(['success', false, true, true]);
    expect(lastSent(at.server)[2]).toContain('The user refused this call. They said: not b');
  });

  it('who refused a call is not told of it, nor how to allow it', async () => {
    const at = await place([call('bash', {command: 'touch b'}), {text: 'Done.'}]);
    const port = fakeScreen({approve: () => ({decision: 'deny'})});
    const session = await opened({settings: await at.settings(), port});
    expect(await session.submit('go', never)).toEqual({outcome: 'success', lines: []});
  });

  it('a part of an edit is written, and the model is told what was left out', async () => {
    const text = (changed: readonly number[]) =>
      Array.from({length: 20}, (_, index) => (changed.includes(index) ? `new ${index}\n` : `old ${index}\n`)).join('');
    const at = await place([call('write', {path: 'a.txt', content: text([1, 9, 17])}), {text: 'Done.'}], {'a.txt': text([])});
    const port = fakeScreen({approve: () => ({decision: 'hunks', hunks: ['0:0', '0:1']})});
    const session = await opened({settings: await at.settings(), port});
    const {outcome} = await session.submit('go', never);
    expect([outcome, readFileSync(join(at.work, 'a.txt'), 'utf8')]).toEqual(['success', text([1, 9])]);
    expect(lastSent(at.server).at(-1)).toMatchInlineSnapshot(`
      "tool: The user applied 2 of 3 changes to a.txt. Left out:
      a.txt, line 18: not replaced by
      +new 17
      Do not send it again; go on with the files as they are."
    `);
    const resolved = port.events.filter(({type}) => type === 'permission.resolved');
    expect(resolved).toMatchObject([{decision: 'allow', partial: true, decided_by: 'person'}]);
  });

  it('a rule that would not have allowed the call is refused with the reason, and asked again', async () => {
    const at = await place([call('bash', {command: 'touch b'}), {text: 'Done.'}]);
    const replies = [
      {decision: 'always', rules: ['bash:ls *']} as const,
      {decision: 'always', rules: ['(']} as const,
      {decision: 'always', rules: ['bash:touch b']} as const,
    ];
    const port = fakeScreen({approve: () => replies.shift() ?? {decision: 'cancelled'}});
    const session = await opened({settings: await at.settings(), port});
    await session.submit('go', never);
    expect(port.questions.map(({reason}) => reason)).toMatchInlineSnapshot(`
      [
        "touch b: no rule allows it",
        "Not stored: with bash:ls * (any \`ls\` command, except with options that run or write something else) it would still be asked: touch b: no rule allows it.",
        "The permission rule "(" (session) is wrong: "(" is not the name of a tool. A rule is \`tool:pattern\`, for example \`bash:cargo *\`.",
      ]
    `);
    expect((await at.settings()).paths.configDir).toBeDefined();
    expect(readFileSync(join((await at.settings()).paths.configDir, 'permissions.toml'), 'utf8')).toContain('bash:touch b');
  });

  it('steering goes into the running turn; a command that is not there is an ending', async () => {
    const at = await place([call('read', {path: 'a.txt'}), {text: 'Done.'}]);
    const live: {session?: AgentSession} = {};
    const port = fakeScreen({
      onEvent: (event) => event.type === 'item.started' && event.item.type === 'tool_invocation' && live.session?.steer('this way'),
    });
    const session = await opened({settings: await at.settings(), port});
    live.session = session;
    expect((await session.submit('first', never)).outcome).toBe('success');
    expect(lastSent(at.server).filter((line) => line.startsWith('user'))).toEqual(['user: first', 'user: this way']);
    expect(await session.submit('/nothing', never)).toEqual({
      outcome: 'failed',
      lines: [expect.stringContaining('There is no command /nothing.')],
    });
  });

  it('questions of the model are answered by the person', async () => {
    const options = [
      {label: 'Red', description: 'r'},
      {label: 'Blue', description: 'b'},
    ];
    const question = {question: 'Which?', header: 'Colour', options, multiSelect: false};
    const at = await place([call('ask_user_question', {questions: [question]}), {text: 'Done.'}]);
    const port = fakeScreen({ask: async () => [['Blue']]});
    const session = await opened({settings: await at.settings(), port});
    await session.submit('go', never);
    expect(port.asked).toEqual([[{question: 'Which?', header: 'Colour', options, multiple: false}]]);
    expect(lastSent(at.server).at(-1)).toContain('Blue');
  });
});

describe('openFettleSession: what a person does besides', () => {
  it('a line of the shell joins the conversation in front of the next prompt', async () => {
    const at = await place([{text: 'Yes.'}]);
    const session = await opened({settings: await at.settings(), port: fakeScreen()});
    expect(await session.shell('cat a.txt; exit 3', never)).toEqual({output: 'one', exitCode: 3});
    await session.submit('is it?', never);
    expect(lastSent(at.server)).toEqual([
      'user: <user_shell_command>\n<command>cat a.txt; exit 3</command>\n<exit_code>3</exit_code>\n<output>\none\n</output>\n</user_shell_command>',
      'user: is it?',
    ]);
  });

  it('an earlier conversation goes on: its events are there, and its title', async () => {
    const at = await place([{text: 'A1'}, {text: 'A2'}]);
    const first = await opened({settings: await at.settings(), port: fakeScreen()});
    await first.submit('first task', never);
    await first.close();
    const id = first.info.sessionId ?? '';
    const again = await opened({settings: await at.settings(), port: fakeScreen(), resume: {id}});
    const texts = again.earlier.flatMap((event) => (event.type === 'item.completed' && 'text' in event.item ? [event.item.text] : []));
    expect([texts, again.info.title, again.info.sessionId]).toEqual([['first task', 'A1'], 'first task', id]);
    await again.submit('second', never);
    expect(lastSent(at.server)).toEqual(['user: first task', 'assistant: A1', 'user: second']);
  });

  it('a session in which nothing was said leaves nothing to go on with', async () => {
    const at = await place([]);
    const session = await opened({settings: await at.settings(), port: fakeScreen()});
    session.nextMode?.();
    expect(await session.close()).toEqual([]);
  });
});
