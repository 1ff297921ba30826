import {describe, expect, it} from 'vitest';
import {createInputQueue, MAX_QUEUED} from '../../src/agent/input-queue.ts';

describe('createInputQueue (vtcode architecture › queued follow-up inputs)', () => {
  it('takes the oldest of a kind, one at a time', () => {
    const queue = createInputQueue();
    queue.add('follow_up', 'first');
    queue.add('steer', 'now');
    queue.add('follow_up', 'second');
    const taken = [queue.take('follow_up')?.text, queue.take('steer')?.text, queue.take('follow_up')?.text, queue.take('follow_up')?.text];
    expect(taken).toEqual(['first', 'now', 'second', undefined]);
  });

  it('refuses the seventeenth input instead of dropping one', () => {
    const queue = createInputQueue();
    const ids = Array.from({length: MAX_QUEUED}, (_, n) => queue.add(n % 2 === 0 ? 'steer' : 'follow_up', String(n)));
    expect(new Set(ids).size).toBe(16);
    expect(() => queue.add('steer', 'one more')).toThrow('16 inputs are waiting already.');
    queue.take('steer');
    expect(() => queue.add('steer', 'one more')).not.toThrow();
  });
});
