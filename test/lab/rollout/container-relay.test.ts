import {request as httpRequest} from 'node:http';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createHttpClient} from '../../../src/models/http/http-client.ts';
import {openModelRelay} from '../../../src/lab/rollout/container/model-relay.ts';
import {relayedSettings, relayedVariables} from '../../../src/lab/rollout/container/relayed-settings.ts';
import type {ModelUpstream} from '../../../src/lab/rollout/rollout-request.ts';
import {refuse, serve, type Answer} from '../../models/serve.ts';
import {scratch} from '../../support/scratch.ts';

const TOKEN = 'fettle-token';

async function relayTo(...answers: readonly Answer[]): Promise<{
  readonly server: Awaited<ReturnType<typeof serve>>;
  post(address: string, headers?: Readonly<Record<string, string>>): Promise<{status: number; text: string}>;
  readonly socket: string;
}> {
  const server = await serve(...answers);
  const socket = join(await scratch(), 'model.sock');
  const upstream: ModelUpstream = {
    baseUrl: `${server.url}/v1`,
    header: 'x-api-key',
    key: 'real',
    keyVariable: 'K',
    headers: {'x-team': 'a'},
  };
  const relay = await openModelRelay({socket, upstreams: [upstream], token: TOKEN, env: {}});
  onTestFinished(() => relay.close());
  return {
    server,
    socket,
    async post(address, headers = {'x-api-key': TOKEN}) {
      const http = createHttpClient({FETTLE_MODEL_SOCKET: socket});
      let status = 0;
      const chunks: Uint8Array[] = [];
      for await (const piece of http.post({url: new URL(address), headers, body: '{}', signal: new AbortController().signal})) {
        if (piece instanceof Uint8Array) chunks.push(piece);
        else status = piece.status;
      }
      return {status, text: Buffer.concat(chunks).toString()};
    },
  };
}

describe('the relay between a container and the providers', () => {
  it('passes requests on with the key and the headers that the container does not have', async () => {
    const {server, post} = await relayTo(refuse(200, 'fine'));
    expect(await post(`${server.url}/v1/messages?beta=1`)).toEqual({status: 200, text: 'fine'});
    expect(server.received.map(({url, body, headers}) => [url, body, headers['x-api-key'], headers['x-team']])).toEqual([
      ['/v1/messages?beta=1', '{}', 'real', 'a'],
    ]);
  });

  it('gives errors of the provider as they are', async () => {
    const {server, post} = await relayTo(refuse(429, 'slow down'));
    expect(await post(`${server.url}/v1/messages`)).toEqual({status: 429, text: 'slow down'});
  });

  it.each([
    ['another path', '/v2/x', {'x-api-key': TOKEN}, 403],
    ['a path that leads out', '/v1/../admin', {'x-api-key': TOKEN}, 403],
    ['another token', '/v1/x', {'x-api-key': 'guess'}, 401],
    ['no token', '/v1/x', {}, 401],
  ])('refuses %s', async (_, path, headers, status) => {
    const {server, post} = await relayTo(refuse(200, 'fine'));
    expect((await post(`${server.url}${path}`, headers)).status).toBe(status);
    expect(server.received).toEqual([]);
  });

  it('refuses other servers, and what is not a whole address', async () => {
    const {server, post, socket} = await relayTo(refuse(200, 'fine'));
    expect((await post('http://example.com/v1/x')).status).toBe(403);
    const answer = await new Promise<string>((resolve, reject) => {
      httpRequest(
        {socketPath: socket, path: '/v1/x', method: 'POST', headers: {'x-api-key': TOKEN}},
        (response) => void text(response).then(resolve, reject),
      ).end('{}');
    });
    expect(JSON.parse(answer)).toEqual({error: {type: 'relay_error', message: 'not an address of the model: /v1/x'}});
    expect(server.received).toEqual([]);
  });

  it('says so where a provider cannot be reached', async () => {
    const {server, post} = await relayTo((response) => response.socket?.destroy());
    expect(await post(`${server.url}/v1/x`)).toMatchObject({status: 502, text: expect.stringContaining('relay_error')});
  });

  it('is not opened where the path of its socket is too long', async () => {
    const socket = join(await scratch(), 'x'.repeat(100), 'model.sock');
    await expect(openModelRelay({socket, upstreams: [], token: TOKEN, env: {}})).rejects.toMatchObject({code: 'UNAVAILABLE'});
  });
});

describe('what an agent in a container gets', () => {
  it('has neither keys nor headers, nor passwords in addresses', () => {
    const upstreams = [{baseUrl: 'https://a', header: 'authorization', key: 'k', keyVariable: 'A_KEY', headers: {}}] as const;
    const secrets = {A_KEY: 'sk-secret', A_BASE_URL: 'https://me:secret@a.example/v1'};
    expect(relayedVariables({secrets, upstreams}, TOKEN)).toEqual({A_KEY: TOKEN, A_BASE_URL: 'https://a.example/v1'});
    const settings = {
      providers: {openai: {base_url: 'https://me:secret@b.example/v1', api_key_env: 'X'}},
      custom_providers: [{name: 'c', format: 'openai-chat', base_url: 'https://c.example', headers: {'x-secret': 's'}}],
      sandbox: {network: true},
    };
    expect(relayedSettings(settings)).toEqual({
      providers: {openai: {base_url: 'https://b.example/v1', api_key_env: 'X'}},
      custom_providers: [{name: 'c', format: 'openai-chat', base_url: 'https://c.example'}],
      sandbox: {network: true},
    });
  });
});
