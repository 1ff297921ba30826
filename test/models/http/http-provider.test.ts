import {describe, expect, it} from 'vitest';
import {NO_USAGE} from '../../../src/protocol/usage.ts';
import type {HttpClient} from '../../../src/models/http/http-client.ts';
import type {Answer} from '../serve.ts';
import {events, refuse, serve} from '../serve.ts';
import {all, HELLO, KEY, provider, quickClock, REPLY, REPLY_MESSAGE} from '../provider-fixture.ts';

const DELTAS = [
  {type: 'text', delta: 'Hi '},
  {type: 'text', delta: 'there'},
];

function done(retries: number): unknown {
  const usage = {input_tokens: 10, cached_input_tokens: 0, cache_creation_tokens: 0, output_tokens: 2, reasoning_tokens: 0};
  return {type: 'done', reply: {message: REPLY_MESSAGE, stopReason: 'end', usage, costUsd: null, retries}};
}

/** Writes some events, then cuts the connection. */
const cutAfter =
  (...values: readonly unknown[]): Answer =>
  (response) => {
    response.writeHead(200, {'content-type': 'text/event-stream'});
    response.write(values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''), () => response.socket?.destroy());
  };

describe('createHttpProvider', () => {
  it('sends the request to base URL and path, with the key in one header', async () => {
    const server = await serve(events(...REPLY));
    expect(await all(provider(`${server.url}/v1/`))).toEqual([...DELTAS, done(0)]);
    expect(server.received[0]).toMatchObject({url: '/v1/chat/completions', headers: {authorization: `Bearer ${KEY}`}});
    expect(server.received[0]?.body).not.toContain(KEY);
    expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({model: 'large'});
  });

  it('uses the header of the provider, its own headers, and none without a key', async () => {
    const server = await serve(events(...REPLY));
    await all(provider(server.url, {auth: {header: 'x-api-key', key: KEY, keyVariable: 'K'}, headers: {'x-title': 'fettle'}}));
    await all(provider(server.url, {auth: {header: 'authorization', key: undefined, keyVariable: undefined}}));
    expect(server.received[0]?.headers).toMatchObject({'x-api-key': KEY, 'x-title': 'fettle'});
    expect(server.received[1]?.headers).not.toHaveProperty('authorization');
  });

  it('keeps its connection from request to request, also after an error answer', async () => {
    const server = await serve(events(...REPLY), refuse(503, 'busy'), events(...REPLY));
    const acme = provider(server.url);
    await all(acme);
    await all(acme);
    expect(server.received.map(({connection}) => connection)).toEqual([0, 0, 0]);
  });

  it('says what the reply cost', async () => {
    const server = await serve(events(...REPLY));
    const prices = {input: 1_000_000, cachedInput: 0, cacheWrite: 0, output: 2_000_000};
    expect((await all(provider(server.url, {prices}))).at(-1)).toMatchObject({type: 'done', reply: {costUsd: 14}});
  });

  it('takes a plain JSON answer to a streaming request', async () => {
    const body = {
      choices: [{index: 0, message: {role: 'assistant', content: 'Hi there'}, finish_reason: 'stop'}],
      usage: {prompt_tokens: 10, completion_tokens: 2},
    };
    const server = await serve(refuse(200, body));
    expect(await all(provider(server.url))).toEqual([{type: 'text', delta: 'Hi there'}, done(0)]);
  });

  it('fails with AUTH and the name of the variable when there is no key, without a request', async () => {
    const server = await serve(events(...REPLY));
    expect(await all(provider(server.url, {auth: {header: 'authorization', key: undefined, keyVariable: 'ACME_API_KEY'}}))).toEqual([
      {
        type: 'error',
        failure: {code: 'AUTH', message: 'No key for acme: ACME_API_KEY is not set.', hint: 'Set ACME_API_KEY to a valid key.', retries: 0},
      },
    ]);
    expect(server.received).toEqual([]);
  });

  it('never shows the key, also where the server repeats it', async () => {
    const echo = {error: {message: `bad key ${KEY}`, type: 'invalid_request_error'}};
    for (const answer of [refuse(400, echo), refuse(500, `<p>${KEY}`), events(echo), refuse(302, '', {location: `/login?key=${KEY}`})]) {
      const server = await serve(answer);
      const given = JSON.stringify(await all(provider(server.url)));
      expect(given).toContain('"error"');
      expect(given).not.toContain(KEY);
    }
  });

  it('fails with CONFIG when the key cannot stand in a header', async () => {
    const [event] = await all(
      provider('http://127.0.0.1:9', {auth: {header: 'authorization', key: 'sk\u0001-hidden-key', keyVariable: 'K'}}),
    );
    expect(event).toMatchObject({type: 'error', failure: {code: 'CONFIG', retries: 0}});
    expect(JSON.stringify(event)).not.toContain('hidden');
  });
});

