import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import type {AgentSession, PickerItem} from '../../../../../src/hosts/tui/host-adapter.ts';
import type {Action} from '../../../../../src/hosts/tui/model/action.ts';
import {createFileSearch} from '../../../../../src/hosts/tui/runner/requests/file-search.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ITEM = {value: 'a.ts', label: 'a.ts'};

/** A session that answers when the test says so. */
function searching(isOpen = (): boolean => true) {
  const asked: {query: string; signal: AbortSignal; answer: (items: readonly PickerItem[]) => void; fail: (why: unknown) => void}[] = [];
  const told: Action[] = [];
  const files: AgentSession['files'] = (query, signal) =>
    new Promise((resolve, reject) => void asked.push({query, signal, answer: resolve, fail: reject}));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the search uses no more of a session
  const search = createFileSearch(
    () => (isOpen() ? ({files} as AgentSession) : undefined),
    (action) => told.push(action),
  );
  return {search, asked, told, queries: () => asked.map(({query, signal}) => [query, signal.aborted])};
}

describe('searching as a person types (VT Code architecture › "Debounce and cancellation pipeline for responsive searches")', () => {
  it('asks when nothing was typed for 40 ms, for contents 120 ms', async () => {
    const {search, queries} = searching();
    for (const query of ['', 'a', 'ab']) {
      search.look(query);
      await vi.advanceTimersByTimeAsync(39);
    }
    expect(queries()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(queries()).toEqual([['ab', false]]);
    search.look('/ab');
    await vi.advanceTimersByTimeAsync(119);
    expect(queries()).toEqual([['ab', true]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(queries()).toEqual([
      ['ab', true],
      ['/ab', false],
    ]);
  });

  it('a newer query ends the older one, whose answer is not shown any more; a search that fails says nothing', async () => {
    const {search, asked, told} = searching();
    search.look('a');
    await vi.advanceTimersByTimeAsync(40);
    search.look('ab');
    asked[0]?.answer([ITEM]);
    await vi.advanceTimersByTimeAsync(40);
    asked[1]?.fail(new Error('gone'));
    search.look('abc');
    await vi.advanceTimersByTimeAsync(40);
    asked[2]?.answer([ITEM]);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([{type: 'suggested', query: 'abc', items: [ITEM]}]);
  });

  it('closed, it ends what runs and leaves no timer', async () => {
    const {search, queries} = searching();
    search.look('a');
    await vi.advanceTimersByTimeAsync(40);
    search.close();
    search.look('b');
    search.close();
    expect([queries(), vi.getTimerCount()]).toEqual([[['a', true]], 0]);
  });

  it('what was typed before the conversation is open is asked for as soon as it is', async () => {
    let isOpen = false;
    const {search, queries} = searching(() => isOpen);
    search.look('a');
    await vi.advanceTimersByTimeAsync(400);
    expect(queries()).toEqual([]);
    isOpen = true;
    await vi.advanceTimersByTimeAsync(40);
    expect(queries()).toEqual([['a', false]]);
    isOpen = false;
    search.look('ab');
    await vi.advanceTimersByTimeAsync(80);
    search.close();
    expect([queries(), vi.getTimerCount()]).toEqual([[['a', true]], 0]);
  });
});
