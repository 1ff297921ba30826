import {once} from 'node:events';
import {describe, expect, it} from 'vitest';
import type {Clock} from '../../src/models/http/clock.ts';
import type {HttpClient, HttpHead} from '../../src/models/http/http-client.ts';
import {withStallTimeout} from '../../src/models/http/stall-timeout.ts';
import {all, collect, HELLO, provider, REPLY} from './provider-fixture.ts';
import {events, serve} from './serve.ts';

const LIMITS = {firstByteMs: 60_000, betweenEventsMs: 90_000, stallNoticeMs: 10_000, retries: 1};
const HEAD: HttpHead = {status: 200, headers: {'content-type': 'text/event-stream'}};
const SILENCE = new Promise<never>(() => undefined);

/** Every timer fires as soon as nothing else is left to do. */
function hastyClock(): Clock & {readonly waits: number[]} {
  const waits: number[] = [];
  const after = (ms: number, run: () => void): (() => void) => {
    const timer = setImmediate(() => {
      waits.push(ms);
      run();
    });
    return () => clearImmediate(timer);
  };
  return {waits, now: () => 0, after};
}

function bytes(...values: readonly unknown[]): Uint8Array {
  return Buffer.from(values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join(''));
}

/** Each request gets the next list of pieces; then it is silent for ever, or ends where the list says so. */
function scripted(...answers: readonly (readonly (HttpHead | Uint8Array | 'end')[])[]): HttpClient {
  let requests = 0;
  return {
    async *post() {
      for (const piece of answers[requests++] ?? []) {
        if (piece === 'end') return;
        yield piece;
      }
      await SILENCE;
    },
  };
}

const stalls = (...seconds: readonly number[]) => seconds.map((s) => ({type: 'stall', silentMs: s * 1000}));
const GOOD = [HEAD, bytes(...REPLY), 'end'] as const;

describe('a stalled stream (design 7: shown at 10 s, cut and retried at 60 s and 90 s)', () => {
  it('is shown every 10 s, cut at 60 s without a first byte, and sent again', async () => {
    const given = await all(provider('http://acme.invalid', {clock: hastyClock(), limits: LIMITS, http: scripted([], GOOD)}));
    expect(given).toEqual([
      ...stalls(10, 20, 30, 40, 50),
      {type: 'retry', attempt: 1, delayMs: 375, reason: 'acme was silent for 60 s; the request was cut.'},
      expect.objectContaining({type: 'text'}),
      expect.objectContaining({type: 'text'}),
      expect.objectContaining({type: 'done'}),
    ]);
  });

  it('counts the head alone as silence: headers sent, no event', async () => {
    const given = await all(provider('http://acme.invalid', {clock: hastyClock(), limits: LIMITS, http: scripted([HEAD], GOOD)}));
    expect(given.slice(0, 6)).toEqual([...stalls(10, 20, 30, 40, 50), expect.objectContaining({type: 'retry'})]);
  });

  it('is cut at 90 s between events', async () => {
    const http = scripted([HEAD, bytes(REPLY[0])], GOOD);
    const given = await all(provider('http://acme.invalid', {clock: hastyClock(), limits: LIMITS, http}));
    expect(given.slice(0, 10)).toEqual([
      {type: 'text', delta: 'Hi '},
      ...stalls(10, 20, 30, 40, 50, 60, 70, 80),
      {type: 'retry', attempt: 1, delayMs: 375, reason: 'acme was silent for 90 s; the request was cut.', paid: expect.anything()},
    ]);
  });

  it('fails with TIMEOUT when it stalls each time', async () => {
    const given = await all(provider('http://acme.invalid', {clock: hastyClock(), limits: LIMITS, http: scripted()}));
    expect(given.at(-1)).toEqual({
      type: 'error',
      failure: {
        code: 'TIMEOUT',
        message: 'acme was silent for 60 s; the request was cut.',
        hint: 'The server or the network hangs, or the server is loading a model: try again, or raise provider_limits.first_byte_s or between_events_s.',
        retries: 1,
      },
    });
  });

  it('is a reply where only the end of the answer is missing', async () => {
    const http = scripted([HEAD, bytes(...REPLY)]);
    const given = await all(provider('http://acme.invalid', {clock: hastyClock(), limits: LIMITS, http}));
    expect(given.at(-1)).toMatchObject({type: 'done', reply: {retries: 0}});
  });

  it('loses its socket when it is cut', async () => {
    const closed = Promise.withResolvers<void>();
    const timers = new Set<() => void>();
    const manual: Clock = {
      now: () => 0,
      after(_ms, run) {
        timers.add(run);
        return () => void timers.delete(run);
      },
    };
    const server = await serve(
      (response) => {
        response.writeHead(200, {'content-type': 'text/event-stream'});
        response.flushHeaders();
        void once(response, 'close').then(() => closed.resolve());
      },
      events(...REPLY),
    );
    const limits = {firstByteMs: 10_000, betweenEventsMs: 10_000, stallNoticeMs: 10_000, retries: 1};
    const stream = provider(server.url, {clock: manual, limits}).stream(HELLO, new AbortController().signal)[Symbol.asyncIterator]();
    const next = stream.next();
    await server.arrived(0);
    for (const fire of timers) fire();
    expect((await next).value).toMatchObject({type: 'retry', attempt: 1});
    await closed.promise;
  });
});

describe('withStallTimeout', () => {
  it('passes on what comes, and leaves no timer behind', async () => {
    const running = new Set<number>();
    let timers = 0;
    const clock: Clock = {
      now: () => 0,
      after() {
        const id = timers++;
        running.add(id);
        return () => void running.delete(id);
      },
    };
    const source = (async function* () {
      yield 1;
      yield 2;
    })();
    expect(await collect(withStallTimeout(source, {limitMs: () => 1000, noticeMs: 100, timers: clock}))).toEqual([{item: 1}, {item: 2}]);
    expect({timers, left: running.size}).toEqual({timers: 3, left: 0});
  });

  it('does not report silence that is shorter than the notice, and passes errors on', async () => {
    const source = (async function* () {
      yield 1;
      throw new Error('broken');
    })();
    const given = withStallTimeout(source, {limitMs: () => 1000, noticeMs: 100, timers: hastyClock()});
    expect(await given.next()).toEqual({done: false, value: {item: 1}});
    await expect(given.next()).rejects.toThrow('broken');
  });
});
