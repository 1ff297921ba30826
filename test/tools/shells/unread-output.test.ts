import {getEventListeners} from 'node:events';
import {describe, expect, it} from 'vitest';
import {createUnreadOutput} from '../../../src/tools/shells/unread-output.ts';

describe('waiting for the output of a command', () => {
  it('ends when there is some, when it is woken, and when the signal aborts; nothing listens on', async () => {
    const output = createUnreadOutput();
    const stop = new AbortController();
    const ends: string[] = [];
    const wait = async (why: string): Promise<void> => {
      await output.next(stop.signal);
      ends.push(why);
    };
    const first = wait('output');
    output.push('stdout', 'one');
    await first;
    await wait('there is some already');
    expect(output.take()).toEqual([{type: 'output', stream: 'stdout', text: 'one'}]);
    const second = wait('woken');
    output.wake();
    await second;
    const third = wait('abort');
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
    stop.abort();
    await third;
    await wait('aborted already');
    expect(ends).toEqual(['output', 'there is some already', 'woken', 'abort', 'aborted already']);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });
});
