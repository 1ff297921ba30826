import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {createSoon} from '../../../../../src/hosts/tui/fettle/mentions/soon.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const after = (milliseconds: number): Promise<readonly string[]> =>
  new Promise((resolve) => void setTimeout(() => resolve([`after ${milliseconds}`]), milliseconds));

describe('what a source has found by now', () => {
  it('is waited for 200 ms; after it was late 100 ms, until it answers in time again; what fails has found nothing', async () => {
    const soon = createSoon();
    const told: (readonly string[])[] = [];
    const ask = async (found: Promise<readonly string[]>): Promise<void> => {
      const answer = soon(found);
      await vi.advanceTimersByTimeAsync(300);
      told.push(await answer);
    };
    for (const milliseconds of [199, 201, 150, 90, 199]) await ask(after(milliseconds));
    await ask(Promise.reject(new Error('gone')));
    expect([told, vi.getTimerCount()]).toEqual([[['after 199'], [], [], ['after 90'], ['after 199'], []], 0]);
  });
});
