import {describe, expect, it, onTestFinished} from 'vitest';
import {createGeminiDecoder} from '../../src/models/gemini/gemini-decoder.ts';
import {geminiWire} from '../../src/models/gemini/gemini.ts';
import {createChatWire} from '../../src/models/openai/openai-chat.ts';
import {responsesWire} from '../../src/models/openai/openai-responses.ts';
import {BUILT_IN_PROVIDERS, COMMON_DIALECT} from '../../src/models/provider-table.ts';
import type {ModelReply} from '../../src/models/provider.ts';
import {openProvider, reportsLogprobs} from '../../src/models/open-provider.ts';
import type {ProviderSettings} from '../../src/models/provider-settings.ts';
import type {Wire} from '../../src/models/wire.ts';
import {startModelServer, type ModelScript, type ModelServer} from '../../src/testing/index.ts';
import {decode} from './decode.ts';
import {all, HELLO} from './provider-fixture.ts';

const NUMBERS = [-0.25, -1.5, -0.001, -3];

/** A model of each format: its variables, its API below the address of the server, and what it told where it was asked. */
const FORMATS: readonly (readonly [ref: string, prefix: string, path: string, told: readonly number[] | undefined])[] = [
  ['openai-chat/gpt-6.2-sol', 'OPENAI', '/v1', NUMBERS],
  ['openai/gpt-6.2-sol', 'OPENAI', '/v1', NUMBERS],
  ['gemini/gemini-3.8-flash', 'GEMINI', '/v1beta', NUMBERS],
  ['anthropic/claude-sonnet-5-5', 'ANTHROPIC', '', undefined],
  ['mistral/mistral-large-4', 'MISTRAL', '/v1', undefined],
];

async function replies(
  {ref, prefix, path, logprobs}: {ref: string; prefix: string; path: string; logprobs?: boolean},
  script: ModelScript,
): Promise<{server: ModelServer; reply: () => Promise<ModelReply>}> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const env = {[`${prefix}_API_KEY`]: 'k', [`${prefix}_BASE_URL`]: server.url + path};
  const provider = await openProvider(ref, {...settings({env}), logprobs});
  return {
    server,
    async reply() {
      const last = (await all(provider)).at(-1);
      if (last?.type !== 'done') throw new Error(`no reply: ${JSON.stringify(last)}`);
      return last.reply;
    },
  };
}

function settings(more: Partial<ProviderSettings> = {}): ProviderSettings {
  return {
    env: {},
    providers: [],
    baseUrls: {},
    limits: {firstByteMs: 60_000, betweenEventsMs: 90_000, stallNoticeMs: 10_000, retries: 1},
    ...more,
  };
}

describe('vtcode architecture › "standardized per-step metrics (token usage, costs, logprobs)"', () => {
  it.each(FORMATS)('%s: asked for, they come with the reply; text and history stay as they are', async (ref, prefix, path, told) => {
    const script = [{text: 'I say three words', logprobs: NUMBERS, chunkBytes: 5}];
    const [plain, asking] = await Promise.all([replies({ref, prefix, path}, script), replies({ref, prefix, path, logprobs: true}, script)]);
    const [without, reply] = [await plain.reply(), await asking.reply()];
    expect(reply).toEqual(told === undefined ? without : {...without, logprobs: told});
    expect([plain.server.violations, asking.server.violations]).toEqual([[], []]);
  });

  it('an attempt that broke off leaves nothing behind', async () => {
    const [ref, prefix, path] = ['openai-chat/gpt-6.2-sol', 'OPENAI', '/v1'];
    const first = {text: 'This breaks off here', logprobs: NUMBERS, halfStream: true};
    const {reply} = await replies({ref, prefix, path, logprobs: true}, [first, {text: 'Hi', logprobs: [-1]}]);
    expect(await reply()).toMatchObject({logprobs: [-1], retries: 1});
  });

  const ASKED: readonly (readonly [string, Wire, object, object])[] = [
    ['Chat Completions', createChatWire(COMMON_DIALECT), {}, {logprobs: true}],
    ['Mistral', createChatWire(BUILT_IN_PROVIDERS['mistral']?.dialect ?? COMMON_DIALECT), {}, {}],
    [
      'Responses',
      responsesWire,
      {include: ['reasoning.encrypted_content']},
      {include: ['reasoning.encrypted_content', 'message.output_text.logprobs']},
    ],
    ['Gemini', geminiWire, {generationConfig: undefined}, {generationConfig: {responseLogprobs: true}}],
  ];
  it.each(ASKED)('%s: the request asks only where it is told to', (_, wire, off, on) => {
    const body = wire.encode(HELLO, 'm').body;
    const asking = wire.encode({...HELLO, logprobs: true}, 'm').body;
    expect(asking).toEqual({...body, ...on});
    expect(body).toEqual({...asking, logprobs: undefined, ...off});
  });
});

