import {describe, expect, it, onTestFinished} from 'vitest';
import type {ModelEvent, ModelReply, Provider} from '../../src/models/provider.ts';
import {openProvider} from '../../src/models/open-provider.ts';
import type {Message, WireFormat} from '../../src/protocol/messages.ts';
import {startModelServer, type ModelScript, type ModelServer} from '../../src/testing/index.ts';

const FORMATS: readonly {format: WireFormat; model: string; base: string}[] = [
  {format: 'openai-chat', model: 'openai-chat/gpt-5', base: '/v1'},
  {format: 'openai-responses', model: 'openai/gpt-5', base: '/v1'},
  {format: 'anthropic', model: 'anthropic/claude-sonnet-5', base: ''},
  {format: 'gemini', model: 'gemini/gemini-3-pro', base: '/v1beta'},
];

const TOOLS = [
  {name: 'read', description: 'Reads a file.', parameters: {type: 'object', properties: {path: {type: 'string'}}, required: ['path']}},
  {name: 'status', description: 'Git status.', parameters: {type: 'object', properties: {}}},
];

async function serve(
  script: ModelScript,
  {model, base}: {model: string; base: string},
): Promise<{server: ModelServer; provider: Provider}> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const provider = await openProvider(model, {
    env: {OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k'},
    providers: [],
    baseUrls: {[model.split('/')[0] ?? '']: server.url + base},
    limits: {retries: 0, firstByteMs: 10_000, betweenEventsMs: 10_000, stallNoticeMs: 5_000},
  });
  return {server, provider};
}

async function ask(provider: Provider, messages: readonly Message[], more: object = {}): Promise<readonly ModelEvent[]> {
  const request = {system: 'You mend code.', messages, tools: TOOLS, cacheKey: 'thr_1', ...more};
  return Array.fromAsync(provider.stream(request, new AbortController().signal));
}

function replyOf(events: readonly ModelEvent[]): ModelReply {
  const last = events.at(-1);
  if (last?.type !== 'done') throw new Error(`no reply: ${JSON.stringify(last)}`);
  return last.reply;
}

/** What a reply says, without ids and what belongs to the format. */
function essence({message, stopReason, usage}: ModelReply): unknown {
  const parts = message.parts.flatMap((part) => {
    if (part.type === 'tool_call') return [[part.name, JSON.parse(part.arguments)]];
    return part.text === '' ? [] : [[part.type, part.text]];
  });
  return {parts, stopReason, usage};
}

const USAGE = {input_tokens: 900, cached_input_tokens: 600, cache_creation_tokens: 0, output_tokens: 80, reasoning_tokens: 30};

describe.each(FORMATS)('a conversation in the format $format', (wire) => {
  it('runs through two tools at once, reasoning and an answer, without a violation', async () => {
    const {server, provider} = await serve(
      [
        {
          reasoning: 'Both files matter.',
          text: 'I look at both – 👀.',
          toolCalls: [{name: 'read', arguments: {path: 'a b.ts', more: 'ünï'}}, {name: 'status'}],
          usage: USAGE,
          chunkBytes: 7,
        },
        (request) => ({text: `Saw ${JSON.stringify(request.body).includes('let a = 1') ? 'it' : 'nothing'}.`}),
        {text: 'Bye.'},
      ],
      wire,
    );
    const first = replyOf(await ask(provider, [{role: 'user', text: 'Fix it.'}]));
    expect(essence(first)).toEqual({
      parts: [
        ['reasoning', 'Both files matter.'],
        ['text', 'I look at both – 👀.'],
        ['read', {path: 'a b.ts', more: 'ünï'}],
        ['status', {}],
      ],
      stopReason: 'tool_calls',
      usage: USAGE,
    });
    const results = first.message.parts.flatMap((part) =>
      part.type === 'tool_call' ? [{callId: part.id, name: part.name, text: 'let a = 1', isError: part.name === 'status'}] : [],
    );
    const second: readonly Message[] = [
      {role: 'user', text: 'Fix it.'},
      first.message,
      {role: 'tool', results},
      {role: 'user', text: 'Quick!'},
    ];
    const answer = replyOf(await ask(provider, second));
    expect(essence(answer)).toMatchObject({parts: [['text', 'Saw it.']], stopReason: 'end'});
    await ask(provider, [...second, answer.message, {role: 'user', text: 'Thanks.'}], {maxOutputTokens: 500});
    expect(server.violations).toEqual([]);
    expect(server.requests.map(({format}) => format)).toEqual([wire.format, wire.format, wire.format]);
  });

  it('accepts an output schema, and a conversation that another model began', async () => {
    const {server, provider} = await serve([{text: '{"n":1}'}], wire);
    const foreign: readonly Message[] = [
      {role: 'user', text: 'go'},
      {
        role: 'assistant',
        parts: [
          {type: 'reasoning', text: 'x', native: {format: wire.format === 'gemini' ? 'anthropic' : 'gemini', data: {thought: true}}},
          {type: 'tool_call', id: 'gem_r_0', name: 'read', arguments: '{"path": "broken'},
        ],
      },
      {role: 'tool', results: [{callId: 'gem_r_0', name: 'read', text: 'bad arguments', isError: true}]},
    ];
    const outputSchema = {type: 'object', properties: {n: {type: 'integer'}}, required: ['n'], additionalProperties: false};
    expect(essence(replyOf(await ask(provider, foreign, {outputSchema})))).toMatchObject({parts: [['text', '{"n":1}']]});
    expect(server.violations).toEqual([]);
  });

  it.each([
    ['max_tokens', 'max_tokens'],
    ['refusal', 'refusal'],
    ['other', 'other'],
  ] as const)('stops with %s', async (stop, expected) => {
    const {provider} = await serve([{text: 'I', stop}], wire);
    expect(replyOf(await ask(provider, [{role: 'user', text: 'go'}])).stopReason).toBe(expected);
  });

  it('reports a stream that was cut in the middle, and one that is garbage', async () => {
    const {provider} = await serve([{text: 'one two three', halfStream: true}, {garbage: 'data: <html>\n\n'}], wire);
    const messages: readonly Message[] = [{role: 'user', text: 'go'}];
    expect((await ask(provider, messages)).at(-1)).toMatchObject({type: 'error', failure: {code: 'PROVIDER'}});
    expect((await ask(provider, messages)).at(-1)).toMatchObject({type: 'error', failure: {code: 'PROVIDER'}});
  });

  it('reports the message of a server that says no, in the error shape of the format', async () => {
    const {provider} = await serve([{status: 401}], wire);
    expect((await ask(provider, [{role: 'user', text: 'go'}])).at(-1)).toMatchObject({
      type: 'error',
      failure: {code: 'AUTH', status: 401, message: expect.stringContaining('Scripted status 401.')},
    });
  });

  it('is found out when it answers a call twice or not at all', async () => {
    const {server, provider} = await serve([{text: 'never'}], wire);
    const call: Message = {role: 'assistant', parts: [{type: 'tool_call', id: 'c1', name: 'read', arguments: '{}'}]};
    expect((await ask(provider, [{role: 'user', text: 'go'}, call, {role: 'user', text: 'and?'}])).at(-1)).toMatchObject({
      type: 'error',
      failure: {status: 400},
    });
    expect(server.violations).toEqual([
      expect.stringMatching(/^request 1 \([a-z-]+\): \w+\.\d: call c1 has no result in the turn after it$/),
    ]);
  });
});
