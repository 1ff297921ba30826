import {expect, it} from 'vitest';
import {timeLimit} from '../../../src/code/extract/time-limit.ts';

it('a text is given up for the work it makes, not for what else the machine has to do (issue 6: every file of a repository is indexed)', () => {
  const now = {passed: 100, worked: 7};
  const isOver = timeLimit(10, {passed: () => now.passed, worked: () => now.worked});
  const seen = [
    [100, 7],
    [900, 8],
    [900, 17],
    [900, 18],
  ].map(([passed = 0, worked = 0]) => {
    Object.assign(now, {passed, worked});
    return isOver();
  });
  expect(seen).toEqual([false, false, false, true]);
});

it('the clocks of this thread: nothing is over at once, work of no length is', () => {
  expect(timeLimit(60_000)()).toBe(false);
  expect(timeLimit(-1)()).toBe(true);
});