/** Of a reply of which one piece came, and no usage: estimated from what was sent and received. */
const PAID = {usage: {...NO_USAGE, input_tokens: 40, output_tokens: 1}, costUsd: null};

describe('retries', () => {
  it.each([408, 409, 429, 500, 502, 503, 504, 529])('sends again after %i, as often as it was asked to', async (status) => {
    const server = await serve(refuse(status, {error: {message: 'not now'}}));
    const clock = quickClock();
    const given = await all(provider(server.url, {clock}));
    expect(given.map(({type}) => type)).toEqual(['retry', 'retry', 'retry', 'retry', 'error']);
    expect(given.at(-1)).toMatchObject({failure: {code: 'PROVIDER', status, retries: 4}});
    expect(clock.waits).toEqual([375, 750, 1500, 3000]);
    expect(server.received).toHaveLength(5);
  });

  it('says when and why, and what came before is void', async () => {
    const server = await serve(cutAfter(REPLY[0]), refuse(503, 'busy'), events(...REPLY));
    expect(await all(provider(server.url))).toEqual([
      DELTAS[0],
      {
        type: 'retry',
        attempt: 1,
        delayMs: 375,
        reason: expect.stringMatching(/^The connection to acme at http:\S+ failed: aborted$/),
        paid: PAID,
      },
      {type: 'retry', attempt: 2, delayMs: 750, reason: 'acme failed (503): busy', paid: undefined},
      ...DELTAS,
      done(2),
    ]);
  });

  it.each([
    ['half a stream, closed properly', events(REPLY[0])],
    ['an empty stream', events()],
    ['no body at all', refuse(200, '', {'content-type': 'text/event-stream'})],
    ['garbage', refuse(200, '\u0000\u0001garbage that is not an event', {'content-type': 'text/event-stream'})],
    ['events that are not JSON', events('{"choices": [', ...REPLY)],
    ['JSON that is not a reply', refuse(200, {hello: 'world'})],
    ['an error in the stream', events(REPLY[0], {error: {message: 'overloaded', type: 'server_error'}})],
    ['a connection cut within the head', ((response) => void response.socket?.destroy()) satisfies Answer],
    ['a connection cut within an event', cutAfter(REPLY[0])],
  ])('survives %s', async (_name, answer) => {
    const server = await serve(answer, events(...REPLY));
    const given = await all(provider(server.url));
    expect(given.slice(-4)).toEqual([expect.objectContaining({type: 'retry', attempt: 1}), ...DELTAS, done(1)]);

    const broken = await serve(answer);
    const failure = (
      await all(provider(broken.url, {limits: {firstByteMs: 1e12, betweenEventsMs: 1e12, stallNoticeMs: 1e12, retries: 0}}))
    ).at(-1);
    expect(failure).toMatchObject({type: 'error', failure: {code: 'PROVIDER', retries: 0}});
  });

  it('takes a reply whose connection breaks after its last event', async () => {
    const server = await serve(cutAfter(...REPLY.slice(0, 3)));
    expect(await all(provider(server.url))).toEqual([...DELTAS, done(0)]);
  });

  it.each([
    ['retry-after-ms', {'retry-after-ms': '40'}, 40],
    ['retry-after in seconds', {'retry-after': '12'}, 12_000],
    ['retry-after as a date', {'retry-after': 'Thu, 01 Jan 2026 00:00:59 GMT'}, 59_000],
  ])('waits as long as %s asks', async (_name, headers, delayMs) => {
    const server = await serve(refuse(429, '', headers), events(...REPLY));
    const clock = quickClock();
    expect(await all(provider(server.url, {clock}))).toEqual([
      {type: 'retry', attempt: 1, delayMs, reason: 'acme limits the rate of requests (429).'},
      ...DELTAS,
      done(1),
    ]);
    expect(clock.waits).toEqual([delayMs]);
  });

  it('does not wait longer than a minute: it says the time', async () => {
    const server = await serve(refuse(429, '', {'retry-after': '3600'}));
    expect(await all(provider(server.url))).toEqual([
      {
        type: 'error',
        failure: {
          code: 'PROVIDER',
          message: 'acme limits the rate of requests (429).',
          hint: 'The server asks to wait 3600 s; try again after that, or use another model.',
          status: 429,
          retries: 0,
        },
      },
    ]);
  });

  it('takes a web page for a wrong address, at once', async () => {
    const server = await serve(refuse(200, '<!doctype html><title>Sign in</title>', {'content-type': 'text/html; charset=utf-8'}));
    expect(await all(provider(server.url))).toEqual([
      {
        type: 'error',
        failure: {
          code: 'PROVIDER',
          message: 'acme answered with a web page, not with a reply.',
          hint: `Is the base URL ${server.url} right? Is there a sign-in page in between?`,
          status: 200,
          retries: 0,
        },
      },
    ]);
  });

  it('does not take a reply of more than 64 MiB, and does not ask for it again', async () => {
    let requests = 0;
    const http: HttpClient = {
      async *post() {
        requests += 1;
        yield {status: 200, headers: {}};
        for (let mebibytes = 0; mebibytes < 65; mebibytes++) yield Buffer.alloc(1024 * 1024, ' ');
      },
    };
    expect(await all(provider('http://acme.invalid', {http}))).toEqual([
      {type: 'error', failure: {code: 'PROVIDER', message: 'acme: The reply is longer than 67108864 bytes.', retries: 0}},
    ]);
    expect(requests).toBe(1);
  });

  it('reads no more than 64 KB of an error answer that never ends', async () => {
    const server = await serve((response) => {
      response.writeHead(400, {'content-type': 'text/plain'});
      response.write('x'.repeat(100 * 1024));
    });
    const [event] = await all(provider(server.url));
    expect(event).toMatchObject({type: 'error', failure: {code: 'BAD_ARGS', status: 400}});
    expect(JSON.stringify(event).length).toBeLessThan(1000);
  });
});

