import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openServers} from '../../../src/mcp/open-servers.ts';
import {login} from '../../../src/mcp/oauth/login.ts';
import {authorizedFetch} from '../../../src/mcp/oauth/authorized-fetch.ts';
import {oauthServer} from '../../../src/mcp/oauth/oauth-server.ts';
import {visitLikeABrowser} from '../../conformance/visit-like-a-browser.ts';
import {guardedServer, type GuardedServer} from './support.ts';

const NEVER = new AbortController().signal;
const byHand = ({server, place}: GuardedServer) => login({server, place, visit: visitLikeABrowser}, NEVER);
const fetchOf = ({server, place}: GuardedServer) => authorizedFetch(oauthServer(server, place));
const stored = ({server, place}: GuardedServer) => oauthServer(server, place).store.access();

describe('a login', () => {
  it('asks for the scope of the server and for this resource, with PKCE, and keeps what was granted (RFC 7636, RFC 8707)', async () => {
    const guarded = await guardedServer();
    const issuer = new URL(guarded.url).origin;
    expect(await byHand(guarded)).toEqual({issuer, scope: 'read'});
    expect(guarded.seen).toEqual(['POST /mcp without a token', 'token authorization_code for the resource']);
    expect(await stored(guarded)).toEqual({
      issuer,
      tokenEndpoint: `${issuer}/token`,
      authMethods: ['none'],
      indicator: guarded.url,
      client: {client_id: 'registered', token_endpoint_auth_method: 'none'},
      tokens: {access_token: 't1', refresh_token: 'r1', scope: 'read'},
    });
    expect((await fetchOf(guarded)(guarded.url, {method: 'POST'})).status).toBe(200);
    expect(guarded.seen.at(-1)).toBe('POST /mcp Bearer t1');
  });

  it('that was refused says why, and keeps nothing (RFC 6749 section 4.1.2.1)', async () => {
    const guarded = await guardedServer();
    guarded.ways.answer = (params) => {
      params.delete('code');
      params.set('error', 'access_denied');
      params.set('error_description', 'not you');
    };
    await expect(byHand(guarded)).rejects.toMatchObject({
      code: 'AUTH',
      message: 'MCP server web: logging in: the login was refused (access_denied: not you).',
    });
    expect(await stored(guarded)).toBeUndefined();
  });

  it('whose answer names another issuer, or none, sends no code, and shows nothing of it (RFC 9207)', async () => {
    for (const change of [
      (params: URLSearchParams) => params.set('iss', 'https://evil.example'),
      (params: URLSearchParams) => params.delete('iss'),
    ]) {
      const guarded = await guardedServer();
      guarded.ways.answer = (params) => {
        change(params);
        params.set('error_description', 'go to evil.example/fix');
      };
      const refused: unknown = await byHand(guarded).catch((thrown: unknown) => thrown);
      expect(refused).toMatchObject({code: 'AUTH'});
      expect(String(refused)).not.toContain('fix');
      expect(guarded.seen).toEqual(['POST /mcp without a token']);
    }
  });

  it('goes to no page outside https, to no issuer without PKCE, and to none that the server does not name (RFC 9728)', async () => {
    for (const ways of [
      {metadata: {authorization_endpoint: 'http://login.example/'}},
      {metadata: {code_challenge_methods_supported: undefined}},
      {hasResource: false},
    ]) {
      const guarded = await guardedServer();
      Object.assign(guarded.ways, ways);
      const visited: string[] = [];
      const visit = async (address: URL): Promise<void> => void visited.push(address.href);
      await expect(login({server: guarded.server, place: guarded.place, visit}, NEVER)).rejects.toMatchObject({code: 'AUTH'});
      expect(visited).toEqual([]);
    }
  });

  it('ends when nobody comes, and when it is cancelled', async () => {
    const guarded = await guardedServer();
    const {server, place} = guarded;
    await expect(login({server, place, visit: async () => undefined, timeoutMs: 1}, NEVER)).rejects.toMatchObject({code: 'TIMEOUT'});
    const stop = new AbortController();
    const cancelled = login({server, place, visit: async () => stop.abort()}, stop.signal);
    await expect(cancelled).rejects.toMatchObject({code: 'CANCELLED', message: 'The login was cancelled.'});
    expect(await stored(guarded)).toBeUndefined();
  });
});

