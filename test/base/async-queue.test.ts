import {describe, expect, it} from 'vitest';
import {createAsyncQueue} from '../../src/base/async-queue.ts';

describe('createAsyncQueue', () => {
  it('gives items in order, those pushed before and after the consumer waits, and ends', async () => {
    const queue = createAsyncQueue<number>();
    queue.push(1);
    const all = (async () => {
      const seen: number[] = [];
      for await (const item of queue) seen.push(item);
      return seen;
    })();
    queue.push(2);
    await Promise.resolve();
    queue.push(3);
    queue.end();
    expect(await all).toEqual([1, 2, 3]);
  });

  it('fails after what was pushed is consumed', async () => {
    const queue = createAsyncQueue<string>();
    queue.push('a');
    queue.fail(new Error('broken'));
    const seen: string[] = [];
    const consume = async (): Promise<void> => {
      for await (const item of queue) seen.push(item);
    };
    await expect(consume()).rejects.toThrow('broken');
    expect(seen).toEqual(['a']);
  });
});
