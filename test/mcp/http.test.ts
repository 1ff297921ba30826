import {createServer} from 'node:http';
import {once} from 'node:events';
import {toNodeHandler} from '@modelcontextprotocol/node';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {McpServer} from '../../src/config/settings.ts';
import {serveHttp} from '../../src/hosts/mcp/serve-http.ts';
import {createSessions} from '../../src/hosts/mcp/sessions.ts';
import {createToolServer} from '../../src/hosts/mcp/tool-server.ts';
import {openConnection} from '../../src/mcp/connection/connection.ts';
import {createOneAtATime} from '../../src/tools/mutex.ts';
import {fakeOptions, fakeTool} from '../tools/support/fake-toolset.ts';
import {served} from './support.ts';

const ours = () =>
  createToolServer({
    dispatcher: fakeOptions([fakeTool('look', 'read', (value) => `saw ${value}`)]),
    root: '/w',
    changing: createOneAtATime(),
  });

const httpServer = (url: string, more: Partial<McpServer> = {}): McpServer => ({name: 'web', transport: 'http', url, ...more});

/** A server that knows only sessions, as before 2026-07-28. */
async function oldServer(): Promise<{url: string; forget(): Promise<void>}> {
  const sessions = createSessions(ours().factory);
  const handle = toNodeHandler({fetch: sessions.fetch});
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return {url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`, forget: () => sessions.close()};
}

const OPTIONS = {signal: new AbortController().signal, askUser: undefined, onProgress: () => undefined};

async function connection(server: McpServer, env: Record<string, string> = {}) {
  const opened = await openConnection({server, place: {env, cwd: '/', stateDir: '/nowhere', version: '1'}}, OPTIONS.signal);
  onTestFinished(() => opened.close());
  return {
    about: opened.about,
    async look(value: string) {
      const [tool] = opened.tools;
      if (tool === undefined) throw new Error('There is no tool.');
      return (await opened.call(tool, {value}, OPTIONS)).content;
    },
  };
}

describe('a server over Streamable HTTP', () => {
  it('is used in the revision of 2026-07-28, with its key', async () => {
    const host = await serveHttp({factory: ours().factory, port: 0, token: 'the key of the server'});
    onTestFinished(() => host.close());
    const {about, look} = await connection(httpServer(host.url, {api_key_env: 'WEB_KEY'}), {WEB_KEY: 'the key of the server'});
    expect(about.protocol).toBe('2026-07-28');
    expect(await look('a')).toEqual([{type: 'text', text: 'saw a'}]);
  });

  it('that wants a key is a notice that says so', async () => {
    const host = await serveHttp({factory: ours().factory, port: 0, token: 'the key of the server'});
    onTestFinished(() => host.close());
    const {notices} = await served([httpServer(host.url)]);
    expect(notices).toEqual([expect.stringMatching(/^MCP server web: starting: .* Set `api_key_env` of the server/)]);
  });

  it('of an older revision is used with a session, and a lost session is begun anew (MCP 2025-11-25 › session management)', async () => {
    const old = await oldServer();
    const {about, look} = await connection(httpServer(old.url));
    expect(about.protocol).toBe('2025-11-25');
    expect(await look('a')).toEqual([{type: 'text', text: 'saw a'}]);
    await old.forget();
    expect(await look('b')).toEqual([{type: 'text', text: 'saw b'}]);
  });

  it('gets no key in clear text over a network', async () => {
    const {notices} = await served([httpServer('http://mcp.example/mcp', {headers: {'X-Key': 'secret'}})]);
    expect(notices).toEqual([
      'The MCP server web would get its key in clear text. Its tools are not there. Use an https:// address, or leave `api_key_env` and `headers` out.',
    ]);
  });

  it('that is not there costs its notice', async () => {
    const {notices} = await served([httpServer('http://127.0.0.1:1/mcp')]);
    expect(notices).toEqual([expect.stringMatching(/^MCP server web: starting: .* Its tools are not there\./)]);
  });

  it('that sends without an end is cut off', async () => {
    const flood = createServer((_, response) => {
      response.writeHead(200, {'Content-Type': 'application/json'});
      const chunk = Buffer.alloc(1024 * 1024, 'x');
      const write = (): void => {
        while (response.write(chunk));
        response.once('drain', write);
      };
      write();
    }).listen(0, '127.0.0.1');
    await once(flood, 'listening');
    onTestFinished(() => {
      flood.closeAllConnections();
      flood.close();
    });
    const address = flood.address();
    const {notices} = await served([
      httpServer(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`, {startup_timeout_s: 5}),
    ]);
    expect(notices).toEqual([expect.stringContaining('Its tools are not there.')]);
  });
});
