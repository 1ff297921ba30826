import {describe, expect, it} from 'vitest';
import {openProvider} from '../../src/models/open-provider.ts';
import {listProviders} from '../../src/models/provider-entry.ts';
import type {CustomProvider, ProviderSettings} from '../../src/models/provider-settings.ts';
import {all, HELLO, KEY, REPLY} from './provider-fixture.ts';
import {events, serve} from './serve.ts';

const LIMITS = {firstByteMs: 60_000, betweenEventsMs: 90_000, stallNoticeMs: 10_000, retries: 0};

function settings(given: Partial<ProviderSettings> = {}): ProviderSettings {
  return {env: {}, providers: [], baseUrls: {}, limits: LIMITS, ...given};
}

const CUSTOM: CustomProvider = {
  name: 'house',
  format: 'openai-chat',
  base_url: 'https://llm.house.test/v1',
  api_key_env: 'HOUSE_KEY',
  headers: {'x-team': 'tools'},
  models: ['small', 'large'],
};

describe('openProvider', () => {
  it.each([
    ['openai/gpt-6.2-sol', 'OPENAI_API_KEY'],
    ['openai-chat/gpt-6.2-sol', 'OPENAI_API_KEY'],
    ['anthropic/claude-sonnet-5-5', 'ANTHROPIC_API_KEY'],
    ['gemini/gemini-3.8-flash', 'GEMINI_API_KEY'],
    ['mistral/mistral-large-4', 'MISTRAL_API_KEY'],
    ['openrouter/anthropic/claude-sonnet-5.5', 'OPENROUTER_API_KEY'],
  ])('%s needs %s, and says so at the first request', async (ref, variable) => {
    const provider = await openProvider(ref, settings());
    expect(provider.model).toBe(ref);
    expect(await all(provider)).toMatchObject([
      {type: 'error', failure: {code: 'AUTH', message: expect.stringContaining(`${variable} is not set`)}},
    ]);
  });

  it.each([
    ['openai', 'OPENAI', '/v1/responses', 'authorization', `Bearer ${KEY}`],
    ['openai-chat', 'OPENAI', '/v1/chat/completions', 'authorization', `Bearer ${KEY}`],
    ['anthropic', 'ANTHROPIC', '/v1/messages', 'x-api-key', KEY],
    ['gemini', 'GEMINI', '/v1beta/models/m:streamGenerateContent?alt=sse', 'x-goog-api-key', KEY],
    ['mistral', 'MISTRAL', '/v1/chat/completions', 'authorization', `Bearer ${KEY}`],
  ])('%s: base URL and key come from the environment', async (name, prefix, path, header, value) => {
    const server = await serve(events());
    const env = {[`${prefix}_BASE_URL`]: ` ${server.url} `, [`${prefix}_API_KEY`]: `${KEY}\n`};
    await all(await openProvider(`${name}/m`, settings({env})));
    expect(server.received[0]?.url).toBe(path);
    expect(server.received[0]?.headers[header]).toBe(value);
  });

  it('a base URL and a key variable of the configuration win over the environment', async () => {
    const server = await serve(events(...REPLY));
    const env = {MISTRAL_BASE_URL: 'http://127.0.0.1:9', MISTRAL_API_KEY: 'wrong', MY_KEY: KEY};
    const provider = await openProvider('mistral/m', settings({env, baseUrls: {mistral: server.url}, keyVariables: {mistral: 'MY_KEY'}}));
    expect((await all(provider)).at(-1)).toMatchObject({type: 'done'});
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it.each(['ollama', 'lmstudio', 'llamacpp', 'vllm'])('%s is local and needs no key', async (name) => {
    const server = await serve(events(...REPLY));
    const provider = await openProvider(`${name}/m`, settings({baseUrls: {[name]: server.url}}));
    expect((await all(provider)).at(-1)).toMatchObject({type: 'done', reply: {costUsd: null}});
    expect(server.received[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['a custom provider on a local address', 'house', {type: 'stall', silentMs: 20}],
    ['a built-in local one', 'vllm', {type: 'stall', silentMs: 20}],
  ])('%s has the same patience for its first byte (issue 14, 10)', async (_what, name, first) => {
    const server = await serve(() => undefined);
    const providers = name === 'house' ? [{name, format: 'openai-chat' as const, base_url: server.url}] : [];
    const limits = {firstByteMs: 20, betweenEventsMs: 20, stallNoticeMs: 20, retries: 1};
    const provider = await openProvider(`${name}/m`, settings({providers, baseUrls: {[name]: server.url}, limits}));
    const stream = provider.stream(HELLO, new AbortController().signal)[Symbol.asyncIterator]();
    expect((await stream.next()).value).toMatchObject(first);
    await stream.return?.(undefined);
  });

  it('gives a local server ten times longer for its first byte: it may be loading the model', async () => {
    const server = await serve(() => undefined);
    const limits = {firstByteMs: 20, betweenEventsMs: 20, stallNoticeMs: 20, retries: 1};
    for (const [name, first] of [
      ['ollama', {type: 'stall', silentMs: 20}],
      ['mistral', {type: 'retry', attempt: 1}],
    ] as const) {
      const provider = await openProvider(`${name}/m`, settings({baseUrls: {[name]: server.url}, env: {MISTRAL_API_KEY: KEY}, limits}));
      const stream = provider.stream(HELLO, new AbortController().signal)[Symbol.asyncIterator]();
      expect((await stream.next()).value).toMatchObject(first);
      await stream.return?.();
    }
  });

  it('opens custom providers, with their headers', async () => {
    const server = await serve(events(...REPLY));
    const providers = [{...CUSTOM, base_url: server.url}];
    expect((await all(await openProvider('house/large', settings({providers, env: {HOUSE_KEY: KEY}})))).at(-1)).toMatchObject({
      type: 'done',
    });
    expect(server.received[0]?.headers).toMatchObject({'x-team': 'tools', authorization: `Bearer ${KEY}`});
    expect(await all(await openProvider('house/large', settings({providers})))).toMatchObject([
      {type: 'error', failure: {code: 'AUTH', message: 'No key for house: HOUSE_KEY is not set.'}},
    ]);
  });

  it('names the nearest provider for an unknown one', async () => {
    await expect(openProvider('antropic/claude', settings({providers: [CUSTOM]}))).rejects.toMatchObject({
      code: 'CONFIG',
      message: 'Unknown provider "antropic"; the nearest is anthropic.',
      hint:
        'Known: house, openai, openai-chat, anthropic, gemini, mistral, openrouter, ollama, lmstudio, llamacpp, vllm. ' +
        'Others go into [[custom_providers]] of the configuration.',
    });
  });

  it.each(['gpt-6', '', '/x', 'openai/', 'constructor/x', '__proto__/x'])('%j is CONFIG', async (ref) => {
    await expect(openProvider(ref, settings())).rejects.toMatchObject({code: 'CONFIG'});
  });

  it.each(['ftp://x', 'localhost:11434', ''])('a base URL %j is CONFIG', async (url) => {
    await expect(openProvider('ollama/x', settings({baseUrls: {ollama: url}}))).rejects.toMatchObject({code: 'CONFIG'});
  });
});

describe('listProviders', () => {
  it('shows where each provider is and whether its key is there, never the key', () => {
    const env = {OPENAI_API_KEY: KEY, HOUSE_KEY: ' ', GEMINI_BASE_URL: 'http://proxy.test/g'};
    const listed = listProviders(settings({env, providers: [CUSTOM]}));
    expect(listed.map(({name}) => name)).toEqual([
      'house',
      'openai',
      'openai-chat',
      'anthropic',
      'gemini',
      'mistral',
      'openrouter',
      'ollama',
      'lmstudio',
      'llamacpp',
      'vllm',
    ]);
    expect(listed.filter(({hasKey}) => hasKey).map(({name}) => name)).toEqual(['openai', 'openai-chat']);
    expect(listed[0]).toEqual({
      name: 'house',
      format: 'openai-chat',
      baseUrl: 'https://llm.house.test/v1',
      keyVariable: 'HOUSE_KEY',
      hasKey: false,
      isCustom: true,
      models: ['small', 'large'],
    });
    expect(listed[4]).toMatchObject({name: 'gemini', baseUrl: 'http://proxy.test/g', keyVariable: 'GEMINI_API_KEY'});
    expect(JSON.stringify(listed)).not.toContain(KEY);
  });

  it('lists a custom provider with the name of a built-in one once, as custom', () => {
    const listed = listProviders(settings({providers: [{...CUSTOM, name: 'ollama'}]}));
    expect(listed.filter(({name}) => name === 'ollama')).toEqual([expect.objectContaining({isCustom: true, baseUrl: CUSTOM.base_url})]);
  });
});