describe('cancellation', () => {
  const cancelled = (retries: number): unknown => ({type: 'error', failure: {code: 'CANCELLED', message: 'Cancelled.', retries}});

  it('needs no request when the signal is aborted already', async () => {
    const server = await serve(events(...REPLY));
    expect(await all(provider(server.url), HELLO, AbortSignal.abort())).toEqual([cancelled(0)]);
    expect(server.received).toEqual([]);
  });

  it('ends a stream at once and destroys its socket', async () => {
    const closed = Promise.withResolvers<void>();
    const server = await serve((response) => {
      response.on('close', closed.resolve);
      response.writeHead(200, {'content-type': 'text/event-stream'});
      response.write(`data: ${JSON.stringify(REPLY[0])}\n\n`);
    });
    const abort = new AbortController();
    const stream = provider(server.url).stream(HELLO, abort.signal)[Symbol.asyncIterator]();
    expect((await stream.next()).value).toEqual(DELTAS[0]);
    const next = stream.next();
    abort.abort();
    expect((await next).value).toEqual({type: 'error', failure: {code: 'CANCELLED', message: 'Cancelled.', retries: 0, paid: PAID}});
    expect((await stream.next()).done).toBe(true);
    await closed.promise;
  });

  it('ends the wait before a retry', async () => {
    const server = await serve(refuse(503));
    const clock = {now: () => 0, after: () => () => undefined};
    const abort = new AbortController();
    const stream = provider(server.url, {clock}).stream(HELLO, abort.signal)[Symbol.asyncIterator]();
    expect((await stream.next()).value).toMatchObject({type: 'retry', attempt: 1});
    const next = stream.next();
    abort.abort();
    expect((await next).value).toEqual(cancelled(0));
  });

  it('destroys the socket when the consumer walks away', async () => {
    const closed = Promise.withResolvers<void>();
    const server = await serve((response) => {
      response.on('close', closed.resolve);
      response.writeHead(200, {'content-type': 'text/event-stream'});
      response.write(`data: ${JSON.stringify(REPLY[0])}\n\n`);
    });
    for await (const event of provider(server.url).stream(HELLO, new AbortController().signal)) if (event.type === 'text') break;
    await closed.promise;
    expect(server.received).toHaveLength(1);
  });
});
