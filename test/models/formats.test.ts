import {describe, expect, it, onTestFinished} from 'vitest';
import {openProvider} from '../../src/models/open-provider.ts';
import type {ModelEvent, ModelRequest, Provider} from '../../src/models/provider.ts';
import type {AssistantMessage, Message} from '../../src/protocol/messages.ts';
import {startModelServer, type ModelScript, type ModelServer} from '../../src/testing/index.ts';
import {all, KEY} from './provider-fixture.ts';

const READ = {
  name: 'read',
  description: 'Read a file.',
  parameters: {type: 'object', properties: {path: {type: 'string'}}, required: ['path'], additionalProperties: false},
};

type Format = readonly [ref: string, variables: string, path: string];

/** The four wire formats: a model of each, and where its API is below the address of the model server. */
const FORMATS: readonly Format[] = [
  ['openai/gpt-6.2-sol', 'OPENAI', '/v1'],
  ['openai-chat/gpt-6.2-sol', 'OPENAI', '/v1'],
  ['anthropic/claude-sonnet-5-5', 'ANTHROPIC', ''],
  ['gemini/gemini-3.8-flash', 'GEMINI', '/v1beta'],
  ['mistral/mistral-large-4', 'MISTRAL', '/v1'],
];

async function open([ref, prefix, path]: Format, script: ModelScript, retries = 2): Promise<{provider: Provider; server: ModelServer}> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const env = {[`${prefix}_API_KEY`]: KEY, [`${prefix}_BASE_URL`]: server.url + path};
  const limits = {firstByteMs: 60_000, betweenEventsMs: 90_000, stallNoticeMs: 10_000, retries};
  return {provider: await openProvider(ref, {env, providers: [], baseUrls: {}, limits}), server};
}

function messageOf(given: readonly ModelEvent[]): AssistantMessage {
  const last = given.at(-1);
  if (last?.type !== 'done') throw new Error(`no reply: ${JSON.stringify(last)}`);
  return last.reply.message;
}

function textOf({parts}: AssistantMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function request(messages: readonly Message[]): ModelRequest {
  return {system: 'Be brief.', messages, tools: [READ], cacheKey: 'thr_1', maxOutputTokens: 1000};
}

const QUESTION: Message = {role: 'user', text: 'Compare a and b. 日本 🦊'};

describe.each(FORMATS)('%s', (...format) => {
  it('a call under an impossible name, and two under one id: every call gets its own result, and the server takes the history', async () => {
    const toolCalls = [
      {name: 'functions.read', arguments: {path: 'a'}, id: 'c1'},
      {name: 'read', arguments: {path: 'b'}, id: 'c1'},
      {name: `what is this? ${'x'.repeat(100)}`, arguments: {}},
    ];
    const {provider, server} = await open(format, [{toolCalls}, {text: 'Done.'}]);
    const first = messageOf(await all(provider, request([QUESTION])));
    const calls = first.parts.filter((part) => part.type === 'tool_call');
    expect(calls.map(({name}) => name)).toEqual(toolCalls.map(({name}) => name));
    expect(new Set(calls.map(({id}) => id)).size).toBe(3);
    const results = calls.map(({id, name}) => ({callId: id, name, text: `of ${name}`, isError: false}));
    // What is kept of a call bears the name that it came to.
    const kept = {
      ...first,
      parts: first.parts.map((part) => (part.type === 'tool_call' ? {...part, name: part.name.replace('functions.', '')} : part)),
    };
    const named = results.map((result) => ({...result, name: result.name.replace('functions.', '')}));
    const history: Message[] = [QUESTION, kept, {role: 'tool', results: named}];
    expect(textOf(messageOf(await all(provider, request(history))))).toBe('Done.');
    expect(server.violations).toEqual([]);
  });

  it('thinks, calls two tools at once, and gets their results: the server has nothing to complain about', async () => {
    const toolCalls = ['a', 'b'].map((path) => ({name: 'read', arguments: {path}}));
    const {provider, server} = await open(format, [
      {reasoning: 'Both files.', text: 'I read.', toolCalls, chunkBytes: 7},
      {text: 'Same.', usage: {input_tokens: 1_000_000, output_tokens: 0}},
    ]);
    const first = messageOf(await all(provider, request([QUESTION])));
    const calls = first.parts.filter((part) => part.type === 'tool_call');
    expect(calls.map(({name, arguments: text}) => [name, JSON.parse(text)])).toEqual([
      ['read', {path: 'a'}],
      ['read', {path: 'b'}],
    ]);
    const results = calls.map(({id, name}, index) => ({callId: id, name, text: index === 0 ? 'A' : 'no such file', isError: index > 0}));
    const given = await all(provider, request([QUESTION, first, {role: 'tool', results}]));
    expect(given.at(-1)).toMatchObject({type: 'done', reply: {stopReason: 'end', retries: 0, costUsd: expect.any(Number)}});
    expect(textOf(messageOf(given))).toBe('Same.');
    expect(server.violations).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  it('survives a rate limit and an overload', async () => {
    const headers = {'retry-after-ms': '1'};
    const {provider, server} = await open(format, [
      {status: 429, headers},
      {status: 529, headers},
      {text: 'Hi', chunkBytes: 1},
    ]);
    const given = await all(provider, request([QUESTION]));
    expect(given.filter(({type}) => type !== 'text').map(({type}) => type)).toEqual(['retry', 'retry', 'done']);
    expect(textOf(messageOf(given))).toBe('Hi');
    expect(server.violations).toEqual([]);
  });

  it.each([
    ['garbage', {garbage: '<<<not an event>>>'}, 'PROVIDER'],
    ['half a stream', {text: 'a long answer that is cut in two', halfStream: true}, 'PROVIDER'],
    ['500', {status: 500}, 'PROVIDER'],
    ['401', {status: 401}, 'AUTH'],
    ['400', {status: 400}, 'BAD_ARGS'],
    ['413', {status: 413}, 'TOO_LARGE'],
  ])('%s ends in a failure and never in an exception', async (_name, answer, code) => {
    const {provider} = await open(format, [answer], 0);
    const failure = (await all(provider, request([QUESTION]))).at(-1);
    expect(failure).toMatchObject({type: 'error', failure: {code}});
    expect(JSON.stringify(failure)).not.toContain(KEY);
  });
});