const chat = (logprobs: unknown) => ({choices: [{index: 0, delta: {content: 'x'}, logprobs, finish_reason: 'stop'}]});
const item = (logprobs: unknown) => {
  return {id: 'm1', type: 'message', role: 'assistant', content: [{type: 'output_text', text: 'x', annotations: [], logprobs}]};
};
const numbers = (...values: readonly number[]) => values.map((logprob) => ({token: 'x', logprob}));
const done = (output: readonly unknown[]) => ({type: 'response.completed', response: {status: 'completed', output}});
const at = {item_id: 'm1', output_index: 0, content_index: 0};
const gemini = (logprobsResult: unknown) => {
  return {candidates: [{content: {parts: [{text: 'x'}]}, finishReason: 'STOP', logprobsResult}]};
};

describe('log probabilities in a stream', () => {
  const wires = {chat: createChatWire(COMMON_DIALECT), responses: responsesWire, gemini: {...geminiWire, decoder: createGeminiDecoder}};
  it.each<[string, keyof typeof wires, readonly unknown[], readonly number[] | undefined]>([
    ['chat: of a refusal, too', 'chat', [chat({content: numbers(-1), refusal: numbers(-2)})], [-1, -2]],
    ['chat: null, as most servers send it', 'chat', [chat(null)], undefined],
    ['chat: what is no number is left out', 'chat', [chat({content: [{logprob: 'x'}, 7, null, {}, ...numbers(-1)]})], [-1]],
    [
      'chat: a number that JSON cannot hold',
      'chat',
      ['{"choices":[{"index":0,"delta":{"content":"x"},"logprobs":{"content":[{"logprob":-1e999}]},"finish_reason":"stop"}]}'],
      undefined,
    ],
    ['chat: of another shape', 'chat', [chat({content: {logprob: -1}})], undefined],
    [
      'responses: in the deltas alone',
      'responses',
      [{type: 'response.output_text.delta', ...at, delta: 'x', logprobs: numbers(-1)}, done([item([])])],
      [-1],
    ],
    [
      'responses: with the whole text alone',
      'responses',
      [{type: 'response.output_text.done', ...at, text: 'x', logprobs: numbers(-1)}, done([item([])])],
      [-1],
    ],
    ['responses: in the finished item alone', 'responses', [done([item(numbers(-1, -2))])], [-1, -2]],
    ['responses: nowhere', 'responses', [done([item([])])], undefined],
    [
      'gemini: in several chunks',
      'gemini',
      [gemini({chosenCandidates: [{logProbability: -1}]}), gemini({chosenCandidates: [{logProbability: -2}]})],
      [-1, -2],
    ],
    ['gemini: of another shape', 'gemini', [gemini({chosenCandidates: -1})], undefined],
  ])('%s', (_, wire, values, expected) => {
    const {end} = decode(wires[wire], values);
    expect(end.ok ? end.logprobs : end).toEqual(expected);
  });

  it('responses: the item that goes back has none of them', () => {
    const {end} = decode(responsesWire, [done([item(numbers(-1))])]);
    expect(end.ok ? end.message.parts : end).toEqual([{type: 'text', text: 'x', native: {format: 'openai-responses', data: item([])}}]);
  });

  it('what comes unasked is dropped', async () => {
    const body = `data: ${JSON.stringify(chat({content: numbers(-1)}))}\n\ndata: [DONE]\n\n`;
    const {reply} = await replies({ref: 'openai-chat/gpt', prefix: 'OPENAI', path: '/v1'}, [{garbage: body}]);
    expect(Object.keys(await reply())).not.toContain('logprobs');
  });
});

describe('reportsLogprobs', () => {
  const custom = (format: 'anthropic' | 'openai-chat') => [{name: 'own', format, base_url: 'http://127.0.0.1/v1'}];
  it.each<[string, Partial<ProviderSettings>, boolean]>([
    ['openai/gpt', {}, true],
    ['ollama/qwen', {}, true],
    ['gemini/flash', {}, true],
    ['anthropic/claude', {}, false],
    ['mistral/large', {}, false],
    ['own/m', {providers: custom('openai-chat')}, true],
    ['own/m', {providers: custom('anthropic')}, false],
    ['script:a.toml', {}, false],
    ['replay:a.jsonl', {}, true],
  ])('%s', (ref, more, tells) => {
    expect(reportsLogprobs(ref, settings(more))).toBe(tells);
  });
});
