import {execFileSync} from 'node:child_process';
import {chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {isFettleError} from '../../src/base/errors.ts';
import {EXPORT_FORMATS, exportSession} from '../../src/sessions/export/export-session.ts';
import {decodeLine} from '../../src/sessions/log-line.ts';
import {itemText, recallItems} from '../../src/sessions/recall-items.ts';
import {searchSessions} from '../../src/sessions/search-sessions.ts';
import {findSession} from '../../src/sessions/session-files.ts';
import {forkSession} from '../../src/sessions/session-fork.ts';
import {listSessions} from '../../src/sessions/session-list.ts';
import {deleteSession, openSession} from '../../src/sessions/session-store.ts';
import {scratch} from '../support/scratch.ts';

const DAY = 'sessions/2026-01-01';
let seq = 0;
const line = (event: object, more: object = {}): string =>
  JSON.stringify({v: 1, seq: (seq += 1), ts: '2026-01-01T00:00:00.000Z', turn: 1, event, ...more});
const begin = (more: object = {}): string =>
  line({type: 'thread.started', thread_id: 'thr_x', session_id: 'thr_x', version: '1', cwd: '/demo', model: 'a/b', ...more});
const turn = line({type: 'turn.started', thread_id: 'thr_x', turn_id: 'trn_1'});
const item = (value: object): string => line({type: 'item.completed', item: value});
const hello = item({id: 'u', type: 'user_message', text: 'hello'});
const NESTED = `{"v":1,"seq":3,"ts":"x","turn":1,"event":{"type":"item.completed","item":{"id":"d","type":"user_message","text":"x","z":${'['.repeat(50_000)}${']'.repeat(50_000)}}}}`;

const LIES: Readonly<Record<string, readonly string[]>> = {
  thr_empty: [],
  thr_version: ['{"v":2,"seq":1,"ts":"x","turn":0,"event":{"type":"thread.started"}}'],
  thr_half: [line({type: 'thread.started'}, {v: 99}), hello],
  thr_loop1: [begin({parent_thread_id: 'thr_loop2'}), turn, hello],
  thr_loop2: [begin({parent_thread_id: 'thr_loop1', forked_from: 'thr_loop2'}), turn, hello],
  thr_child: [
    begin(),
    turn,
    line({type: 'agent.status', agent_id: 'a', child_thread_id: '../../../etc/passwd', status: 'completed', task: 'x'}),
  ],
  thr_status: [begin(), turn, line({type: 'agent.status'}), line({type: 'agent.status', agent_id: {}, child_thread_id: [], task: null})],
  thr_ids: [begin({thread_id: 'x'.repeat(100_000)}), turn, item({id: 'y'.repeat(100_000), type: 'user_message', text: 'z'})],
  thr_numbers: [
    begin(),
    line({type: 'turn.started', turn_id: 't'}, {seq: 9_007_199_254_740_991, turn: -1e9}),
    line({type: 'x'}, {seq: -5, turn: {}}),
  ],
  thr_claims: [
    begin(),
    turn,
    item({
      id: 'o',
      type: 'tool_output',
      call_id: 'none',
      tool_call_id: 'c',
      tool_name: 'read',
      output: 'said',
      is_error: false,
      spool_path: '/etc/passwd',
    }),
    item({id: 'f', type: 'file_change', changes: [{kind: 'update', path: '/etc/passwd'}], status: 'completed'}),
  ],
  thr_repeated: [
    begin(),
    turn,
    hello,
    hello,
    item({id: 'u', type: 'tool_invocation', tool_name: 'read', tool_call_id: 'u', arguments: '{}', request_id: 'r'}),
  ],
  thr_boundary: [line({type: 'thread.compact_boundary', messages: [{role: 'user', text: 7}, null, {role: 'evil'}]}), turn, hello],
  thr_messages: [
    begin(),
    line({type: 'thread.compact_boundary', messages: 'none'}),
    line({type: 'thread.compact_boundary', messages: {length: 1e9}}),
    hello,
  ],
  thr_times: [
    line({type: 'thread.started', thread_id: 't', cwd: 7, model: {}}, {ts: '-999999-99'}),
    line({type: 'turn.started', turn_id: 't'}, {ts: 'x'.repeat(10_000)}),
  ],
  thr_nul: [begin(), turn, item({id: 'n', type: 'user_message', text: 'a\0b\u{1b}[2J'}), '\0\0\0', hello],
  thr_nested: [begin(), turn, NESTED, hello],
  thr_shapes: [
    begin(),
    ...[
      'turn.started',
      'request.completed',
      'turn.failed',
      'checkpoint.completed',
      'thread.rewound',
      'input.queued',
      'item.completed',
      'item.started',
      'x',
    ].map((type) => line({type})),
    ...[
      'user_message',
      'agent_message',
      'tool_invocation',
      'tool_output',
      'todo_list',
      'file_change',
      'command_execution',
      'harness',
      '__proto__',
    ].map((type) => item({id: 'i', type, request_id: 'r'})),
    hello,
  ],
};

async function liars(): Promise<string> {
  const files = Object.entries(LIES).map(([id, lines]) => [`${DAY}/${id}.jsonl`, lines.map((one) => `${one}\n`).join('')]);
  return await scratch(Object.fromEntries(files) as Record<string, string>);
}

/** 'done', or the code of the refusal. Anything but a FettleError with a code of its own is a crash. */
async function outcome(act: () => unknown): Promise<string> {
  try {
    await act();
    return 'done';
  } catch (error) {
    if (isFettleError(error) && error.code !== 'INTERNAL') return error.code;
    throw error;
  }
}

describe('a session whose log lies (issue 4.3): no crash, no file outside touched', () => {
  it.each(Object.keys(LIES))('%s: exports, recall, resume, fork, delete', async (id) => {
    const stateDir = await liars();
    const {file} = findSession(stateDir, id);
    const readable = id === 'thr_empty' || id === 'thr_version' ? ['done', 'IO'] : ['done'];
    for (const format of EXPORT_FORMATS) expect([format, await outcome(() => exportSession(file, format))]).toEqual([format, 'done']);
    const recall = async (): Promise<unknown> => (await recallItems(file, {from: 1, to: 50})).map(itemText);
    expect(await outcome(recall)).toBe('done');
    const resume = async (): Promise<void> => {
      const session = await openSession(stateDir, id);
      session.history.messages();
      session.log.close();
    };
    expect(readable).toContain(await outcome(resume));
    expect(await outcome(async () => deleteSession(stateDir, (await forkSession(stateDir, id)).threadId))).toBe('done');
    expect(await outcome(() => deleteSession(stateDir, id))).toBe('done');
  });

  it('list and search go on past all of them', async () => {
    const stateDir = await liars();
    const listed = listSessions({stateDir, subagents: true}).map(({threadId}) => threadId);
    expect(listed.sort()).toEqual(Object.keys(LIES).sort());
    const found = await searchSessions({stateDir, text: 'hello', most: 100});
    expect(found.length).toBeGreaterThan(5);
  });

  it('what is in the place of a log and is none is named, never followed, never waited for', async () => {
    const stateDir = await scratch({'victim.jsonl': 'precious, no line\nno newline', [`${DAY}/thr_ok.jsonl`]: `${begin()}\n${hello}\n`});
    const day = join(stateDir, DAY);
    symlinkSync(join(stateDir, 'victim.jsonl'), join(day, 'thr_link.jsonl'));
    execFileSync('mkfifo', [join(day, 'thr_pipe.jsonl')]);
    mkdirSync(join(day, 'thr_folder.jsonl'));
    symlinkSync(stateDir, join(stateDir, 'sessions/2026-01-02'));
    const broken = listSessions({stateDir}).flatMap(({threadId, broken: why}) => (why === undefined ? [] : [`${threadId}: ${why}`]));
    expect(broken.sort()).toEqual(['thr_folder', 'thr_link', 'thr_pipe'].map((id) => `${id}: it is not a regular file`));
    for (const id of ['thr_link', 'thr_pipe', 'thr_folder']) {
      const acts = [() => openSession(stateDir, id), () => forkSession(stateDir, id), () => deleteSession(stateDir, id)];
      expect(await Promise.all(acts.map(outcome))).toEqual(['NOT_A_FILE', 'NOT_A_FILE', 'NOT_A_FILE']);
    }
    expect((await searchSessions({stateDir, text: 'hello', most: 9})).map(({session}) => session.threadId)).toEqual(['thr_ok']);
    expect(readFileSync(join(stateDir, 'victim.jsonl'), 'utf8')).toBe('precious, no line\nno newline');
  });

  it('what was torn is not kept through a link', async () => {
    const stateDir = await scratch({victim: 'precious', [`${DAY}/thr_torn.jsonl`]: `${begin()}\n{"v":1,`});
    symlinkSync(join(stateDir, 'victim'), join(stateDir, DAY, 'thr_torn.jsonl.torn'));
    await expect(openSession(stateDir, 'thr_torn')).rejects.toThrow(/ELOOP/);
    expect(readFileSync(join(stateDir, 'victim'), 'utf8')).toBe('precious');
  });

  it.runIf(process.getuid?.() === 0)('the log of another user is read, and not gone on with', async () => {
    const stateDir = await scratch({[`${DAY}/thr_other.jsonl`]: `${begin()}\n${hello}\n`});
    const {file} = findSession(stateDir, 'thr_other');
    chownSync(file, 12_345, 12_345);
    expect(await outcome(() => openSession(stateDir, 'thr_other'))).toBe('DENIED');
    expect(await exportSession(file, 'markdown')).toContain('hello');
  });

  it('a line of 70 MB is passed over; what stands around it counts', async () => {
    const stateDir = await scratch({[`${DAY}/thr_big.jsonl`]: ''});
    const {file} = findSession(stateDir, 'thr_big');
    writeFileSync(file, [begin(), turn, hello.replace('hello', 'x'.repeat(70_000_000)), hello, ''].join('\n'));
    const session = await openSession(stateDir, 'thr_big');
    session.log.close();
    expect([session.history.messages(), session.notes]).toEqual([
      [{role: 'user', text: 'hello'}],
      ['Line 3 of the session was skipped: longer than a line may be.'],
    ]);
  });

  it.each([
    ['a boundary with messages that are none', {type: 'thread.compact_boundary', messages: [{role: 'tool', results: [{}]}]}],
    ['an item tool_output that is none', {type: 'item.completed', item: {id: 'a', type: 'tool_output', output: 7}}],
    ['an item without id and type', {type: 'item.completed'}],
    ['an event turn.started that is none', {type: 'turn.started', turn_id: 7}],
  ])('%s', (reason, event) => {
    expect(decodeLine(line(event))).toBe(reason);
  });
});
