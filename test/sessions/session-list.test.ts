import {mkdir, truncate, utimes, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {encodeLine} from '../../src/sessions/log-line.ts';
import {sessionsInUse} from '../../src/sessions/session-files.ts';
import {latestSession, listSessions} from '../../src/sessions/session-list.ts';
import {createSession} from '../../src/sessions/session-store.ts';
import {openedBelow} from '../support/opened-files.ts';
import {scratch} from '../support/scratch.ts';
import {logged, output, started, turnCompleted, turnFailed, turnStarted, user, wholeTurn} from './events.ts';

interface Recorded {
  readonly id: string;
  readonly events: readonly ThreadEvent[];
  /** When it was last used, in seconds since 1970. */
  readonly used?: number;
}

async function store(sessions: readonly Recorded[]): Promise<string> {
  const stateDir = await scratch();
  const day = join(stateDir, 'sessions/2026-01-02');
  await mkdir(day, {recursive: true});
  for (const {id, events, used = 1000} of sessions) {
    const file = join(day, `${id}.jsonl`);
    await writeFile(file, logged(events).map(encodeLine).join(''));
    await utimes(file, used, used);
  }
  return stateDir;
}

describe('listSessions', () => {
  it('tells each session from its head and tail', async () => {
    const stateDir = await store([{id: 'thr_1', events: wholeTurn(), used: 1_767_323_045}]);
    const file = join(stateDir, 'sessions/2026-01-02/thr_1.jsonl');
    expect(listSessions({stateDir})).toEqual([
      {
        threadId: 'thr_1',
        file,
        bytes: logged(wholeTurn()).map(encodeLine).join('').length,
        updatedAt: '2026-01-02T03:04:05.000Z',
        startedAt: '2026-01-02T03:04:00.000Z',
        cwd: '/demo',
        model: 'script/demo',
        title: 'Fix it.',
        turns: 1,
        outcome: 'success',
      },
    ]);
  });

  it('the last used comes first; limit and folder choose', async () => {
    const stateDir = await store([
      {id: 'thr_1', events: [started()], used: 300},
      {id: 'thr_2', events: [started({cwd: '/other'})], used: 100},
      {id: 'thr_3', events: [started()], used: 200},
      {id: 'thr_4', events: [started()], used: 200},
    ]);
    const ids = (options: {cwd?: string; limit?: number}): string[] => listSessions({stateDir, ...options}).map(({threadId}) => threadId);
    expect(ids({})).toEqual(['thr_1', 'thr_4', 'thr_3', 'thr_2']);
    expect(ids({limit: 2})).toEqual(['thr_1', 'thr_4']);
    expect(ids({cwd: '/other'})).toEqual(['thr_2']);
    expect(ids({cwd: '/dem'})).toEqual([]);
    expect(ids({cwd: '/demo', limit: 3})).toEqual(['thr_1', 'thr_4', 'thr_3']);
    expect(listSessions({stateDir: join(stateDir, 'nowhere')})).toEqual([]);
  });

  it('how the last turn ended, and how many there were, also behind more output than one look at the tail', async () => {
    const big = output('r9', {id: 'c9'}, 'x'.repeat(300_000));
    const stateDir = await store([
      {id: 'thr_1', events: [started()], used: 6},
      {id: 'thr_2', events: [...wholeTurn(), turnStarted('trn_2'), user('More.')], used: 5},
      {id: 'thr_3', events: [started(), turnStarted(), turnFailed('provider_error')], used: 4},
      {id: 'thr_4', events: [started(), turnStarted(), turnCompleted(), turnStarted(), big], used: 3},
      {id: 'thr_5', events: [started(), turnStarted(), turnCompleted(), {...big, turn_id: undefined} as ThreadEvent], used: 2},
    ]);
    expect(listSessions({stateDir}).map(({turns, outcome}) => ({turns, outcome}))).toEqual([
      {turns: 0, outcome: undefined},
      {turns: 2, outcome: 'interrupted'},
      {turns: 1, outcome: 'provider_error'},
      {turns: 2, outcome: 'interrupted'},
      {turns: 1, outcome: 'success'},
    ]);
  });

  it('a session whose process lives is running', async () => {
    const stateDir = await scratch();
    const {log} = await createSession({stateDir, threadId: 'thr_1'});
    for (const event of [started(), turnStarted(), user('Go.')]) log.append(event);
    expect(listSessions({stateDir})).toMatchObject([{outcome: 'running', title: 'Go.'}]);
    log.close();
    expect(listSessions({stateDir})).toMatchObject([{outcome: 'interrupted'}]);
  });

  it('titles are one short line without control characters, also of a prompt longer than the head that is read', async () => {
    const title = async (prompt: string): Promise<string | undefined> => {
      const stateDir = await store([{id: 'thr_1', events: [started(), turnStarted(), user(prompt)]}]);
      return listSessions({stateDir})[0]?.title;
    };
    expect(await title('  Fix\n\tthe \u001b[31mtest\u0007 ')).toBe('Fix the [31mtest');
    expect(await title('word '.repeat(50))).toBe(`${'word '.repeat(15)}word…`);
    expect(await title(`Read "this":\n${'z'.repeat(100_000)}`)).toMatch(/^Read "this": z+…$/);
  });

  it('a broken session is listed as broken and hides no other', async () => {
    const stateDir = await store([
      {id: 'thr_1', events: wholeTurn(), used: 9},
      {id: 'thr_2', events: [], used: 8},
      {id: 'thr_3', events: [started()], used: 7},
      {id: 'thr_4', events: [user('No beginning.')], used: 6},
    ]);
    const day = join(stateDir, 'sessions/2026-01-02');
    await truncate(join(day, 'thr_3.jsonl'), 20);
    await utimes(join(day, 'thr_3.jsonl'), 7, 7);
    await mkdir(join(day, 'thr_5.jsonl'));
    await utimes(join(day, 'thr_5.jsonl'), 5, 5);
    await writeFile(join(day, 'thr_6.jsonl'), Buffer.alloc(100_000));
    await utimes(join(day, 'thr_6.jsonl'), 4, 4);
    expect(listSessions({stateDir, cwd: '/demo'}).map(({threadId, broken}) => ({threadId, broken}))).toEqual([
      {threadId: 'thr_1', broken: undefined},
      {threadId: 'thr_2', broken: 'it is empty'},
      {threadId: 'thr_3', broken: 'its first line is broken: not JSON'},
      {threadId: 'thr_4', broken: 'it has no beginning'},
      {threadId: 'thr_5', broken: 'it is not a regular file'},
      {threadId: 'thr_6', broken: 'its first line is broken: not JSON'},
    ]);
  });
});

describe('latestSession', () => {
  it('is the last used of the folder that can be read and that somebody typed into', async () => {
    const stateDir = await store([
      {id: 'thr_1', events: wholeTurn(), used: 100},
      {id: 'thr_2', events: wholeTurn(), used: 200},
      {id: 'thr_3', events: [started({cwd: '/other'})], used: 300},
      {id: 'thr_4', events: [], used: 400},
      {id: 'thr_5', events: [started()], used: 500},
    ]);
    expect(latestSession({stateDir, cwd: '/demo'})?.threadId).toBe('thr_2');
    expect(latestSession({stateDir, cwd: '/nowhere'})).toBe(undefined);
  });
});

describe('with thousands of sessions', () => {
  it('the one that was used last is found without opening the others', async () => {
    const ids = Array.from({length: 30}, (_, n) => `thr_${n}`);
    const stateDir = await store(ids.map((id, n) => ({id, events: wholeTurn(), used: 1000 + n})));
    const opened = openedBelow(stateDir);
    expect(latestSession({stateDir, cwd: '/demo'})?.threadId).toBe('thr_29');
    expect(opened).toEqual(['sessions', 'sessions/2026-01-02', 'sessions/2026-01-02/thr_29.jsonl']);
  });

  it('as many are opened as are asked for', async () => {
    const ids = Array.from({length: 30}, (_, n) => `thr_${n}`);
    const stateDir = await store(ids.map((id, n) => ({id, events: wholeTurn(), used: 1000 + n})));
    const opened = openedBelow(join(stateDir, 'sessions/2026-01-02'));
    expect(listSessions({stateDir, limit: 2}).map(({threadId}) => threadId)).toEqual(['thr_29', 'thr_28']);
    expect(opened).toEqual(['', 'thr_29.jsonl', 'thr_28.jsonl']);
  });

  it('those that are written now are found with one look at the names', async () => {
    const stateDir = await scratch();
    const [one, other] = [await createSession({stateDir, threadId: 'thr_1'}), await createSession({stateDir, threadId: 'thr_2'})];
    const day = dirname(one.file);
    other.log.close();
    const opened = openedBelow(day);
    expect([...sessionsInUse(stateDir)]).toEqual(['thr_1']);
    expect(opened).toEqual(['', 'thr_1.jsonl.lock']);
    one.log.close();
    expect([...sessionsInUse(stateDir)]).toEqual([]);
  });
});
