import {describe, expect, it} from 'vitest';
import {createOutputTail, MOST_TAIL} from '../../../src/tools/live/output-tail.ts';

describe('the newest output of a command', () => {
  it('is kept in its order, however often it is read', () => {
    const tail = createOutputTail();
    tail.push('a');
    tail.push('b');
    expect([tail.read(), tail.read()]).toEqual([
      {text: 'ab', isCut: false},
      {text: 'ab', isCut: false},
    ]);
  });

  it.each([
    [1, MOST_TAIL, false],
    [1, MOST_TAIL + 1, true],
    [MOST_TAIL, 5, true],
    [7, 10_000, true],
    [10 * MOST_TAIL, 1, true],
  ])('pieces of %i characters, %i of them: no more than the newest are kept', (length, count, isCut) => {
    const tail = createOutputTail();
    let all = '';
    for (let at = 0; at < count; at += 1) {
      const piece = String(at % 10).repeat(length);
      all = (all + piece).slice(-MOST_TAIL);
      tail.push(piece);
    }
    expect(tail.read()).toEqual({text: all, isCut});
  });

  it('calls back with each piece and with a wake, until that is ended', () => {
    const tail = createOutputTail();
    let calls = 0;
    const stop = tail.listen(() => (calls += 1));
    tail.push('a');
    tail.wake();
    stop();
    tail.push('b');
    expect(calls).toBe(2);
  });
});
