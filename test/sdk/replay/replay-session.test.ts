import {mkdir, readFile, readdir, rm, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import type {ReplayRequest} from '../../../src/sdk/replay/open-replay.ts';
import {openThread, type OpenedThread} from '../../../src/sdk/thread/open-thread.ts';
import {replaySession} from '../../../src/sdk/replay/replay-session.ts';
import {scratch} from '../../support/scratch.ts';

const NEVER = new AbortController().signal;

interface Reply {
  readonly text?: string;
  readonly toolCalls?: readonly {readonly name: string; readonly arguments: object}[];
}

/** A recorded session of these replies, a prompt for each turn, and the folder that it worked in. */
async function recorded(
  files: Readonly<Record<string, string>>,
  replies: readonly Reply[],
  prompts = ['Go.'],
  flags: object = {},
  early?: (thread: OpenedThread) => Promise<void>,
) {
  const home = await scratch({'script.json': JSON.stringify({replies})});
  const work = join(await scratch(), 'work');
  await mkdir(work);
  for (const [path, text] of Object.entries(files)) await writeFile(join(work, path), text);
  const env = {FETTLE_HOME: home, PATH: process.env['PATH']};
  const given = {'--model': `script:${join(home, 'script.json')}`, '--mode': 'accept-edits', ...flags};
  const session = await loadSettings({cwd: work, env, home, flags: given});
  const outputSchema = early === undefined ? undefined : {type: 'object', required: ['n']};
  let steered = false;
  const onEvent = (event: ThreadEvent): void => {
    if (early === undefined || steered || event.type !== 'item.started' || event.item.type !== 'tool_invocation') return;
    steered = true;
    void early(thread);
  };
  const thread: OpenedThread = await openThread({session, outputSchema, onEvent}, NEVER);
  let last;
  for (const prompt of prompts) last = await thread.run(prompt, NEVER);
  await thread.close(last);
  const replay = (request: Partial<ReplayRequest> = {}) => replaySession({id: thread.id, env, home, ...request}, NEVER);
  return {home, work, id: thread.id, replay, sessionFile: thread.sessionFile, outcome: last?.outcome};
}

const call = (name: string, args: object): Reply => ({toolCalls: [{name, arguments: args}]});
const EDIT = call('edit', {path: 'a.txt', old_text: 'one', new_text: 'two'});

describe('sessions replay', () => {
  it('runs the tools again in a copy of the folder as it was, and finds nothing different', async () => {
    const at = await recorded(
      {'a.txt': 'one\n'},
      [call('read', {path: 'a.txt'}), EDIT, call('bash', {command: 'cat a.txt; pwd'}), {text: 'Done.'}],
      ['Go.'],
      {
        '--allow': ['bash:*'],
      },
    );
    expect(at.outcome).toBe('success');
    const report = await at.replay();
    expect({...report, folder: ''}).toEqual({
      session: at.id,
      folder: '',
      turns: 1,
      requests: 4,
      calls: 3,
      notRun: [],
      notes: [`Copied ${at.work} and took back 1 changes that were made since the session began.`],
      divergence: undefined,
    });
    expect(await readFile(join(at.work, 'a.txt'), 'utf8')).toBe('two\n');
    expect(await readdir(report.folder).catch(() => 'removed')).toBe('removed');
  });

  it('the first result that is different is told with both sides, and the replay ends there', async () => {
    const at = await recorded({'a.txt': 'one\n'}, [call('read', {path: 'a.txt'}), call('ls', {path: '.'}), {text: 'Done.'}]);
    await writeFile(join(at.work, 'a.txt'), 'other\n');
    const {divergence, requests, turns} = await at.replay();
    expect({divergence, requests, turns}).toEqual({
      requests: 1,
      turns: 0,
      divergence: {
        turn: 1,
        request: 1,
        what: 'call',
        message: 'read says something else.',
        call: {name: 'read', arguments: '{"path":"a.txt"}'},
        recorded: expect.stringContaining('one'),
        now: expect.stringContaining('other'),
      },
    });
  });

  it('absolute paths of the recorded folder mean the copy; the folder itself is never written', async () => {
    const at = await recorded({'a.txt': 'one\n'}, [{text: 'Nothing.'}]);
    const log = await readFile(at.sessionFile, 'utf8');
    expect(log).toContain('Nothing.');
    const home = await recordedAbsolute(at.work);
    const report = await home.replay({keep: true});
    expect([report.divergence, await readFile(join(report.folder, 'new.txt'), 'utf8')]).toEqual([undefined, 'x\n']);
    await rm(join(report.folder, '..'), {recursive: true});
    expect(await readdir(home.work)).toEqual(['a.txt', 'new.txt']);
  });

  it('turns after one another, with follow-ups of the harness and refused calls, are the same', async () => {
    const at = await recorded(
      {'a.txt': 'one\n'},
      [
        call('bash', {command: 'rm a.txt'}),
        {text: 'I may not.'},
        call('read', {path: 'a.txt'}),
        call('read', {path: 'none'}),
        {text: 'Read.'},
      ],
      ['Delete it.', 'Then read it.'],
      {'--mode': 'ask'},
    );
    const {turns, requests, calls, notRun, divergence} = await at.replay();
    expect({turns, requests, calls, notRun, divergence}).toEqual({
      turns: 2,
      requests: 5,
      calls: 2,
      notRun: ['bash: was denied'],
      divergence: undefined,
    });
  });

  it('what the harness told the model, and what a person steered, comes in at the same place', async () => {
    const at = await recorded(
      {'a.txt': 'one\n'},
      [{text: 'No JSON.'}, call('read', {path: 'a.txt'}), {text: '{"n": 1}'}],
      ['Count.'],
      {},
      async (thread) => {
        thread.steer('Be quick.');
      },
    );
    const log = await readFile(at.sessionFile, 'utf8');
    expect([log.includes('"origin":"harness"'), log.includes('Be quick.'), at.outcome]).toEqual([true, true, 'success']);
    const {requests, divergence} = await at.replay();
    expect({requests, divergence}).toEqual({requests: 3, divergence: undefined});
  });

  it('long outputs, whose whole is stored elsewhere now, are the same', async () => {
    const long = Array.from({length: 5000}, (_, line) => `line ${line} of a long file`).join('\n');
    const at = await recorded({'long.txt': long}, [call('bash', {command: 'cat long.txt'}), {text: 'Long.'}], ['Go.'], {
      '--allow': ['bash:*'],
    });
    expect(await readFile(at.sessionFile, 'utf8')).toContain('"spool_path"');
    expect((await at.replay()).divergence).toBe(undefined);
  });

  it('a conversation that was shortened goes on with the recorded messages', async () => {
    const replies = [call('read', {path: 'a.txt'}), {text: 'Read.'}, call('ls', {path: '.'}), {text: 'Again.'}];
    const at = await recorded({'a.txt': 'one\n'}, replies, ['Go.', 'On.']);
    const lines = (await readFile(at.sessionFile, 'utf8')).split('\n');
    const second = lines.findIndex((line) => line.includes('"turn":2'));
    const boundary = {
      type: 'thread.compact_boundary',
      thread_id: at.id,
      trigger: 'auto',
      mode: 'mechanical',
      original_message_count: 4,
      compacted_message_count: 1,
      messages: [{role: 'user', text: 'What was said before: a.txt was read.'}],
    };
    lines.splice(second, 0, JSON.stringify({v: 1, seq: 1, ts: '2026-01-02T03:04:05.678Z', turn: 1, event: boundary}));
    await writeFile(at.sessionFile, lines.join('\n'));
    const {turns, divergence} = await at.replay();
    expect({turns, divergence}).toEqual({turns: 2, divergence: undefined});
  });

  it('subagents are not run again: their recorded results are used, and it is said', async () => {
    const at = await recorded({'a.txt': 'one\n'}, [call('task', {agent: 'explore', task: 'Look.'}), {text: 'Seen.'}, {text: 'Done.'}]);
    const {notRun, divergence} = await at.replay();
    expect({notRun, divergence}).toEqual({notRun: [expect.stringMatching(/^task: /)], divergence: undefined});
  });

  it('what a subagent changed is not in the copy: it is said, before what is different because of it (issue 5 › replay)', async () => {
    const at = await recorded(
      {'a.txt': 'one\n'},
      [
        call('task', {agent: 'worker', task: 'Write b.txt.'}),
        {
          toolCalls: [
            {name: 'write', arguments: {path: 'b.txt', content: 'b\n'}},
            {name: 'bash', arguments: {command: 'true'}},
          ],
        },
        {text: 'Written.'},
        call('read', {path: 'b.txt'}),
        {text: 'Done.'},
      ],
      ['Go.'],
      {'--mode': 'full-auto', '--sandbox': 'off'},
    );
    await rm(join(at.work, 'b.txt'));
    const {notes, divergence} = await at.replay();
    expect(notes.slice(1)).toEqual([
      expect.stringMatching(
        /^The subagent worker \(thr_\w+\) changed b\.txt and ran 1 command: not done again, what comes after it may differ\.$/,
      ),
    ]);
    expect(divergence).toMatchObject({turn: 1, request: 2, what: 'call', message: 'read fails now (error).', call: {name: 'read'}});
  });

  it('a command that is gone is the first difference, with both sides', async () => {
    const at = await recorded(
      {'say.sh': 'echo hello\n'},
      [call('bash', {command: 'bash ./say.sh'}), call('bash', {command: 'bash ./say.sh'}), {text: 'Done.'}],
      ['Go.'],
      {'--allow': ['bash:*']},
    );
    await rm(join(at.work, 'say.sh'));
    const {calls, divergence} = await at.replay();
    expect({calls, divergence}).toMatchObject({
      calls: 1,
      divergence: {turn: 1, request: 1, what: 'call', call: {name: 'bash'}, recorded: expect.stringContaining('hello')},
    });
    expect(divergence?.now).toMatch(/No such file/);
  });

  it('the tool of an MCP server is not run: there is no need of its server', async () => {
    const at = await recorded({'a.txt': 'one\n'}, [call('read', {path: 'a.txt'}), {text: 'Done.'}]);
    const log = await readFile(at.sessionFile, 'utf8');
    await writeFile(at.sessionFile, log.replaceAll('"tool_name":"read"', '"tool_name":"mcp__gone__read"'));
    await rm(join(at.work, 'a.txt'));
    const {calls, notRun, divergence} = await at.replay();
    expect({calls, notRun, divergence}).toEqual({calls: 0, notRun: ['mcp__gone__read: acts outside of the copy'], divergence: undefined});
  });

  it('what is different in a later turn is told with its number', async () => {
    const at = await recorded(
      {'a.txt': 'one\n', 'b.txt': 'b\n'},
      [call('read', {path: 'a.txt'}), {text: 'A.'}, call('read', {path: 'b.txt'}), {text: 'B.'}],
      ['A?', 'B?'],
    );
    await writeFile(join(at.work, 'b.txt'), 'c\n');
    expect((await at.replay()).divergence).toMatchObject({turn: 2, request: 1, what: 'call'});
  });

  it('a recorded permission counts for nothing: what the flags do not allow is not run, and told', async () => {
    const at = await recorded({'a.txt': 'one\n'}, [EDIT, {text: 'Done.'}]);
    const {divergence} = await at.replay({flags: {'--mode': 'plan'}});
    expect(divergence).toMatchObject({what: 'call', message: 'edit fails now (denied).'});
  });

  it('a link into the folder leads into the copy', async () => {
    const at = await recorded({'a.txt': 'one\n'}, [EDIT, {text: 'Done.'}]);
    await symlink(join(at.work, 'a.txt'), join(at.work, 'link'));
    const report = await at.replay({keep: true});
    expect(await readFile(join(report.folder, 'link'), 'utf8')).toBe('two\n');
    await rm(join(report.folder, '..'), {recursive: true});
  });

  it('a folder that is gone is named, with what to do', async () => {
    const at = await recorded({}, [{text: 'Done.'}]);
    await rm(at.work, {recursive: true});
    await expect(at.replay()).rejects.toMatchObject({code: 'NOT_FOUND', hint: 'Name another one with --cwd.'});
    const elsewhere = await scratch();
    expect((await at.replay({cwd: elsewhere})).divergence).toBe(undefined);
  });

  it('a log that was cut off is replayed as far as it goes', async () => {
    const at = await recorded({'a.txt': 'one\n'}, [call('read', {path: 'a.txt'}), EDIT, {text: 'Done.'}]);
    const lines = (await readFile(at.sessionFile, 'utf8')).split('\n');
    for (let end = 6; end < lines.length; end += 1) {
      await writeFile(at.sessionFile, `${lines.slice(0, end).join('\n')}\n`);
      expect((await at.replay()).divergence).toBe(undefined);
    }
  });
});

describe('sessions replay of a session whose process died (issue 5 › crash)', () => {
  it('wherever its first turn was cut off: the turn behind it is the same, with what the model was told of that', async () => {
    const read = (path: string): Reply => ({text: 'I look.', ...call('read', {path})});
    const files = {'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n'};
    const replies = [read('a.txt'), read('b.txt'), {text: 'Seen.'}, read('c.txt'), {text: 'Done.'}];
    const at = await recorded(files, replies, ['Look.', 'Go on.']);
    const lines = (await readFile(at.sessionFile, 'utf8')).split('\n');
    const starts = lines.flatMap((line, index) => (line.includes('"type":"turn.started"') ? [index] : []));
    const [first = 0, second = 0] = starts;
    expect([starts.length, second - first > 15]).toEqual([2, true]);
    const differing: string[] = [];
    for (let end = first + 1; end < second; end += 1) {
      await writeFile(at.sessionFile, [...lines.slice(0, end), ...lines.slice(second)].join('\n'));
      const {divergence, turns} = await at.replay();
      if (divergence !== undefined || turns === 0) differing.push(`${lines[end - 1] ?? ''}: ${divergence?.message ?? 'nothing'}`);
    }
    expect(differing).toEqual([]);
  });

  it('what the harness said behind the last answer of a turn, which a limit then ended, is before the next prompt', async () => {
    const at = await recorded({}, [{text: 'Seen.'}, {text: 'Done.'}], ['Look.', 'Go on.']);
    const lines = (await readFile(at.sessionFile, 'utf8')).split('\n');
    const end = lines.findIndex((line) => line.includes('"type":"turn.completed"'));
    const item = {id: 'itm_1', type: 'user_message', text: 'Not finished.', origin: 'harness'};
    const said = JSON.stringify({v: 1, seq: end, ts: '2026-01-01T00:00:00.000Z', turn: 1, event: {type: 'item.completed', item}});
    await writeFile(at.sessionFile, lines.toSpliced(end, 0, said).join('\n'));
    expect(await at.replay()).toMatchObject({turns: 2, requests: 2, divergence: undefined});
  });
});

/** A session that writes by an absolute path. */
async function recordedAbsolute(sibling: string) {
  const files = {'a.txt': await readFile(join(sibling, 'a.txt'), 'utf8')};
  const home = await scratch();
  const work = join(home, 'work');
  await mkdir(work);
  for (const [path, text] of Object.entries(files)) await writeFile(join(work, path), text);
  const state = await scratch({
    'script.json': JSON.stringify({replies: [call('write', {path: join(work, 'new.txt'), content: 'x\n'}), {text: 'Done.'}]}),
  });
  const env = {FETTLE_HOME: state, PATH: process.env['PATH']};
  const session = await loadSettings({
    cwd: work,
    env,
    home: state,
    flags: {'--model': `script:${join(state, 'script.json')}`, '--mode': 'accept-edits'},
  });
  const thread = await openThread({session}, NEVER);
  await thread.close(await thread.run('Go.', NEVER));
  return {work, replay: (request: Partial<ReplayRequest>) => replaySession({id: thread.id, env, home: state, ...request}, NEVER)};
}
