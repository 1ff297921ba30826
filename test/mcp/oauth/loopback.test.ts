import {describe, expect, it, onTestFinished} from 'vitest';
import {openLoopback} from '../../../src/mcp/oauth/loopback.ts';

const NEVER = new AbortController().signal;

async function opened(timeoutMs = 60_000) {
  const loopback = await openLoopback(timeoutMs);
  onTestFinished(loopback.close);
  const come = async (query: object, path = ''): Promise<number> => {
    const response = await fetch(`${loopback.redirectUrl}${path}?${new URLSearchParams({...query}).toString()}`);
    await response.text();
    return response.status;
  };
  return {...loopback, come};
}

describe('the loopback of a login', () => {
  it('we-082: takes one answer at 127.0.0.1 and is closed after it: a second use finds nothing', async () => {
    const {redirectUrl, state, answer, come} = await opened();
    expect(redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(await come({state, code: 'c'})).toBe(200);
    expect(Object.fromEntries(await answer(NEVER))).toEqual({state, code: 'c'});
    await expect(come({state, code: 'again'})).rejects.toThrow();
  });

  it('we-081: refuses another state or none, another path or method, and waits on for the right answer', async () => {
    const {redirectUrl, state, answer, come} = await opened();
    expect(await come({code: 'c'})).toBe(400);
    expect(await come({code: 'c', state: 'x'.repeat(state.length)})).toBe(400);
    expect(await come({code: 'c', state}, '/more')).toBe(400);
    expect((await fetch(`${redirectUrl}?state=${state}&code=c`, {method: 'POST'})).status).toBe(400);
    expect(await come({state, error: 'access_denied'})).toBe(200);
    expect(Object.fromEntries(await answer(NEVER))).toEqual({state, error: 'access_denied'});
  });

  it('we-083: has a new state and port each time: nobody can wait at it', async () => {
    const [a, b] = [await opened(), await opened()];
    expect([a.state === b.state, a.redirectUrl === b.redirectUrl]).toEqual([false, false]);
  });

  it('ends in time, and when it is cancelled', async () => {
    await expect((await opened(1)).answer(NEVER)).rejects.toMatchObject({code: 'TIMEOUT'});
    await expect((await opened()).answer(AbortSignal.abort())).rejects.toMatchObject({code: 'CANCELLED'});
  });
});
