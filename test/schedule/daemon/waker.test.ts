import {describe, expect, it} from 'vitest';
import {createWaker, waitMs} from '../../../src/schedule/daemon/waker.ts';

const MINUTE = 60_000;

function manualClock(): {now: () => number; after: (ms: number, run: () => void) => () => void; timers: Map<() => void, number>} {
  const timers = new Map<() => void, number>();
  return {
    now: () => 0,
    after(ms, run) {
      timers.set(run, ms);
      return () => void timers.delete(run);
    },
    timers,
  };
}

describe('a wait of the daemon', () => {
  it('is ten minutes at most, and shorter towards the due time, so that a short sleep does not miss it', () => {
    const waits: number[] = [];
    for (let left = 60 * MINUTE; left > 0;) {
      const wait = waitMs(left);
      waits.push(wait / MINUTE);
      left -= wait;
    }
    expect(waits).toEqual([10, 10, 10, 10, 10, 5, 2.5, 1.25, 1, 0.25]);
    expect([waitMs(90_000), waitMs(60_000), waitMs(1), waitMs(0), waitMs(-5)]).toEqual([60_000, 60_000, 1, 0, 0]);
  });

  it('has no timer where nothing is ahead', async () => {
    const clock = manualClock();
    const waker = createWaker(clock);
    const wait = waker.until(undefined, new AbortController().signal);
    expect(clock.timers.size).toBe(0);
    waker.wake();
    await wait;
  });

  it('ends with its moment, when it is woken, on abort; and at once when it was woken before', async () => {
    const clock = manualClock();
    const waker = createWaker(clock);
    const stop = new AbortController();
    const first = waker.until(MINUTE, stop.signal);
    expect([...clock.timers.values()]).toEqual([MINUTE]);
    for (const run of clock.timers.keys()) run();
    await first;
    expect(clock.timers.size).toBe(0);
    waker.wake();
    await waker.until(MINUTE, stop.signal);
    const last = waker.until(MINUTE, stop.signal);
    stop.abort();
    await last;
    await waker.until(MINUTE, stop.signal);
    expect(clock.timers.size).toBe(0);
  });
});
