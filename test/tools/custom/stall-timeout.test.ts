import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import {createStallTimeout, type StallTimeout} from '../../../src/tools/custom/stall-timeout.ts';

beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}));
afterEach(() => void vi.useRealTimers());

/** The reason why a wait without end was given up, as far as it is known now. */
function lossOf(stall: StallTimeout): () => string {
  let loss = 'patient';
  stall.orLost(Promise.withResolvers<never>().promise).catch((error: unknown) => {
    loss = isFettleError(error) ? error.code : String(error);
  });
  return () => loss;
}

describe('createStallTimeout', () => {
  it('is lost after a silence, and every sign of life begins it anew', async () => {
    const stall = createStallTimeout(100, new AbortController().signal);
    const loss = lossOf(stall);
    await vi.advanceTimersByTimeAsync(99);
    stall.touch();
    await vi.advanceTimersByTimeAsync(99);
    expect(loss()).toBe('patient');
    await vi.advanceTimersByTimeAsync(1);
    expect(loss()).toBe('TIMEOUT');
    stall.end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waiting for a person is not silence, however many wait at once', async () => {
    const stall = createStallTimeout(100, new AbortController().signal);
    const loss = lossOf(stall);
    const [one, other] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const waiting = [stall.pauseFor(one.promise), stall.pauseFor(other.promise)];
    await vi.advanceTimersByTimeAsync(1000);
    one.resolve('yes');
    await vi.advanceTimersByTimeAsync(1000);
    expect(loss()).toBe('patient');
    other.resolve('no');
    expect(await Promise.all(waiting)).toEqual(['yes', 'no']);
    await vi.advanceTimersByTimeAsync(100);
    expect(loss()).toBe('TIMEOUT');
    stall.end();
  });

  it('a cancelled call has a second to put things in order, also while it waits', async () => {
    const stop = new AbortController();
    const stall = createStallTimeout(100, stop.signal);
    const loss = lossOf(stall);
    const waiting = Promise.withResolvers<void>();
    const waited = stall.pauseFor(waiting.promise);
    stop.abort();
    stall.touch();
    await vi.advanceTimersByTimeAsync(999);
    waiting.resolve();
    await waited;
    expect(loss()).toBe('patient');
    await vi.advanceTimersByTimeAsync(1);
    expect(loss()).toBe('CANCELLED');
    stall.end();
  });

  it('leaves no timer behind, whatever comes later', async () => {
    const stop = new AbortController();
    const stall = createStallTimeout(100, stop.signal);
    const loss = lossOf(stall);
    stall.end();
    stall.touch();
    await stall.pauseFor(Promise.resolve());
    stop.abort();
    await vi.advanceTimersByTimeAsync(5000);
    expect([loss(), vi.getTimerCount()]).toEqual(['patient', 0]);
  });
});
