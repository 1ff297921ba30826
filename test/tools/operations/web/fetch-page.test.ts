import {createServer} from 'node:net';
import {gzipSync} from 'node:zlib';
import {describe, expect, it, onTestFinished} from 'vitest';
import {FettleError} from '../../../../src/base/errors.ts';
import type {Subject} from '../../../../src/policy/decision.ts';
import type {ToolContext} from '../../../../src/tools/context.ts';
import {fetchPage} from '../../../../src/tools/operations/web/fetch-page.ts';
import type {WebAccess} from '../../../../src/tools/web/web-access.ts';
import {outcomeOf} from '../../support/run-operation.ts';
import {send, webServer} from '../../support/web-server.ts';

interface Fetching {
  readonly permit?: ToolContext['permit'];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

async function fetched(url: string, web: WebAccess | undefined, {permit, timeoutMs = 10_000, signal}: Fetching = {}): Promise<unknown> {
  const ctx = {web, permit, signal: signal ?? new AbortController().signal} as ToolContext;
  return await outcomeOf(fetchPage, {url, timeoutMs, maxBytes: 120_000}, {ctx});
}

const PRIVATE_HINT = 'Only the user can open it, by naming it in the setting web_fetch.private_hosts.';
const privateHost = (host: string): object => ({
  code: 'DENIED',
  message: `${host} is an address of this machine or of a private network.`,
  hint: PRIVATE_HINT,
});

describe('Mistral Vibe › web_fetch', () => {
  it('a page as Markdown, with nothing sent that says more than who asks', async () => {
    const web = await webServer((_, response) => send(response, '<title>Docs</title><h1>Hi</h1>'));
    expect(await fetched(web.url('/a b?q=1#x'), web.access())).toEqual({
      url: web.url('/a%20b?q=1'),
      title: 'Docs',
      text: '# Hi',
      truncated: false,
    });
    expect(web.requests).toEqual(['GET docs.example /a%20b?q=1']);
    expect(web.headers).toEqual([
      {
        host: new URL(web.url('/')).host,
        connection: 'close',
        accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1',
        'accept-language': 'en, *;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'Mozilla/5.0 (compatible; fettle/test)',
      },
    ]);
  });

  it('"one retry with an honest agent string on a 403 challenge", and only one', async () => {
    const web = await webServer((request, response, {requests}) => {
      if (requests.length > 1) return send(response, String(request.headers['user-agent']), {'content-type': 'text/plain'});
      response.writeHead(403, {'cf-mitigated': 'challenge'}).end('riddle');
    });
    expect(await fetched(web.url('/'), web.access())).toMatchObject({text: 'fettle/test'});
    const stubborn = await webServer((_, response) => void response.writeHead(403, {'cf-mitigated': 'challenge'}).end());
    expect(await fetched(stubborn.url('/'), stubborn.access())).toEqual({
      code: 'PROVIDER',
      message: `${new URL(stubborn.url('/')).host} answered with status 403.`,
      hint: 'The page refuses programs, or needs a login.',
    });
    expect(stubborn.requests.length).toBe(2);
  });

  it.each([
    [404, 'NOT_FOUND', 'There is no such page; check the address.'],
    [401, 'PROVIDER', 'A login is needed; there is none here.'],
    [418, 'PROVIDER', 'Find another address.'],
    [503, 'PROVIDER', 'Try again later.'],
  ])('status %d is %s', async (status, code, hint) => {
    const web = await webServer((_, response) => void response.writeHead(status).end('no'));
    const {host} = new URL(web.url('/'));
    expect(await fetched(web.url('/'), web.access())).toEqual({code, message: `${host} answered with status ${status}.`, hint});
  });

  it('no way to the web, and a cancelled call', async () => {
    expect(await fetched('https://docs.example/', undefined)).toEqual({code: 'UNAVAILABLE', message: 'Web access is disabled.'});
    const web = await webServer(() => undefined);
    const cancel = new AbortController();
    const running = fetched(web.url('/'), web.access(), {signal: cancel.signal});
    while (web.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    cancel.abort();
    expect(await running).toMatchObject({code: 'CANCELLED'});
  });
});

describe('server-side request forgery', () => {
  it.each([
    'http://127.0.0.1/',
    'http://localhost:3000/',
    'http://a.localhost/',
    'http://2130706433/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest',
  ])('%s is refused before anybody is asked', async (url) => {
    const web = await webServer(() => undefined);
    const {hostname} = new URL(url);
    expect(await fetched(url, web.access())).toEqual(privateHost(hostname.replaceAll(/[[\]]/g, '')));
    expect(web.requests).toEqual([]);
  });

  it('a name that leads to a private address is refused, also one that is private by one of its forms only', async () => {
    const web = await webServer(() => undefined);
    for (const address of ['127.0.0.1', '10.0.0.1', '::1', '64:ff9b::7f00:1', '2002:7f00:1::1', 'fd00::1']) {
      const access = web.access({privateHosts: [], lookup: async () => [{address, family: address.includes(':') ? 6 : 4}]});
      expect(await fetched(web.url('/'), access)).toEqual(privateHost('docs.example'));
    }
    expect(web.requests).toEqual([]);
  });

  it('of the addresses of a name only the public ones are connected to, and the name is looked up once (DNS rebinding)', async () => {
    const looked: string[] = [];
    const web = await webServer(() => undefined);
    const access = web.access({
      privateHosts: [],
      async lookup(host) {
        looked.push(host);
        // The second answer would be the server; nobody may ask for it.
        return looked.length > 1
          ? [{address: '127.0.0.1', family: 4}]
          : [
              {address: '127.0.0.1', family: 4},
              {address: '2606:4700::1', family: 6},
            ];
      },
    });
    // There is a route to that address or not: what counts is that nothing was asked of the server.
    await fetched(web.url('/'), access, {timeoutMs: 50});
    expect({looked, requests: web.requests}).toEqual({looked: ['docs.example'], requests: []});
  });

  it('a host that a setting names by its exact name may be private; its sub-domains may not', async () => {
    const web = await webServer((_, response) => send(response, 'here'));
    expect(await fetched(web.url('/'), web.access({privateHosts: ['Docs.Example']}))).toMatchObject({text: 'here'});
    expect(await fetched(web.url('/', 'a.docs.example'), web.access({privateHosts: ['docs.example', '*.docs.example']}))).toEqual(
      privateHost('a.docs.example'),
    );
    const {port} = new URL(web.url('/'));
    expect(await fetched(`http://127.0.0.1:${port}/`, web.access({privateHosts: ['127.0.0.1']}))).toMatchObject({text: 'here'});
  });

  it('a host that cannot be looked up', async () => {
    const web = await webServer(() => undefined);
    const failing = (code: string): WebAccess => web.access({lookup: async () => Promise.reject(Object.assign(new Error(code), {code}))});
    expect(await fetched(web.url('/'), failing('ENOTFOUND'))).toEqual({
      code: 'NOT_FOUND',
      message: 'The host docs.example could not be looked up (ENOTFOUND).',
      hint: 'Check its spelling.',
    });
    expect(await fetched(web.url('/'), failing('EAI_AGAIN'))).toMatchObject({code: 'PROVIDER', hint: 'Is there a network?'});
  });

  it('the value of a secret variable never leaves in an address, however it is encoded', async () => {
    const web = await webServer(() => undefined);
    for (const query of ['?k=hunter22hunter', '?k=hunter22%68unter', '?k=%68unter22hunter&x']) {
      expect(await fetched(web.url(`/${query}`), web.access({secrets: ['hunter22hunter']}))).toMatchObject({
        code: 'DENIED',
        message: 'The text that would be sent holds the value of a secret variable.',
      });
    }
  });
});

describe('redirects', () => {
  const to = (location: string, status = 302) =>
    webServer((request, response) => {
      if (request.url === '/end') send(response, 'arrived');
      else response.writeHead(status, {location}).end();
    });

  it.each([301, 302, 303, 307, 308])('status %d within the host is followed without a question', async (status) => {
    const web = await to('/end', status);
    expect(await fetched(web.url('/start'), web.access())).toMatchObject({url: web.url('/end'), text: 'arrived'});
  });

  it('to another host: it is asked for as if it had been called, and a no ends it before it is connected to', async () => {
    const asked: (readonly Subject[])[] = [];
    const web = await webServer((request, response, server) => {
      if (request.headers.host?.startsWith('www.') === true) send(response, 'arrived');
      else response.writeHead(301, {location: server.url('/x', 'www.docs.example'), 'set-cookie': 'a=b'}).end();
    });
    const {port} = new URL(web.url('/'));
    const allow = async (subjects: readonly Subject[]): Promise<void> => void asked.push(subjects);
    expect(await fetched(web.url('/x'), web.access(), {permit: allow})).toMatchObject({
      url: web.url('/x', 'www.docs.example'),
      text: 'arrived',
    });
    expect(asked).toEqual([
      [
        {kind: 'name', name: 'www.docs.example', address: 'host'},
        {kind: 'name', name: `www.docs.example:${port}`, address: 'host'},
      ],
    ]);
    expect(web.headers.map(({cookie, referer, authorization}) => ({cookie, referer, authorization}))).toEqual([{}, {}]);
    const refuse = async (): Promise<never> => Promise.reject(new FettleError({code: 'DENIED', message: 'No.'}));
    expect(await fetched(web.url('/x'), web.access(), {permit: refuse})).toEqual({code: 'DENIED', message: 'No.'});
    expect(web.requests.length).toBe(3);
    expect(await fetched(web.url('/x'), web.access())).toEqual({code: 'DENIED', message: 'It redirects to another host.'});
  });

  it.each([
    ['http://169.254.169.254/latest/meta-data', privateHost('169.254.169.254')],
    ['http://[::1]/', privateHost('::1')],
    ['file:///etc/passwd', {code: 'BAD_ARGS', message: 'The address begins with file:.'}],
    ['http://user:pass@docs.example/', {code: 'BAD_ARGS', message: 'The address holds a name or a password.'}],
    ['http://[', {code: 'PROVIDER', message: expect.stringContaining('redirects to an invalid address')}],
  ])('to %s is refused', async (location, expected) => {
    const web = await to(location);
    expect(await fetched(web.url('/start'), web.access(), {permit: async () => undefined})).toMatchObject(expected);
    expect(web.requests).toEqual(['GET docs.example /start']);
  });

  it('to another port of the same host it asks again; the way from http to https is no other host', async () => {
    const web = await to('http://docs.example:1/');
    expect(await fetched(web.url('/start'), web.access())).toEqual({code: 'DENIED', message: 'It redirects to another host.'});
  });

  it('at most five', async () => {
    const web = await webServer((request, response) => void response.writeHead(302, {location: `${request.url}x`}).end());
    expect(await fetched(web.url('/'), web.access())).toMatchObject({
      code: 'PROVIDER',
      message: expect.stringMatching(/redirects more than 5 times\.$/),
    });
    expect(web.requests.length).toBe(6);
  });
});

describe('servers that want to harm', () => {
  const TOO_LARGE = {
    code: 'TOO_LARGE',
    message: 'The answer has more than 5 MiB.',
    hint: 'Look for a smaller page, or download it with a command and read parts of it.',
  };

  it('a page of 10 MB is refused by its length before it is read', async () => {
    const web = await webServer((_, response) => send(response, Buffer.alloc(10_000_000, 97)));
    expect(await fetched(web.url('/'), web.access())).toEqual(TOO_LARGE);
  });

  it('a gzip bomb ends at the bound (cases web › "gzip bomb")', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const web = await webServer((_, response) => send(response, bomb, {'content-encoding': 'gzip', 'content-type': 'text/plain'}));
    const before = process.memoryUsage().arrayBuffers;
    expect(await fetched(web.url('/'), web.access())).toEqual(TOO_LARGE);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 * 1024);
  });

  it('a body without an end is cut off at the bound, and the connection with it', async () => {
    let closed: () => void = () => undefined;
    const hungUp = new Promise<void>((resolve) => (closed = resolve));
    const web = await webServer((_, response) => {
      response.writeHead(200, {'content-type': 'text/plain'});
      const piece = Buffer.alloc(256 * 1024, 97);
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more).on('close', closed);
      more();
    });
    expect(await fetched(web.url('/'), web.access())).toEqual(TOO_LARGE);
    await hungUp;
  });

