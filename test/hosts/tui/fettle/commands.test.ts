import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {captureCommand} from '../../../../src/hosts/cli/capture-command.ts';
import type {AgentSession, CommandResult} from '../../../../src/hosts/tui/host-adapter.ts';
import {call, fakeScreen, lastSent, never, opened, place} from './session-support.ts';

const run = async (session: AgentSession, name: string, typed = ''): Promise<CommandResult | undefined> =>
  await session.command(name, typed, never);

const firstLine = (result: CommandResult | undefined): string =>
  result?.type === 'text' ? (result.text.split('\n')[0] ?? '') : JSON.stringify(result);

const edit = (from: string, to: string) => call('edit', {path: 'a.txt', old_string: from, new_string: to});

describe('commands of a session', () => {
  it('undo, redo, rewind and diff, with a preview of what comes back', async () => {
    const at = await place([edit('one', 'two'), {text: 'A1'}, edit('two', 'three'), {text: 'A2'}]);
    const session = await opened({settings: await at.settings({'--mode': 'accept-edits'}), port: fakeScreen()});
    await session.submit('first task', never);
    await session.submit('second task', never);
    const read = (): string => readFileSync(join(at.work, 'a.txt'), 'utf8').trim();
    const said: string[] = [];
    for (const name of ['undo', 'redo', 'diff']) said.push(`${firstLine(await run(session, name))} | ${read()}`);
    const picked = await run(session, 'rewind');
    const items = picked?.type === 'pick' ? picked.items : [];
    const oldest = items.at(-1)?.value ?? '';
    const scopes = await run(session, 'rewind', oldest);
    said.push(firstLine(await run(session, 'rewind', `${oldest} both`)), read());
    expect({said, titles: items.map(({label}) => label), scopes}).toEqual({
      said: [
        'Restored 1 entry to before "second task". | two',
        'Restored 1 entry to before "undo: second task". | three',
        'changed a.txt | three',
        'Restored 1 entry to before "first task".',
        'one',
      ],
      titles: expect.arrayContaining(['first task', 'second task']),
      scopes: {
        type: 'pick',
        title: 'Would restore 1 entry.\n  a.txt',
        items: [
          {value: `${oldest} both`, label: 'files and conversation'},
          {value: `${oldest} files`, label: 'only the files'},
          {value: `${oldest} conversation`, label: 'only the conversation'},
        ],
      },
    });
  });

  it('another model goes on with the same log, mode and rules', async () => {
    const at = await place([{text: 'A1'}, call('bash', {command: 'touch b'}), {text: 'A2'}]);
    const port = fakeScreen({approve: () => ({decision: 'once'})});
    const session = await opened({settings: await at.settings(), port});
    await session.submit('first', never);
    const id = session.info.sessionId;
    session.nextMode?.();
    expect([firstLine(await run(session, 'model', 'nonsense')), session.info.model]).toEqual([
      expect.stringContaining('nonsense'),
      'ollama/m',
    ]);
    expect(firstLine(await run(session, 'model', 'ollama/other'))).toBe('Now with ollama/other. The conversation goes on.');
    expect(session.info).toMatchObject({model: 'ollama/other', mode: 'accept-edits', sessionId: id, title: 'first'});
    await session.submit('second', never);
    expect([at.server.requests.map(({body}) => body['model']), lastSent(at.server)[0]]).toEqual([['m', 'other', 'other'], 'user: first']);
  });

  it('a new session, a copy and an earlier one take the place of this one', async () => {
    const at = await place([{text: 'A1'}, {text: 'A2'}]);
    const port = fakeScreen();
    const session = await opened({settings: await at.settings(), port});
    await session.submit('first', never);
    const forked = await run(session, 'fork');
    const copy = forked?.type === 'switch' ? forked.session : session;
    expect([copy === session, copy.info.title, port.notes]).toEqual([false, 'first', ['The session before is kept: /resume lists it.']]);
    const listed = await run(copy, 'resume');
    expect(listed).toMatchObject({
      type: 'pick',
      items: [{value: session.info.sessionId, label: 'first', detail: expect.stringContaining('1 turn')}],
    });
    const fresh = await run(copy, 'new');
    const empty = fresh?.type === 'switch' ? fresh.session : copy;
    expect([empty.info.title, await empty.close()]).toEqual([undefined, []]);
  });

  it('what the command line has is run there; what nothing has is undefined', async () => {
    const at = await place([]);
    const settings = await at.settings();
    const io = {env: settings.env, home: settings.home, cwd: settings.cwd};
    const session = await opened({settings, port: fakeScreen(), runCommandLine: (args) => captureCommand(io, args)});
    const lines = [
      await run(session, 'permissions', 'add bash:npm test'),
      await run(session, 'mcp'),
      await run(session, 'permissions', 'add :'),
    ].map(firstLine);
    expect(lines).toMatchInlineSnapshot(`
      [
        "allow bash:npm test: only this, word for word",
        "No MCP server is configured. \`fettle mcp add\` adds one.",
        "fettle: The permission rule ":" (permissions add) is wrong: it names no tool.",
      ]
    `);
    expect([await run(session, 'nothing'), await run(session, 'quit')]).toEqual([undefined, {type: 'end'}]);
  });

  it('states: todo, plan, skills, hooks, cost, memory, context, sandbox, export', async () => {
    const at = await place([{text: 'A1'}]);
    const session = await opened({settings: await at.settings(), port: fakeScreen()});
    await session.submit('first', never);
    const said: string[] = [];
    for (const name of ['todo', 'plan', 'skills', 'hooks', 'cost', 'sandbox', 'mode', 'compact'])
      said.push(`${name}: ${firstLine(await run(session, name))}`);
    expect(said).toMatchInlineSnapshot(`
      [
        "todo: There is no task list.",
        "plan: There is no plan. In the mode plan the model writes one.",
        "skills: There are no skills.",
        "hooks: There are no hooks.",
        "cost: The price is not known.",
        "sandbox: No sandbox: commands can do what you can.",
        "mode: {"type":"pick","title":"Mode (now ask)","items":[{"value":"plan","label":"plan","detail":"look and plan; nothing is changed"},{"value":"ask","label":"ask","detail":"changes and commands are asked about"},{"value":"accept-edits","label":"accept-edits","detail":"edits of files in the workspace are not asked about"}]}",
        "compact: There is nothing to shorten yet.",
      ]
    `);
    expect(firstLine(await run(session, 'context'))).toMatch(/^ *[\d,]+ {2}\w+/);
    expect(firstLine(await run(session, 'memory'))).not.toBe('');
    const path = join(at.work, `fettle-${session.info.sessionId}.md`);
    expect([firstLine(await run(session, 'export', 'markdown')), existsSync(path)]).toEqual([`Written: ${path}`, true]);
    expect(firstLine(await run(session, 'export', 'markdown'))).toBe(`${path} exists already. Move it away first.`);
  });

  it('custom commands stand beside them, and become tasks', async () => {
    const at = await place([]);
    const settings = await at.settings();
    const {mkdir, writeFile} = await import('node:fs/promises');
    await mkdir(join(settings.paths.configDir, 'commands'), {recursive: true});
    await writeFile(join(settings.paths.configDir, 'commands', 'review.md'), 'Review $ARGUMENTS.');
    const session = await opened({settings, port: fakeScreen()});
    expect((await session.commands()).filter(({group}) => group !== 'session').map(({name, group}) => [name, group])).toEqual([
      ['review', 'custom'],
    ]);
    expect(await run(session, 'review', 'it')).toEqual({type: 'task', text: 'Review it.'});
  });
});
