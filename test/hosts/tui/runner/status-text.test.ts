import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {createStatusText} from '../../../../src/hosts/tui/runner/status-text.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function asking() {
  const log: string[] = [];
  const answers: ((text: string | undefined) => void)[] = [];
  const signals: AbortSignal[] = [];
  const status = createStatusText({
    read(info, signal) {
      log.push(`${Date.now() - start} read ${info.mode}`);
      signals.push(signal);
      return new Promise((resolve) => void answers.push(resolve));
    },
    show: (text) => void log.push(`${Date.now() - start} show ${text}`),
    now: () => Date.now(),
  });
  const start = Date.now();
  const answer = async (text: string): Promise<void> => {
    answers.shift()?.(text);
    await vi.advanceTimersByTimeAsync(0);
  };
  return {log, status, signals, answer};
}

describe('the text for the status line', () => {
  it('is read at most every two seconds, one at a time, the newest state at last', async () => {
    const {log, status, answer} = asking();
    status.ask({mode: 'ask'});
    status.ask({mode: 'plan'});
    await vi.advanceTimersByTimeAsync(500);
    status.ask({mode: 'full-auto'});
    await answer('one');
    await vi.advanceTimersByTimeAsync(1499);
    expect(log).toEqual(['0 read ask', '500 show one']);
    await vi.advanceTimersByTimeAsync(1);
    await vi.advanceTimersByTimeAsync(4000);
    await answer('two');
    await vi.advanceTimersByTimeAsync(9000);
    expect(log).toEqual(['0 read ask', '500 show one', '2000 read full-auto', '6000 show two']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('closed, it ends the reading and its timer, and shows nothing more', async () => {
    const {log, status, signals, answer} = asking();
    status.ask({mode: 'ask'});
    status.close();
    await answer('late');
    status.ask({mode: 'plan'});
    expect([log, signals.map(({aborted}) => aborted), vi.getTimerCount()]).toEqual([['0 read ask'], [true], 0]);
  });

  it('closed while it waits, nothing is read', async () => {
    const {log, status, answer} = asking();
    status.ask({mode: 'ask'});
    await answer('one');
    status.ask({mode: 'plan'});
    expect(vi.getTimerCount()).toBe(1);
    status.close();
    await vi.advanceTimersByTimeAsync(9000);
    expect([log, vi.getTimerCount()]).toEqual([['0 read ask', '0 show one'], 0]);
  });
});