  it.each([
    ['never answers', (): void => undefined],
    ['answers drop by drop', (_: unknown, response: {write(text: string): void}): void => response.write('<p>')],
  ])('one that %s is given up when the time is over (slow loris)', async (_, answer) => {
    const web = await webServer(answer);
    expect(await fetched(web.url('/'), web.access(), {timeoutMs: 60})).toEqual({
      code: 'TIMEOUT',
      message: 'No complete answer within 0.06 s.',
      hint: 'Try again with a longer timeout, at most 120 s, or another address.',
    });
  });

  it('the time counts for all redirects together', async () => {
    const web = await webServer((request, response) => {
      setTimeout(() => (request.url === '/end' ? send(response, 'x') : response.writeHead(302, {location: '/end'}).end()), 120);
    });
    expect(await fetched(web.url('/'), web.access(), {timeoutMs: 200})).toMatchObject({code: 'TIMEOUT'});
  });

  it('the time that a person needs to allow a redirect does not count', async () => {
    const web = await webServer((request, response, server) => {
      if (request.url === '/end') send(response, 'arrived');
      else response.writeHead(302, {location: server.url('/end', 'other.example')}).end();
    });
    const permit = () => new Promise<void>((resolve) => setTimeout(resolve, 1600));
    expect(await fetched(web.url('/'), web.access(), {timeoutMs: 1500, permit})).toMatchObject({text: 'arrived'});
  });

