import {once} from 'node:events';
import {createServer as createHttpServer} from 'node:http';
import {connect, createServer, type Socket} from 'node:net';
import {text} from 'node:stream/consumers';
import {describe, expect, it, onTestFinished} from 'vitest';
import {toFettleError} from '../../../../src/base/errors.ts';
import {createDial} from '../../../../src/exec/sandbox/network/dial.ts';
import {createHttpProxy} from '../../../../src/exec/sandbox/network/http-proxy.ts';
import {serveSocks} from '../../../../src/exec/sandbox/network/socks-proxy.ts';
import {isPublicAddress} from '../../../../src/tools/web/public-address.ts';
import {missingSandbox, sandboxed} from '../support.ts';

const missing = await missingSandbox();

async function portOf(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A web server on the loopback, and names that lead to it or elsewhere. */
async function target(): Promise<number> {
  return await portOf(createHttpServer((request, response) => response.end(`${request.method} ${request.url} ${request.headers.host}`)));
}

const LOOKED_UP: Readonly<Record<string, string>> = {'here.example': '127.0.0.1', 'rebind.example': '169.254.169.254'};
const lookup = async (host: string): Promise<{address: string}[]> => [{address: LOOKED_UP[host] ?? '203.0.113.1'}];
const dialTo = (...domains: string[]) => createDial({open: false, domains, isPublic: isPublicAddress}, lookup);

async function say(port: number, bytes: string | Uint8Array): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return await text(socket);
}

describe('connecting for a command', () => {
  it.each([
    ['a host that is not on the list', [], 'here.example', '"here.example" is not one of the allowed domains.'],
    ['an address that is not named', ['*.1'], '127.0.0.1', '"127.0.0.1" is not one of the allowed domains.'],
    ['a name with a NUL', ['*.here.example'], 'x\0.here.example', '"x\\u0000.here.example" is not one of the allowed domains.'],
    ['a name that leads to this machine', ['here.example'], 'here.example', 'here.example leads to a private network.'],
    ['a name that leads to metadata', ['*.example'], 'rebind.example', 'rebind.example leads to a private network.'],
    ['with all public hosts, a name that leads to this machine', ['*'], 'here.example', 'here.example leads to a private network.'],
    ['with all public hosts, the address of this machine', ['*'], '127.0.0.1', '127.0.0.1 leads to a private network.'],
    ['with all public hosts, what is not a host', ['*'], '0x7f.1', '"0x7f.1" is not one of the allowed domains.'],
  ])('%s is refused', async (_, domains, host, message) => {
    const error: unknown = await dialTo(...domains)(host, 80).catch((thrown: unknown) => thrown);
    const {code, message: said} = toFettleError(error);
    expect([code, said]).toEqual(['DENIED', message]);
  });
});

describe('the proxy for HTTP', () => {
  it('forwards to an allowed host under its true name, and tunnels', async () => {
    const web = await target();
    const port = await portOf(createHttpProxy(dialTo('here.example', '127.0.0.1')));
    const plain = await say(port, `GET http://here.example:${web}/a?b HTTP/1.1\r\nhost: other.example\r\nconnection: close\r\n\r\n`);
    const tunnel = await say(
      port,
      `CONNECT here.example:${web} HTTP/1.1\r\nhost: x\r\n\r\nGET /t HTTP/1.1\r\nhost: t\r\nconnection: close\r\n\r\n`,
    );
    expect([
      plain.split('\r\n\r\n')[1]?.includes(`GET /a?b here.example:${web}`),
      tunnel.includes('200 Connection established'),
      tunnel.includes('GET /t t'),
    ]).toEqual([true, true, true]);
  });

  it.each([
    ['CONNECT evil.example:443 HTTP/1.1\r\nhost: x\r\n\r\n', 'HTTP/1.1 403 Forbidden by the sandbox'],
    ['CONNECT here.example HTTP/1.1\r\nhost: x\r\n\r\n', 'HTTP/1.1 403 Forbidden by the sandbox'],
    ['GET http://evil.example/ HTTP/1.1\r\nhost: here.example\r\nconnection: close\r\n\r\n', 'HTTP/1.1 403 Forbidden'],
    ['GET / HTTP/1.1\r\nhost: here.example\r\nconnection: close\r\n\r\n', 'HTTP/1.1 502 Bad Gateway'],
  ])('%j: %s', async (request, status) => {
    const port = await portOf(createHttpProxy(dialTo('here.example', '127.0.0.1')));
    expect((await say(port, request)).split('\r\n')[0]).toBe(status);
  });
});

describe('the proxy for everything else (RFC 1928)', () => {
  const request = (command: number, host: string, port: number): Buffer =>
    Buffer.concat([
      Buffer.from([5, 1, 0, 5, command, 0, 3, host.length]),
      Buffer.from(host, 'latin1'),
      Buffer.from([port >> 8, port & 255]),
    ]);

  it.each([
    ['an allowed host', 1, 'here.example', 0],
    ['another host', 1, 'evil.example', 2],
    ['a host with a NUL', 1, 'evil.net\0here.example', 2],
    ['listening', 2, 'here.example', 7],
  ])('%s', async (_, command, host, status) => {
    const web = await portOf(createServer((socket) => socket.end('hello')));
    const dial = dialTo('here.example', '127.0.0.1');
    const port = await portOf(createServer({allowHalfOpen: true}, (socket) => void serveSocks(socket, dial)));
    const answer = Buffer.from(await say(port, request(command, host, web)), 'latin1');
    expect([...answer.subarray(0, 4), answer.subarray(12).toString()]).toEqual([5, 0, 5, status, status === 0 ? 'hello' : '']);
  });
});

describe.skipIf(missing !== undefined)('a command with allowed domains', () => {
  it('reaches those and nothing else', async () => {
    const web = await target();
    const {run} = await sandboxed({network: {open: false, domains: ['127.0.0.1'], isPublic: isPublicAddress}});
    // The variable for hosts without a proxy would keep this one from it.
    const line = `unset no_proxy NO_PROXY; curl -sS http://127.0.0.1:${web}/x; echo; curl -sS -x $ALL_PROXY http://127.0.0.1:${web}/y; echo; curl -sS http://203.0.113.1/; (exec 3<>/dev/tcp/127.0.0.1/${web}) 2>/dev/null || echo closed`;
    expect((await run(line)).out.replaceAll(String(web), 'PORT')).toBe(
      'GET /x 127.0.0.1:PORT\nGET /y 127.0.0.1:PORT\nForbidden by the sandbox: "203.0.113.1" is not one of the allowed domains.\nclosed\n',
    );
  });
});
