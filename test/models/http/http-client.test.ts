import {createServer} from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createHttpClient, type HttpClient, type HttpHead} from '../../../src/models/http/http-client.ts';
import {refuse, serve, type Answer} from '../serve.ts';

async function fetched(http: HttpClient, url: string, signal = new AbortController().signal): Promise<{status: number; text: string}> {
  let status = 0;
  const chunks: Uint8Array[] = [];
  for await (const piece of http.post({url: new URL(url), headers: {'x-own': 'yes'}, body: '{"a":"ü"}', signal})) {
    if (piece instanceof Uint8Array) chunks.push(piece);
    else status = (piece satisfies HttpHead).status;
  }
  return {status, text: Buffer.concat(chunks).toString('utf8')};
}

const ok: Answer = refuse(200, 'fine');

describe('createHttpClient', () => {
  it('posts JSON, asks for no compression, and gives head and body', async () => {
    const server = await serve(ok);
    expect(await fetched(createHttpClient({}), `${server.url}/v1/x?y=1`)).toEqual({status: 200, text: 'fine'});
    const [request] = server.received;
    expect({url: request?.url, body: request?.body}).toEqual({url: '/v1/x?y=1', body: '{"a":"ü"}'});
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '10',
      'accept-encoding': 'identity',
      accept: 'text/event-stream, application/json',
      'x-own': 'yes',
    });
  });

  it('keeps the connection for the next request', async () => {
    const server = await serve(ok);
    const http = createHttpClient({});
    await fetched(http, server.url);
    await fetched(http, server.url);
    await fetched(http, server.url);
    expect(server.received.map(({connection}) => connection)).toEqual([0, 0, 0]);
  });

  it('sends once more where a kept connection turns out to be dead', async () => {
    const server = await serve(ok, (response) => response.socket?.resetAndDestroy(), ok);
    const http = createHttpClient({});
    await fetched(http, server.url);
    expect(await fetched(http, server.url)).toEqual({status: 200, text: 'fine'});
    expect(server.received.map(({connection}) => connection)).toEqual([0, 0, 1]);
  });

  it('closes the connection of a body that nobody reads to its end: it would keep the process', async () => {
    const {promise: closed, resolve: close} = Promise.withResolvers<string>();
    const server = await serve((response) => {
      response.on('close', () => close('closed'));
      response.writeHead(404).write('A body without an end.');
    });
    for await (const piece of createHttpClient({}).get({url: new URL(server.url), headers: {}, signal: new AbortController().signal})) {
      expect(piece).toMatchObject({status: 404});
      break;
    }
    expect(await closed).toBe('closed');
  });

  it('does not follow a redirect', async () => {
    const server = await serve(refuse(307, '', {location: '/elsewhere'}), ok);
    expect(await fetched(createHttpClient({}), server.url)).toEqual({status: 307, text: ''});
    expect(server.received).toHaveLength(1);
  });

  it('rejects when the body breaks off', async () => {
    const server = await serve((response) => {
      response.writeHead(200, {'content-length': '100'});
      response.write('half', () => response.socket?.destroy());
    });
    await expect(fetched(createHttpClient({}), server.url)).rejects.toMatchObject({code: 'ECONNRESET'});
  });

  it('rejects with the error of the system where nothing listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const {port} = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    await expect(fetched(createHttpClient({}), `http://127.0.0.1:${port}`)).rejects.toMatchObject({code: 'ECONNREFUSED'});
  });

  it('destroys the socket when the signal is aborted, before and within the body', async () => {
    const closed: Promise<unknown>[] = [];
    const server = await serve((response, {url}) => {
      closed.push(once(response, 'close'));
      if (url === '/body') response.write('begin');
    });
    for (const path of ['/head', '/body']) {
      const abort = new AbortController();
      const answer = fetched(createHttpClient({}), server.url + path, abort.signal);
      await server.arrived(closed.length);
      abort.abort();
      await expect(answer).rejects.toThrow();
      await closed.at(-1);
    }
    expect(server.received.map(({url}) => url)).toEqual(['/head', '/body']);
  });

  it('may be left after the head: a connection that is cut then ends nothing else', async () => {
    const server = await serve((response) => response.write('begin'));
    const abort = new AbortController();
    const answer = createHttpClient({}).post({url: new URL(server.url), headers: {}, body: '{}', signal: abort.signal});
    expect((await answer.next()).value).toMatchObject({status: 200});
    abort.abort();
    await new Promise(setImmediate);
    await answer.return(undefined);
  });

  it('goes through HTTP_PROXY, but not for the hosts of NO_PROXY', async () => {
    const proxy = await serve(refuse(200, 'from the proxy'));
    const server = await serve(ok);
    expect(await fetched(createHttpClient({HTTP_PROXY: proxy.url}), 'http://models.invalid/v1')).toEqual({
      status: 200,
      text: 'from the proxy',
    });
    expect(proxy.received.map(({url}) => url)).toEqual(['http://models.invalid/v1']);
    expect(await fetched(createHttpClient({HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1'}), server.url)).toEqual({
      status: 200,
      text: 'fine',
    });
  });

  it('opens no socket before the first request', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    let connections = 0;
    server.on('connection', () => connections++);
    createHttpClient({});
    await new Promise(setImmediate);
    expect(connections).toBe(0);
  });
});
