import {describe, expect, it} from 'vitest';
import {encodeLine} from '../../src/sessions/log-line.ts';
import {searchSessions} from '../../src/sessions/search-sessions.ts';
import {scratch} from '../support/scratch.ts';
import {logged, output, started, text, user} from './events.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const KEY = `sk-ant-${'a1'.repeat(20)}`;

async function sessions() {
  const log = (thread: string, cwd: string, said: string) =>
    logged([started({thread_id: thread, cwd}), user(said), text('r1', `Answer to ${said}`), output('r1', {id: 'c1'}, `${KEY} Needle`)])
      .map(encodeLine)
      .join('');
  return await scratch({
    'sessions/2026-01-02/thr_a.jsonl': log('thr_a', '/one', 'Where is the needle?'),
    'sessions/2026-01-02/thr_b.jsonl': log('thr_b', '/two', 'Nothing.'),
    'sessions/2026-01-02/thr_c.jsonl': 'broken\n',
  });
}

describe('searchSessions', () => {
  it('finds items, upper and lower case alike, by the number that `show --item` takes; secrets are hidden', async () => {
    const found = await searchSessions({stateDir: await sessions(), text: 'NEEDLE', most: 10, cwd: '/one'});
    expect(found.map(({session, number, type, excerpt}) => [session.threadId, number, type, excerpt])).toEqual([
      ['thr_a', 1, 'user_message', 'Where is the needle?'],
      ['thr_a', 2, 'agent_message', 'Answer to Where is the needle?'],
      ['thr_a', 3, 'tool_output', 'read [redacted Anthropic key] Needle'],
    ]);
  });

  it('of every folder, up to a number; what cannot be read is passed over', async () => {
    const stateDir = await sessions();
    expect((await searchSessions({stateDir, text: 'needle', most: 10})).map(({session}) => session.threadId).sort()).toEqual([
      'thr_a',
      'thr_a',
      'thr_a',
      'thr_b',
    ]);
    expect(await searchSessions({stateDir, text: 'needle', most: 2})).toHaveLength(2);
    expect(await searchSessions({stateDir, text: 'haystack', most: 2})).toEqual([]);
  });

  it('a long item is shown around the text', async () => {
    const stateDir = await scratch({
      'sessions/d/thr_a.jsonl': logged([started(), user(`${'a'.repeat(500)}\n\tNeedle ${'b'.repeat(500)}`)])
        .map(encodeLine)
        .join(''),
    });
    const [hit] = await searchSessions({stateDir, text: 'needle', most: 1});
    expect(hit?.excerpt).toMatch(/^…a+ Needle b+…$/);
    expect(hit?.excerpt.length).toBeLessThanOrEqual(122);
  });
});
