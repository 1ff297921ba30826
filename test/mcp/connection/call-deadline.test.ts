import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {createPatience} from '../../../src/mcp/connection/call-deadline.ts';

describe('createPatience', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('ends after silence; each sign of life begins it anew', () => {
    const patience = createPatience(100);
    vi.advanceTimersByTime(99);
    patience.touch();
    vi.advanceTimersByTime(99);
    expect(patience.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(patience.signal.aborted).toBe(true);
  });

  it('ends after ten times that, whatever the signs of life', () => {
    const patience = createPatience(100);
    for (let at = 0; at < 999; at += 50) {
      patience.touch();
      vi.advanceTimersByTime(50);
    }
    expect(patience.signal.aborted).toBe(true);
  });

  it('does not count the time in which a person thinks', async () => {
    const patience = createPatience(100);
    const answer = Promise.withResolvers<string>();
    const asked = patience.whilePaused(() => answer.promise);
    vi.advanceTimersByTime(5000);
    expect(patience.signal.aborted).toBe(false);
    answer.resolve('yes');
    expect(await asked).toBe('yes');
    vi.advanceTimersByTime(100);
    expect(patience.signal.aborted).toBe(true);
  });

  it('leaves no timer behind', () => {
    const patience = createPatience(100);
    patience.end();
    patience.touch();
    expect(vi.getTimerCount()).toBe(0);
  });
});
