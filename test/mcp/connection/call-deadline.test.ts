import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {createCallDeadline} from '../../../src/mcp/connection/call-deadline.ts';

describe('createPatience', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('ends after silence; each sign of life begins it anew', () => {
    const deadline = createCallDeadline(100);
    vi.advanceTimersByTime(99);
    deadline.touch();
    vi.advanceTimersByTime(99);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.aborted).toBe(true);
  });

  it('ends after ten times that, whatever the signs of life', () => {
    const deadline = createCallDeadline(100);
    for (let at = 0; at < 999; at += 50) {
      deadline.touch();
      vi.advanceTimersByTime(50);
    }
    expect(deadline.signal.aborted).toBe(true);
  });

  it('does not count the time in which a person thinks', async () => {
    const deadline = createCallDeadline(100);
    const answer = Promise.withResolvers<string>();
    const asked = deadline.whilePaused(() => answer.promise);
    vi.advanceTimersByTime(5000);
    expect(deadline.signal.aborted).toBe(false);
    answer.resolve('yes');
    expect(await asked).toBe('yes');
    vi.advanceTimersByTime(100);
    expect(deadline.signal.aborted).toBe(true);
  });

  it('leaves no timer behind', () => {
    const deadline = createCallDeadline(100);
    deadline.end();
    deadline.touch();
    expect(vi.getTimerCount()).toBe(0);
  });
});
