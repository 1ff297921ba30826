import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {describe, expect, it} from 'vitest';
import {login} from '../../../src/mcp/oauth/login.ts';
import {authorizedFetch} from '../../../src/mcp/oauth/authorized-fetch.ts';
import {oauthServer} from '../../../src/mcp/oauth/oauth-server.ts';
import {visitLikeABrowser} from '../../conformance/visit-like-a-browser.ts';
import {guardedServer, type GuardedServer} from './support.ts';
import {killedWithTest} from '../../support/processes.ts';

const tokenRequests = ({seen}: GuardedServer): string[] => seen.filter((line) => line.startsWith('token'));

/** A login whose token has run out, at an issuer that gives each refresh token out once. */
async function expired(): Promise<GuardedServer> {
  const guarded = await guardedServer();
  await login({server: guarded.server, place: guarded.place, visit: visitLikeABrowser}, new AbortController().signal);
  guarded.valid.clear();
  guarded.ways.rotates = true;
  guarded.seen.length = 0;
  return guarded;
}

function other(way: 'fetch' | 'hold', {url, place}: GuardedServer): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'other-process.ts'), way, url, place.stateDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {PATH: process.env['PATH'], NODE_NO_WARNINGS: '1'},
  });
  killedWithTest(child);
  return child;
}

async function said({stdout}: ChildProcess): Promise<string> {
  return stdout === null ? '' : await text(stdout);
}

describe('processes that share a login', () => {
  it.each([2, 3, 6])('%i that find the token run out at the same time refresh it once, and all go on', async (count) => {
    const guarded = await expired();
    guarded.ways.gathered = count;
    const answers = await Promise.all(Array.from({length: count}, () => said(other('fetch', guarded))));
    expect(answers).toEqual(Array.from({length: count}, () => '200'));
    expect(tokenRequests(guarded)).toEqual(['token refresh_token for the resource']);
    expect((await oauthServer(guarded.server, guarded.place).store.access())?.tokens.refresh_token).toBe('r2');
  });

  it('several connections of one process take turns, too', async () => {
    const guarded = await expired();
    guarded.ways.gathered = 4;
    const sends = Array.from({length: 4}, () => authorizedFetch(oauthServer(guarded.server, guarded.place)));
    const responses = await Promise.all(sends.map((send) => send(guarded.url, {method: 'POST'})));
    expect(responses.map(({status}) => status)).toEqual([200, 200, 200, 200]);
    expect(tokenRequests(guarded)).toEqual(['token refresh_token for the resource']);
  });

  it('one that dies while it is its turn holds nobody up', async () => {
    const guarded = await expired();
    const holder = other('hold', guarded);
    if (holder.stdout !== null) await once(holder.stdout, 'data');
    const waiting = said(other('fetch', guarded));
    holder.kill('SIGKILL');
    expect(await waiting).toBe('200');
  });

  it('what one notes about a refusal takes away nothing that another one saved', async () => {
    const guarded = await expired();
    const stores = Array.from({length: 8}, () => oauthServer(guarded.server, guarded.place).store);
    const access = await stores[0]?.access();
    if (access === undefined) throw new Error('There is no login.');
    const tokens = {...access.tokens, access_token: 'newer'};
    await Promise.all(
      stores.map((store, at) => (at === 3 ? store.renew(async () => ({...access, tokens})) : store.want({scope: `s${at}`}))),
    );
    expect((await stores[0]?.access())?.tokens.access_token).toBe('newer');
  });
});