describe('requests with a login', () => {
  it('refresh a token once for all that it refuses', async () => {
    const guarded = await guardedServer();
    await byHand(guarded);
    guarded.valid.clear();
    guarded.seen.length = 0;
    const send = fetchOf(guarded);
    const responses = await Promise.all([1, 2, 3].map(() => send(guarded.url, {method: 'POST'})));
    expect(responses.map(({status}) => status)).toEqual([200, 200, 200]);
    expect(guarded.seen.filter((line) => line.startsWith('token'))).toEqual(['token refresh_token for the resource']);
    expect((await stored(guarded))?.tokens).toEqual({access_token: 't2', refresh_token: 'r2', scope: 'read'});
  });

  it('tell what to run where there is no login, or it cannot be refreshed', async () => {
    const guarded = await guardedServer();
    const wanted = {code: 'AUTH', message: 'it requires a login.', hint: 'Run `fettle mcp login web`.'};
    await expect(fetchOf(guarded)(guarded.url, {method: 'POST'})).rejects.toMatchObject(wanted);
    await byHand(guarded);
    guarded.valid.clear();
    guarded.ways.refuseRefresh = async () => undefined;
    await expect(fetchOf(guarded)(guarded.url, {method: 'POST'})).rejects.toMatchObject(wanted);
  });

  it('of a session end in a notice without a login, and the tokens of one are among what is never shown', async () => {
    const guarded = await guardedServer();
    const {server, place} = guarded;
    const opened = await openServers([server], place, NEVER);
    expect([opened.notices, opened.secrets]).toEqual([
      ['MCP server web: starting: it requires a login. Its tools are not there. Run `fettle mcp login web`.'],
      [],
    ]);
    await byHand(guarded);
    const again = await openServers([server], place, NEVER);
    expect(again.secrets).toEqual(['t1', 'r1']);
    await Promise.all([opened.close(), again.close()]);
  });

  it('take the token of another process that refreshed it at the same time, without waiting for its turn as older ones do', async () => {
    const guarded = await guardedServer();
    await byHand(guarded);
    guarded.valid.clear();
    guarded.ways.refuseRefresh = async () => {
      const folder = join(guarded.place.stateDir, 'mcp-logins');
      const [name = ''] = await readdir(folder);
      const kept = await readFile(join(folder, name), 'utf8');
      await writeFile(join(folder, name), kept.replace('"t1"', '"theirs"'));
      guarded.valid.set('theirs', 'read');
    };
    expect((await fetchOf(guarded)(guarded.url, {method: 'POST'})).status).toBe(200);
    expect(guarded.seen.at(-1)).toBe('POST /mcp Bearer theirs');
  });

  it('ask for more scopes through a login, besides those that are granted, and not without end (MCP › scope challenge)', async () => {
    const guarded = await guardedServer();
    await byHand(guarded);
    guarded.ways.scope = 'write';
    await expect(fetchOf(guarded)(guarded.url, {method: 'POST'})).rejects.toMatchObject({
      code: 'AUTH',
      message: 'it requires a login with more scopes: write.',
      hint: 'Run `fettle mcp login web`.',
    });
    expect(await byHand(guarded)).toMatchObject({scope: 'read write'});
    expect((await fetchOf(guarded)(guarded.url, {method: 'POST'})).status).toBe(200);
    guarded.valid.set('t2', 'read');
    await expect(fetchOf(guarded)(guarded.url, {method: 'POST'})).rejects.toMatchObject({
      message: 'it refuses for want of a scope that the login has.',
      hint: 'Ask the operator of the server what the account may do.',
    });
  });

  it('send the token to no other resource, not even of the same origin', async () => {
    const guarded = await guardedServer();
    await byHand(guarded);
    guarded.seen.length = 0;
    const other = `${new URL(guarded.url).origin}/other`;
    await expect(fetchOf(guarded)(other, {method: 'POST'})).rejects.toMatchObject({code: 'AUTH'});
    expect(guarded.seen[0]).toBe('POST /other without a token');
  });
});
