import {beforeEach, describe, expect, it, onTestFinished, vi} from 'vitest';
import {createThrottle} from '../../../src/sdk/live/throttle.ts';

describe('a throttle', () => {
  beforeEach(() => {
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']});
    onTestFinished(() => void vi.useRealTimers());
  });

  it('calls soon, then at most once in a while, and for the last time it was asked', () => {
    const calls: number[] = [];
    const {ask} = createThrottle(() => calls.push(performance.now()), 50);
    const start = performance.now();
    ask();
    expect(calls).toEqual([]);
    for (let at = 0; at < 120; at += 10) {
      vi.advanceTimersByTime(10);
      ask();
    }
    vi.advanceTimersByTime(1000);
    expect(calls.map((at) => Math.round(at - start))).toEqual([0, 50, 100, 150]);
  });

  it('a call that takes long is made less often', () => {
    const calls: number[] = [];
    const start = performance.now();
    const {ask} = createThrottle(() => {
      calls.push(performance.now() - start);
      vi.advanceTimersByTime(40);
    }, 50);
    for (let at = 0; at < 30; at += 1) {
      ask();
      vi.advanceTimersByTime(10);
    }
    expect(calls.map(Math.round)).toEqual([0, 160, 320]);
  });

  it('while nobody asks, nothing waits; once stopped, nothing is called', () => {
    let calls = 0;
    const throttle = createThrottle(() => (calls += 1), 50);
    throttle.ask();
    vi.advanceTimersByTime(500);
    expect([calls, vi.getTimerCount()]).toEqual([1, 0]);
    throttle.ask();
    throttle.stop();
    throttle.ask();
    vi.advanceTimersByTime(500);
    expect([calls, vi.getTimerCount()]).toEqual([1, 0]);
  });
});
