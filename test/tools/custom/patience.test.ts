import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import {createPatience, type Patience} from '../../../src/tools/custom/patience.ts';

beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}));
afterEach(() => void vi.useRealTimers());

/** `lost` as far as it is known now. */
function lossOf(patience: Patience): () => string {
  let loss = 'patient';
  patience.lost.catch((error: unknown) => {
    loss = isFettleError(error) ? error.code : String(error);
  });
  return () => loss;
}

describe('createPatience', () => {
  it('is lost after a silence, and every sign of life begins it anew', async () => {
    const patience = createPatience(100, new AbortController().signal);
    const loss = lossOf(patience);
    await vi.advanceTimersByTimeAsync(99);
    patience.touch();
    await vi.advanceTimersByTimeAsync(99);
    expect(loss()).toBe('patient');
    await vi.advanceTimersByTimeAsync(1);
    expect(loss()).toBe('TIMEOUT');
    patience.end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waiting for a person is no silence, however many wait at once', async () => {
    const patience = createPatience(100, new AbortController().signal);
    const loss = lossOf(patience);
    const [one, other] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const waiting = [patience.waitFor(one.promise), patience.waitFor(other.promise)];
    await vi.advanceTimersByTimeAsync(1000);
    one.resolve('yes');
    await vi.advanceTimersByTimeAsync(1000);
    expect(loss()).toBe('patient');
    other.resolve('no');
    expect(await Promise.all(waiting)).toEqual(['yes', 'no']);
    await vi.advanceTimersByTimeAsync(100);
    expect(loss()).toBe('TIMEOUT');
    patience.end();
  });

  it('a cancelled call has a second to put things in order, also while it waits', async () => {
    const stop = new AbortController();
    const patience = createPatience(100, stop.signal);
    const loss = lossOf(patience);
    const waiting = Promise.withResolvers<void>();
    const waited = patience.waitFor(waiting.promise);
    stop.abort();
    patience.touch();
    await vi.advanceTimersByTimeAsync(999);
    waiting.resolve();
    await waited;
    expect(loss()).toBe('patient');
    await vi.advanceTimersByTimeAsync(1);
    expect(loss()).toBe('CANCELLED');
    patience.end();
  });

  it('leaves no timer behind, whatever comes later', async () => {
    const stop = new AbortController();
    const patience = createPatience(100, stop.signal);
    const loss = lossOf(patience);
    patience.end();
    patience.touch();
    await patience.waitFor(Promise.resolve());
    stop.abort();
    await vi.advanceTimersByTimeAsync(5000);
    expect([loss(), vi.getTimerCount()]).toEqual(['patient', 0]);
  });
});
