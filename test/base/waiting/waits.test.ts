import {getEventListeners} from 'node:events';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {FettleError} from '../../../src/base/errors.ts';
import {onAbort} from '../../../src/base/waiting/on-abort.ts';
import {orAbort} from '../../../src/base/waiting/or-abort.ts';
import {LATE, orLate} from '../../../src/base/waiting/or-late.ts';

const CANCELLED = new FettleError({code: 'CANCELLED', message: 'Cancelled.'});

function listeners(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}

describe('onAbort', () => {
  it('acts once: when the signal aborts, or at once where it has', () => {
    const stop = new AbortController();
    const act = vi.fn<() => void>();
    onAbort(stop.signal, act);
    expect(act).toHaveBeenCalledTimes(0);
    stop.abort();
    expect([act.mock.calls.length, listeners(stop.signal)]).toEqual([1, 0]);
    onAbort(stop.signal, act);
    expect([act.mock.calls.length, listeners(stop.signal)]).toEqual([2, 0]);
  });

  it('does not act when nobody waits any more', () => {
    const stop = new AbortController();
    const act = vi.fn<() => void>();
    onAbort(stop.signal, act)();
    expect(listeners(stop.signal)).toBe(0);
    stop.abort();
    expect(act).toHaveBeenCalledTimes(0);
  });
});

describe('orAbort', () => {
  it('gives what the promise gives, and leaves no listener', async () => {
    const {signal} = new AbortController();
    const [good, bad] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const waits = [orAbort(good.promise, signal), orAbort(bad.promise, signal)];
    expect(listeners(signal)).toBe(2);
    good.resolve('yes');
    bad.reject(new Error('no'));
    expect(await Promise.allSettled(waits)).toEqual([
      {status: 'fulfilled', value: 'yes'},
      {status: 'rejected', reason: new Error('no')},
    ]);
    expect(listeners(signal)).toBe(0);
  });

  it('rejects as soon as the signal aborts: with CANCELLED, or what is made of the reason', async () => {
    const stop = new AbortController();
    const never = Promise.withResolvers<string>().promise;
    const toError = (reason: unknown): Error => new Error(`because ${String(reason)}`);
    const waits = [orAbort(never, stop.signal), orAbort(never, stop.signal, toError)];
    stop.abort('I say so');
    waits.push(orAbort(never, stop.signal));
    expect(await Promise.allSettled(waits)).toEqual([
      {status: 'rejected', reason: CANCELLED},
      {status: 'rejected', reason: new Error('because I say so')},
      {status: 'rejected', reason: CANCELLED},
    ]);
    expect(listeners(stop.signal)).toBe(0);
  });
});

describe('orLate', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('gives what comes in time, an error too, and leaves no timer and no listener', async () => {
    const {signal} = new AbortController();
    await expect(orLate(Promise.resolve('yes'), 100, {signal})).resolves.toBe('yes');
    await expect(orLate(Promise.reject(new Error('no')), 100, {signal})).rejects.toThrow('no');
    expect([vi.getTimerCount(), listeners(signal)]).toEqual([0, 0]);
  });

  it('gives LATE after the time; what goes wrong later is nobody’s error', async () => {
    const {signal} = new AbortController();
    const slow = Promise.withResolvers<string>();
    const wait = orLate(slow.promise, 100, {signal});
    await vi.advanceTimersByTimeAsync(99);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await wait).toBe(LATE);
    expect([vi.getTimerCount(), listeners(signal)]).toEqual([0, 0]);
    slow.reject(new Error('too late'));
  });

  it('is CANCELLED by a signal, and leaves no timer', async () => {
    const stop = new AbortController();
    const wait = orLate(Promise.withResolvers<string>().promise, 100, {signal: stop.signal});
    stop.abort();
    await expect(wait).rejects.toEqual(CANCELLED);
    expect([vi.getTimerCount(), listeners(stop.signal)]).toEqual([0, 0]);
  });

  it('waits for as long as a timer can, where the time is longer', async () => {
    const wait = orLate(Promise.withResolvers<string>().promise, Infinity);
    await vi.advanceTimersByTimeAsync(2 ** 31 - 2);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await wait).toBe(LATE);
  });
});
