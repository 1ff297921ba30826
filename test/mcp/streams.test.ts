import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {text} from 'node:stream/consumers';
import {describe, expect, it, onTestFinished, vi} from 'vitest';
import type {Json} from '../../src/base/json.ts';
import {reconnectPace} from '../../src/mcp/connection/reconnect-delay.ts';
import {startRequestQueue} from '../../src/mcp/connection/request-queue.ts';
import {served} from './support.ts';

interface Asked {
  readonly id?: number;
  readonly method: string;
}

/** A server of the revision 2025-11-25 whose streams misbehave. */
async function streaming(ways: {get?: (response: ServerResponse) => void; call?: (response: ServerResponse, id: number) => void}) {
  const gets: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') {
      gets.push(request.url ?? '');
      if (ways.get === undefined) response.writeHead(405).end();
      else ways.get(response.writeHead(200, {'content-type': 'text/event-stream'}));
      return;
    }
    const {id, method} = JSON.parse(await text(request)) as Asked;
    if (method === 'tools/call' && id !== undefined && ways.call !== undefined) {
      ways.call(response.writeHead(200, {'content-type': 'text/event-stream'}), id);
      return;
    }
    const result = RESULTS[method];
    if (id === undefined) response.writeHead(202).end();
    else if (result === undefined) response.writeHead(400).end();
    else response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify({jsonrpc: '2.0', id, result}));
  };
  const http = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const address = http.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`;
  return {gets, ...(await served([{name: 'web', transport: 'http', url}]))};
}

const RESULTS: Readonly<Record<string, Json>> = {
  initialize: {protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 'streams', version: '1'}},
  'tools/list': {tools: [{name: 'go', inputSchema: {type: 'object'}}]},
  'tools/call': {content: [{type: 'text', text: 'done'}]},
};

function flood(response: ServerResponse, message: object): void {
  const event = `data: ${JSON.stringify({jsonrpc: '2.0', ...message})}\n\n`.repeat(100);
  const write = (): void => {
    while (response.write(event));
    response.once('drain', write);
  };
  write();
}

describe('a server over HTTP that floods', () => {
  it.each([
    ['messages', {method: 'notifications/message', params: {level: 'info', data: 'spam'}}],
    ['answers that nobody asked for', {id: 9999, result: {}}],
  ])('with %s is cut off', async (_, message) => {
    const {call} = await streaming({call: (response) => flood(response, message)});
    expect(await call('mcp__web__go')).toMatchObject({
      outcome: 'error',
      structured: {
        message:
          'MCP server web: calling go: it sent more than 50000 messages without an answer, and was ended; whether the call had an effect is not known.',
      },
    });
  });
});

describe('a stream that ends', () => {
  it('at once, and wants to be asked again at once, is not asked for without a pause', async () => {
    const {call, gets} = await streaming({get: (response) => response.end('retry: 1\n\n')});
    for (let times = 0; times < 100; times += 1)
      expect((await call('mcp__web__go', {times})).text).toBe('<mcp_result server="web">\ndone\n</mcp_result>');
    expect(gets.length).toBeLessThan(5);
  });

  it('is asked for again later each time, up to 15 s; not sooner than the server wants; anew after one that lasted', () => {
    const waits: number[] = [];
    let [now, run] = [0, (): void => undefined];
    const pace = reconnectPace(
      () => now,
      (reconnect, ms) => {
        waits.push(ms);
        run = reconnect;
        return () => undefined;
      },
    );
    const ends = (asked: number, lasted = 0): void => {
      now += lasted;
      pace(() => undefined, asked, 0);
      run();
    };
    for (let times = 0; times < 7; times += 1) ends(1);
    ends(20_000);
    ends(1e9);
    ends(1, 60_000);
    ends(1);
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 20_000, 300_000, 500, 1000]);
  });
});

describe('the line about what is waited for', () => {
  const server = (name: string, startup_timeout_s?: number) => ({name, transport: 'stdio' as const, command: 'x', startup_timeout_s});

  function waiting(names: readonly string[]) {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const said: string[] = [];
    const servers = names.map((name, at) => server(name, at === 0 ? 20 : undefined));
    return {said, line: startRequestQueue({servers, parallel: 4, usualSeconds: 10, say: (text) => said.push(text)})};
  }

  it('comes after a second, once, and names those that are not there yet', () => {
    const {said, line} = waiting(['a', 'b', 'c']);
    line.done('b');
    vi.advanceTimersByTime(999);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(said).toEqual(['Waiting for the MCP servers a, c, at most 20 s; then the session goes on without.']);
  });

  it('counts those that wait for their turn, and names five', () => {
    const {said} = waiting(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    vi.advanceTimersByTime(1000);
    expect(said).toEqual(['Waiting for the MCP servers a, b, c, d, e and 2 more, at most 40 s; then the session goes on without.']);
  });

  it('does not come where all are there, nor while a person is asked', async () => {
    const all = waiting(['a']);
    all.line.done('a');
    vi.advanceTimersByTime(5000);
    const asked = waiting(['a']);
    const {promise, resolve} = Promise.withResolvers<void>();
    const paused = asked.line.whilePaused(() => promise);
    vi.advanceTimersByTime(5000);
    resolve();
    await paused;
    expect([all.said, asked.said]).toEqual([[], []]);
    asked.line.end();
  });
});
