import {readFileSync} from 'node:fs';
import {once} from 'node:events';
import {connect} from 'node:net';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {McpServer} from '@modelcontextprotocol/server';
import {describe, expect, it, onTestFinished} from 'vitest';
import {serveHttp} from '../../src/hosts/mcp/serve-http.ts';

const TOKEN = 'f'.repeat(64);
interface Case {
  readonly id: string;
  readonly kind: string;
  readonly group: string;
}
const table = JSON.parse(readFileSync(join(import.meta.dirname, '../cases/attacks.json'), 'utf8')) as {cases: readonly Case[]};

async function served(): Promise<URL> {
  const host = await serveHttp({factory: () => new McpServer({name: 'test', version: '0'}), port: 0, token: TOKEN});
  onTestFinished(() => host.close());
  return new URL(host.url);
}

/** Sends bytes as they are, and gives what comes back, all of it. */
async function raw(url: URL, head: string): Promise<string> {
  const socket = connect(Number(url.port), '127.0.0.1');
  await once(socket, 'connect');
  socket.end(head);
  return await text(socket);
}

const get = async (target: string, headers: readonly string[] = [], method = 'GET'): Promise<string> => {
  const url = await served();
  return await raw(url, [`${method} ${target} HTTP/1.1`, `Host: ${url.host}`, 'Connection: close', ...headers, '', ''].join('\r\n'));
};
const right = `Authorization: Bearer ${TOKEN}`;

/** What each case of the table is here: this server has one path, no files and no page. */
const CASES: Readonly<Record<string, () => Promise<void>>> = {
  'we-057': async () => expect(await get('/mcp', ['Content-Length: 0'], 'POST')).toMatch(/^HTTP\/1\.1 401 /),
  'we-058': async () => expect(await get('/mcp', ['Accept: text/event-stream'])).toMatch(/^HTTP\/1\.1 401 /),
  'we-064': async () => {
    const headers = ['Content-Type: text/plain', 'Origin: http://evil.example', 'Content-Length: 2'];
    expect(await get('/mcp', [...headers, right], 'POST')).toMatch(/^HTTP\/1\.1 403 /);
  },
  'we-065': async () => {
    const answer = await get('/mcp', ['Origin: http://evil.example', 'Access-Control-Request-Method: POST'], 'OPTIONS');
    expect([answer.startsWith('HTTP/1.1 403 '), /access-control/i.test(answer)]).toEqual([true, false]);
  },
  'we-067': async () => expect(await get('/file?path=..%2f..%2fetc%2fpasswd', [right])).toMatch(/^HTTP\/1\.1 404 /),
  'we-068': async () => expect(await get('/static/..%2f..%2fpackage.json', [right])).toMatch(/^HTTP\/1\.1 404 /),
  'we-069': async () => expect(await get('/static/%00', [right])).toMatch(/^HTTP\/1\.1 404 /),
  'we-072': async () => {
    const source = readFileSync(join(import.meta.dirname, '../../src/hosts/mcp/serve-http.ts'), 'utf8');
    expect(source).toContain('timingSafeEqual(digest(bearer), digest(token))');
    for (const wrong of ['', 'f', `${TOKEN}f`, TOKEN.slice(1)]) {
      expect(await get('/mcp', [`Authorization: Bearer ${wrong}`])).toMatch(/^HTTP\/1\.1 40[01] /);
    }
  },
  // test/hosts/mcp/guess-limit.test.ts has the limit itself; here whoever has the token is not held up by those who guess.
  'we-074': async () => {
    const url = await served();
    const ask = (token: string): Promise<string> =>
      raw(url, `GET /mcp HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`).catch(
        () => 'dropped',
      );
    const guesses = Array.from({length: 200}, (_, at) => ask(`wrong${at}`));
    expect(await ask(TOKEN)).not.toMatch(/^HTTP\/1\.1 401 /);
    const answers = await Promise.all(guesses);
    const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 401 ')).length;
    expect([refused, answers.length - refused].map((count) => count > 0)).toEqual([true, true]);
  },
  'we-075': async () => {
    const headers = ['Content-Type: application/json', 'Accept: application/json, text/event-stream', 'Content-Length: 1000000000'];
    expect(await get('/mcp', [...headers, right], 'POST')).toMatch(/^HTTP\/1\.1 (?:413|400) /);
  },
  'we-077': async () => {
    const source = readFileSync(join(import.meta.dirname, '../../src/hosts/mcp/serve-http.ts'), 'utf8');
    expect(source).toContain('headersTimeout: 10_000');
  },
  'we-079': async () => expect(await get('/?q=<script>1</script>', [right])).not.toContain('<script>'),
  'we-092': async () => expect(await get('/health')).toMatch(/^HTTP\/1\.1 404 [^]*\r\n\r\n0?\s*$/),
  'we-094': async () => {
    const headers = ['Content-Type: application/json', 'Accept: application/json, text/event-stream', 'Content-Length: 2'];
    expect(await get('/mcp', [...headers, right], 'POST')).not.toMatch(/^HTTP\/1\.1 40[13] /);
  },
};

/** Answers of a login come to test/mcp/oauth/loopback.test.ts; no program of Fettle talks to a local server of its own. */
const ELSEWHERE = ['we-081', 'we-082', 'we-083'];

describe('a local port is public (cases web › local-server; CVE-2026-22812, CVE-2025-66414)', () => {
  it.each(Object.entries(CASES))('%s', async (_, check) => await check());

  it('every case is here, or named', () => {
    const ids = table.cases.filter(({kind, group}) => kind === 'web' && group === 'local-server').map(({id}) => id);
    expect(ids.filter((id) => CASES[id] === undefined && !ELSEWHERE.includes(id))).toEqual([]);
  });

  it.each(['//', '///', 'http://[', '/mcp/../mcp', '/MCP', '/mcp%00', '/%6dcp'])(
    'an odd name %s is refused, and the server lives',
    async (target) => {
      const url = await served();
      expect(await raw(url, `GET ${target} HTTP/1.1\r\nHost: ${url.host}\r\n${right}\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 40[04] /,
      );
      expect(await raw(url, `GET /mcp HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    },
  );
});