  it('headers of more than 32 KiB', async () => {
    const web = await webServer((_, response) => send(response, 'x', {'x-long': 'a'.repeat(40_000)}));
    expect(await fetched(web.url('/'), web.access())).toMatchObject({code: 'PROVIDER', hint: 'Its headers are larger than 32 KiB.'});
  });

  it('a body that breaks off, one that is not compressed as it says, and an encoding that nobody asked for', async () => {
    const short = await webServer((_, response) => {
      response.writeHead(200, {'content-length': '100', 'content-type': 'text/plain'});
      response.write('abc', () => response.destroy());
    });
    const broken = {code: 'PROVIDER', hint: 'Try it again later.'};
    expect(await fetched(short.url('/'), short.access())).toMatchObject({...broken, message: 'The answer broke off after 3 bytes.'});
    const lying = await webServer((_, response) => send(response, 'plain', {'content-encoding': 'gzip'}));
    expect(await fetched(lying.url('/'), lying.access())).toMatchObject({...broken, message: 'The answer broke off after 0 bytes.'});
    const strange = await webServer((_, response) => send(response, 'plain', {'content-encoding': 'constructor'}));
    expect(await fetched(strange.url('/'), strange.access())).toMatchObject({
      message: 'The answer is compressed in a way that was not asked for.',
    });
  });

  it('what is not HTTP, and a port where nobody listens', async () => {
    const talker = createServer(
      (socket) =>
        void socket
          .on('error', () => undefined)
          .resume()
          .end('220 mail.example ESMTP\r\n'),
    );
    await new Promise<void>((resolve) => talker.listen(0, '127.0.0.1', resolve));
    const address = talker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const web = await webServer(() => undefined);
    onTestFinished(() => void talker.close());
    expect(await fetched(`http://docs.example:${port}/`, web.access())).toMatchObject({
      code: 'PROVIDER',
      hint: 'It does not answer in HTTP.',
    });
    await new Promise((resolve) => talker.close(resolve));
    expect(await fetched(`http://docs.example:${port}/`, web.access())).toEqual({
      code: 'PROVIDER',
      message: `docs.example:${port} could not be reached (ECONNREFUSED).`,
      hint: 'Check the address, or try again later.',
    });
  });

  it('https: what does not speak TLS, or cannot prove who it is, is not read', async () => {
    const web = await webServer(() => undefined);
    const {port} = new URL(web.url('/'));
    expect(await fetched(`https://docs.example:${port}/`, web.access())).toMatchObject({code: 'PROVIDER'});
    expect(web.requests).toEqual([]);
  });
});
