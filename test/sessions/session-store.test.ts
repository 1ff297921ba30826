import {appendFile, mkdir, readFile, readdir, truncate, utimes, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {historyFromEvents} from '../../src/sessions/history.ts';
import {encodeLine} from '../../src/sessions/log-line.ts';
import {loadLog} from '../../src/sessions/log-reader.ts';
import {forkSession} from '../../src/sessions/session-fork.ts';
import {createSession, deleteSession, openSession} from '../../src/sessions/session-store.ts';
import {scratch} from '../support/scratch.ts';
import {logged, started, turnCompleted, turnStarted, user, wholeTurn} from './events.ts';

async function record(stateDir: string, threadId: string, events: readonly ThreadEvent[]): Promise<string> {
  const {file, log} = await createSession({stateDir, threadId});
  for (const event of events) log.append(event);
  log.close();
  return file;
}

describe('createSession', () => {
  it('makes <state>/sessions/<day>/<thread id>.jsonl', async () => {
    const stateDir = await scratch();
    const {threadId, file, log} = await createSession({stateDir});
    log.close();
    expect(threadId).toMatch(/^thr_[a-z0-9]{19}$/);
    expect(file.slice(stateDir.length)).toMatch(/^\/sessions\/\d{4}-\d\d-\d\d\/thr_[a-z0-9]+\.jsonl$/);
  });

  it('refuses an id that is taken, and one that is not a name', async () => {
    const stateDir = await scratch();
    await record(stateDir, 'thr_a', [started()]);
    await expect(createSession({stateDir, threadId: 'thr_a'})).rejects.toMatchObject({message: 'Session thr_a already exists.'});
    await expect(createSession({stateDir, threadId: '../x'})).rejects.toMatchObject({message: '../x is not a valid session id.'});
  });
});

describe('openSession', () => {
  it('brings back history and the setting, and goes on in the same file', async () => {
    const stateDir = await scratch();
    const file = await record(stateDir, 'thr_abc', wholeTurn());
    const session = await openSession(stateDir, 'thr_abc');
    expect({...session, log: session.log.file, history: session.history.messages()}).toEqual({
      threadId: 'thr_abc',
      file,
      log: file,
      history: historyFromEvents(wholeTurn()),
      started: started(),
      todos: [],
      notes: [],
    });
    session.log.append(started({resumed: true}));
    session.log.close();
    const again = await openSession(stateDir, 'thr_abc');
    again.log.close();
    expect(again.started).toEqual(started());
    expect((await loadLog(file)).events.at(-1)).toMatchObject({seq: wholeTurn().length + 1, turn: 1});
  });

  it('brings back the task list as it stood last', async () => {
    const stateDir = await scratch();
    const items = [{id: '1', content: 'Mend it', status: 'pending', priority: 'low'} as const];
    const list = (id: string, of: typeof items): ThreadEvent => ({type: 'item.completed', item: {id, type: 'todo_list', items: of}});
    await record(stateDir, 'thr_abc', [started(), list('itm_1', []), list('itm_2', items), ...wholeTurn().slice(1)]);
    const session = await openSession(stateDir, 'thr_abc');
    session.log.close();
    expect(session.todos).toEqual(items);
  });

  it.each(['thr_abc', 'abc', 'thr_ab', 'ab'])('finds thr_abc by %s', async (idOrPrefix) => {
    const stateDir = await scratch();
    await record(stateDir, 'thr_abc', [started()]);
    await record(stateDir, 'thr_xyz', [started()]);
    const session = await openSession(stateDir, idOrPrefix);
    session.log.close();
    expect(session.threadId).toBe('thr_abc');
  });

  it('an ambiguous beginning names the candidates; a whole id wins over longer ones', async () => {
    const stateDir = await scratch();
    for (const id of ['thr_b2', 'thr_b1', 'thr_b']) await record(stateDir, id, [started()]);
    await expect(openSession(stateDir, 'thr')).rejects.toMatchObject({
      code: 'NOT_UNIQUE',
      message: '3 sessions begin with thr: thr_b, thr_b1, thr_b2.',
      hint: 'Give more of the id.',
    });
    (await openSession(stateDir, 'thr_b')).log.close();
  });

  it.each(['nope', '', '../thr_a', '%'])('%j is NOT_FOUND', async (id) => {
    const stateDir = await scratch();
    await record(stateDir, 'thr_a', [started()]);
    await expect(openSession(stateDir, id)).rejects.toMatchObject({code: 'NOT_FOUND', message: `There is no session ${id}.`});
    await expect(openSession(join(stateDir, 'nowhere'), id)).rejects.toMatchObject({code: 'NOT_FOUND'});
  });

  it('a session with a torn tail and a broken line comes back with notes', async () => {
    const stateDir = await scratch();
    const file = await record(stateDir, 'thr_a', [started(), turnStarted(), user('One.')]);
    await appendFile(file, 'garbage\n');
    const more = await openSession(stateDir, 'thr_a');
    more.log.close();
    await appendFile(file, `rubbish\n${encodeLine(logged([user('Two.')])[0] ?? fail())}{"v":1,"se`);
    const session = await openSession(stateDir, 'thr_a');
    session.log.close();
    expect(more.notes).toEqual([`The last line was torn: 8 bytes were moved to ${file}.torn.`]);
    expect(session.notes).toEqual([
      `The last line was torn: 10 bytes were moved to ${file}.torn.`,
      'Line 4 of the session was skipped: not JSON.',
    ]);
    expect(session.history.messages()).toEqual([
      {role: 'user', text: 'One.'},
      {role: 'user', text: 'Two.'},
    ]);
  });

  it('a file without any event is an error that says where it is, and is not left locked', async () => {
    const stateDir = await scratch();
    const file = await record(stateDir, 'thr_a', []);
    await writeFile(file, '{"not":"ours"}\n{"not":"ours"}\n');
    await expect(openSession(stateDir, 'thr_a')).rejects.toMatchObject({
      code: 'IO',
      message: 'Session thr_a cannot be read: none of its lines is an event.',
    });
    expect(await readdir(dirname(file))).toEqual(['thr_a.jsonl']);
  });

  it('is refused while the session is open', async () => {
    const stateDir = await scratch();
    const {log} = await createSession({stateDir, threadId: 'thr_a'});
    await expect(openSession(stateDir, 'thr_a')).rejects.toMatchObject({code: 'UNAVAILABLE'});
    await expect(deleteSession(stateDir, 'thr_a')).rejects.toMatchObject({code: 'UNAVAILABLE'});
    log.close();
  });
});

describe('deleteSession', () => {
  it('removes the session with all that is beside it and its outputs, no other, and the folder when it is empty', async () => {
    const stateDir = await scratch();
    const file = await record(stateDir, 'thr_a', [started()]);
    await record(stateDir, 'thr_ab', [started()]);
    await writeFile(`${file}.torn`, 'x');
    for (const id of ['thr_a', 'thr_ab']) {
      await mkdir(join(stateDir, 'spool', id), {recursive: true});
      await writeFile(join(stateDir, 'spool', id, 'out.txt'), 'shown in part');
    }
    await deleteSession(stateDir, 'thr_a');
    expect(await readdir(dirname(file))).toEqual(['thr_ab.jsonl']);
    expect(await readdir(join(stateDir, 'spool'))).toEqual(['thr_ab']);
    await deleteSession(stateDir, 'ab');
    expect(await readdir(join(stateDir, 'sessions'))).toEqual([]);
  });
});

describe('forkSession', () => {
  it('copies what was said under a new id, with its times, and leaves the first alone', async () => {
    const stateDir = await scratch();
    const first = await record(stateDir, 'thr_1', wholeTurn());
    const before = await readFile(first, 'utf8');
    const fork = await forkSession(stateDir, 'thr_1');
    const copy = await openSession(stateDir, fork.threadId);
    copy.log.append(turnStarted('trn_2'));
    copy.log.close();
    expect(await readFile(first, 'utf8')).toBe(before);
    expect(copy.history.messages()).toEqual(historyFromEvents(wholeTurn()));
    expect(copy.started).toEqual({...started({thread_id: fork.threadId}), forked_from: 'thr_1'});
    const [original, copied] = [(await loadLog(first)).events, (await loadLog(fork.file)).events];
    expect(copied.slice(0, -1).map(({ts}) => ts)).toEqual(original.map(({ts}) => ts));
    expect(copied.at(-1)).toMatchObject({seq: original.length + 1, turn: 2});
    expect(JSON.stringify(copied.slice(0, -1))).not.toContain('"thread_id":"thr_1"');
  });
});

describe('what a crash leaves', () => {
  it('at every event of a turn the session resumes with every finished item', async () => {
    const stateDir = await scratch();
    const events = [...wholeTurn(), turnStarted('trn_2'), user('More.'), turnCompleted('trn_2')];
    const file = await record(stateDir, 'thr_1', events);
    for (let kept = events.length; kept > 0; kept -= 1) {
      const whole = (await readFile(file, 'utf8')).split('\n').slice(0, kept).join('\n').length + 1;
      await truncate(file, whole - 1);
      const {log, history} = await openSession(stateDir, 'thr_1');
      log.close();
      expect(history.messages()).toEqual(historyFromEvents(events.slice(0, kept - 1)));
    }
  });
});

it('the folder of another day and files that are not sessions do not disturb', async () => {
  const stateDir = await scratch();
  const file = await record(stateDir, 'thr_a', [started()]);
  await mkdir(join(stateDir, 'sessions/1999-01-01'));
  await writeFile(join(stateDir, 'sessions/notes.txt'), 'x');
  await writeFile(join(dirname(file), 'thr_b.json'), 'x');
  await utimes(file, 1, 1);
  (await openSession(stateDir, 'thr_a')).log.close();
});

function fail(): never {
  throw new Error('no line');
}
