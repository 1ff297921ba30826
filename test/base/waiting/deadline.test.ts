import {getEventListeners} from 'node:events';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {createDeadline, type Deadline, type DeadlineLimits} from '../../../src/base/waiting/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Opens a pause; `over` ends it. */
function pause(deadline: Deadline): {readonly over: () => Promise<string>} {
  const answer = Promise.withResolvers<string>();
  const paused = deadline.pauseFor(answer.promise);
  return {
    over() {
      answer.resolve('yes');
      return paused;
    },
  };
}

/** After how many milliseconds of 10 000 it ended. */
function endOf({signal}: Deadline): number | undefined {
  for (let at = 0; at <= 10_000; at += 1) {
    if (signal.aborted) return at;
    vi.advanceTimersByTime(1);
  }
  return undefined;
}

describe('createDeadline', () => {
  it.each<[name: string, limits: DeadlineLimits, end: number | undefined]>([
    ['silence', {idleMs: 100}, 100],
    ['the total', {totalMs: 100}, 100],
    ['whichever comes first', {idleMs: 100, totalMs: 50}, 50],
    ['a total that is used up already', {totalMs: -1}, 1],
    ['nothing', {}, undefined],
    ['nothing, where the time is longer than a timer can be', {idleMs: 2 ** 40, totalMs: Infinity}, undefined],
  ])('ends by %s, and leaves no timer', (_, limits, end) => {
    const deadline = createDeadline(limits);
    expect(endOf(deadline)).toBe(end);
    deadline.end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('begins the silence anew with each sign of life', () => {
    const deadline = createDeadline({idleMs: 100});
    vi.advanceTimersByTime(99);
    deadline.touch();
    expect(endOf(deadline)).toBe(100);
  });

  it('ends after the total, whatever the signs of life', () => {
    const deadline = createDeadline({idleMs: 100, totalMs: 1000});
    for (let at = 0; at < 999; at += 50) {
      deadline.touch();
      vi.advanceTimersByTime(50);
    }
    expect(deadline.signal.aborted).toBe(true);
  });

  it('does not count a pause: then the silence is a new one, and the total goes on with what is left', async () => {
    const silent = createDeadline({idleMs: 100});
    const bounded = createDeadline({totalMs: 100});
    const pauses = [pause(silent), pause(bounded)];
    vi.advanceTimersByTime(5000);
    await Promise.all(pauses.map(async ({over}) => await over()));
    vi.advanceTimersByTime(60);
    const again = [pause(silent), pause(bounded)];
    vi.advanceTimersByTime(5000);
    expect(await Promise.all(again.map(async ({over}) => await over()))).toEqual(['yes', 'yes']);
    expect([endOf(bounded), endOf(silent)]).toEqual([40, 60]);
  });

  it('goes on when the last of several pauses is over, not for a sign of life in between', async () => {
    const deadline = createDeadline({idleMs: 100, totalMs: 300});
    const [one, other] = [pause(deadline), pause(deadline)];
    await one.over();
    deadline.touch();
    vi.advanceTimersByTime(1000);
    expect([deadline.signal.aborted, vi.getTimerCount()]).toEqual([false, 0]);
    await other.over();
    expect(endOf(deadline)).toBe(100);
  });

  it('takes from the total what was before the first of several pauses', async () => {
    const deadline = createDeadline({totalMs: 100});
    vi.advanceTimersByTime(30);
    const one = pause(deadline);
    vi.advanceTimersByTime(500);
    const other = pause(deadline);
    await one.over();
    vi.advanceTimersByTime(500);
    await other.over();
    expect(endOf(deadline)).toBe(70);
  });

  it('goes on after a pause that failed', async () => {
    const deadline = createDeadline({totalMs: 100});
    await expect(deadline.pauseFor(Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(endOf(deadline)).toBe(100);
  });

  it.each(['before', 'while', 'after'])('gives what was cancelled its grace alone: %s a pause', async (when) => {
    const stop = new AbortController();
    const deadline = createDeadline({idleMs: 100, totalMs: 200, cancel: {signal: stop.signal, graceMs: 1000}});
    if (when === 'before') stop.abort();
    const paused = pause(deadline);
    if (when === 'while') stop.abort();
    await paused.over();
    if (when === 'after') stop.abort();
    deadline.touch();
    expect(endOf(deadline)).toBe(1000);
    expect([vi.getTimerCount(), getEventListeners(stop.signal, 'abort')]).toEqual([0, []]);
  });

  it('knows a signal that has aborted already', () => {
    const deadline = createDeadline({idleMs: 100, cancel: {signal: AbortSignal.abort(), graceMs: 50}});
    expect(endOf(deadline)).toBe(50);
  });

  it('leaves no timer behind where it ends within its grace', () => {
    const stop = new AbortController();
    const deadline = createDeadline({idleMs: 100, cancel: {signal: stop.signal, graceMs: 1000}});
    stop.abort();
    expect(vi.getTimerCount()).toBe(1);
    deadline.end();
    expect([vi.getTimerCount(), endOf(deadline)]).toEqual([0, undefined]);
  });

  it('leaves no timer and no listener behind, whatever comes after its end', async () => {
    const stop = new AbortController();
    const deadline = createDeadline({idleMs: 100, totalMs: 200, cancel: {signal: stop.signal, graceMs: 1000}});
    const paused = pause(deadline);
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
    deadline.end();
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    await paused.over();
    deadline.touch();
    stop.abort();
    expect([vi.getTimerCount(), endOf(deadline)]).toEqual([0, undefined]);
  });
});
