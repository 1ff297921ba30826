import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {captureCommand} from '../../../../src/hosts/cli/capture-command.ts';
import {runCommandLine} from '../../../../src/hosts/cli/command-line/program.ts';
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
    for (const name of ['undo', 'redo']) said.push(`${firstLine(await run(session, name))} | ${read()}`);
    const diffs = [await run(session, 'diff'), await run(session, 'diff', 'turn')];
    const picked = await run(session, 'rewind');
    const items = picked?.type === 'pick' ? picked.items : [];
    const oldest = items.at(-1)?.value ?? '';
    const scopes = await run(session, 'rewind', oldest);
    said.push(firstLine(await run(session, 'rewind', `${oldest} both`)), read());
    expect({said, diffs, titles: items.map(({label}) => label), scopes}).toEqual({
      said: [
        'Restored 1 entry to before "second task". | two',
        'Restored 1 entry to before "undo: second task". | three',
        'Restored 1 entry to before "first task".',
        'one',
      ],
      diffs: [
        {type: 'diff', title: 'Changes of this session', files: [{path: 'a.txt', before: 'one\n', after: 'three\n'}]},
        {type: 'diff', title: 'Changes of the newest turn', files: [{path: 'a.txt', before: 'two\n', after: 'three\n'}]},
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

  it('those that only look run beside a turn; those that open a list do so while nothing stands behind their name', async () => {
    const at = await place([]);
    const session = await opened({settings: await at.settings(), port: fakeScreen()});
    const when = Map.groupBy(await session.commands(), ({whileWorking = 'waits'}) => whileWorking);
    expect(Object.fromEntries([...when].map(([key, commands]) => [key, commands.map(({name}) => name).join(' ')]))).toEqual({
      always: 'mode sandbox diff todo plan skills hooks memory cost loop schedule context mcp config doctor',
      bare: 'model resume export permissions',
      waits: 'fork new clear quit exit undo redo rewind compact init',
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
    expect(firstLine(await run(session, 'model', 'ollama/other'))).toBe('Switched to ollama/other. The conversation goes on.');
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
    expect([copy === session, copy.info.title, port.notes]).toEqual([false, 'first', ['The previous session is saved: /resume lists it.']]);
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
    const session = await opened({settings, port: fakeScreen(), runCommandLine: (args) => captureCommand(io, args, runCommandLine)});
    const lines = [
      await run(session, 'permissions', 'add bash:npm test'),
      await run(session, 'mcp'),
      await run(session, 'permissions', 'add :'),
    ].map(firstLine);
    expect(lines).toMatchInlineSnapshot(`
      [
        "allow bash:npm test: exactly this",
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
        "todo: No task list yet.",
        "plan: No plan yet. In plan mode (/mode plan) the model writes one.",
        "skills: No skills found.",
        "hooks: No hooks configured.",
        "cost: Cost unknown: no price for this model.",
        "sandbox: No sandbox: commands run with your full permissions.",
        "mode: {"type":"pick","current":"ask","title":"Mode (now ask)","items":[{"value":"plan","label":"plan","detail":"read and plan; nothing is changed"},{"value":"ask","label":"ask","detail":"ask before changes and commands"},{"value":"accept-edits","label":"accept-edits","detail":"edit files in the workspace without asking; ask before commands"}]}",
        "compact: Nothing to summarise yet.",
      ]
    `);
    expect(firstLine(await run(session, 'context'))).toMatch(/^ *[\d,]+ {2}\w+/);
    expect(firstLine(await run(session, 'memory'))).not.toBe('');
    const path = join(at.work, `fettle-${session.info.sessionId}.md`);
    expect([firstLine(await run(session, 'export', 'markdown')), existsSync(path)]).toEqual([`Written: ${path}`, true]);
    expect(firstLine(await run(session, 'export', 'markdown'))).toBe(`Written: ${path.replace(/\.md$/, '-2.md')}`);
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
