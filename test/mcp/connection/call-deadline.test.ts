import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {createCallDeadline} from '../../../src/mcp/connection/call-deadline.ts';

describe('createCallDeadline', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('ends after silence', () => {
    const deadline = createCallDeadline(100);
    vi.advanceTimersByTime(99);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.aborted).toBe(true);
  });

  it('ends after ten times that, whatever the signs of life and the questions; the time in which a person thinks does not count', async () => {
    const deadline = createCallDeadline(100);
    const tick = (): void => {
      deadline.touch();
      vi.advanceTimersByTime(50);
    };
    for (let at = 0; at < 500; at += 50) tick();
    const answer = Promise.withResolvers<string>();
    const asked = deadline.pauseFor(answer.promise);
    vi.advanceTimersByTime(5000);
    answer.resolve('yes');
    expect(await asked).toBe('yes');
    for (let at = 0; at < 450; at += 50) tick();
    expect(deadline.signal.aborted).toBe(false);
    tick();
    expect(deadline.signal.aborted).toBe(true);
  });
});
