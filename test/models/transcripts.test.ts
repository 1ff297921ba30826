import {describe, expect, it} from 'vitest';
import {anthropicWire} from '../../src/models/anthropic/anthropic.ts';
import {geminiWire} from '../../src/models/gemini/gemini.ts';
import {createChatWire} from '../../src/models/openai/openai-chat.ts';
import {responsesWire} from '../../src/models/openai/openai-responses.ts';
import type {ModelReply} from '../../src/models/provider.ts';
import {COMMON_DIALECT} from '../../src/models/provider-table.ts';
import type {Wire} from '../../src/models/wire.ts';
import {NO_USAGE} from '../../src/protocol/usage.ts';
import {all, provider} from './provider-fixture.ts';
import {serve} from './serve.ts';

// What servers really send, byte for byte, through the whole provider.

const chat = (): Wire => {
  let made = 0;
  return createChatWire(COMMON_DIALECT, () => `made${made++}`);
};

async function replyTo(wire: Wire, body: string, type = 'text/event-stream'): Promise<ModelReply> {
  const server = await serve((response) => response.writeHead(200, {'content-type': type}).end(body));
  const last = (
    await all(provider(server.url, {wire, limits: {firstByteMs: 1e12, betweenEventsMs: 1e12, stallNoticeMs: 1e12, retries: 0}}))
  ).at(-1);
  if (last?.type !== 'done') throw new Error(JSON.stringify(last));
  return last.reply;
}

const sse = (...chunks: readonly object[]): string => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
const delta = (fields: object, finish_reason: string | null = null) => ({choices: [{index: 0, delta: fields, finish_reason}]});
const calls = (...tool_calls: readonly object[]) => delta({tool_calls});
const fn = (name: string, args: string) => ({type: 'function', function: {name, arguments: args}});
const read = (id: string, path: string) => ({type: 'tool_call', id, name: 'read', arguments: JSON.stringify({path})});
const A = '{"path":"a"}';
const B = '{"path":"b"}';

describe('calls of compatible servers', () => {
  it.each<[string, string, readonly object[]]>([
    [
      'one index for all, no ids',
      sse(calls({index: 0, ...fn('read', A)}), calls({index: 0, ...fn('read', B)}), delta({}, 'stop')),
      [read('made0', 'a'), read('made1', 'b')],
    ],
    [
      'one id for all',
      sse(calls({index: 0, id: 'call_0', ...fn('read', A)}, {index: 1, id: 'call_0', ...fn('read', B)}), delta({}, 'tool_calls')),
      [read('call_0', 'a'), read('made0', 'b')],
    ],
    [
      'one index, ids (LiteLLM before Ollama)',
      sse(calls({index: 0, id: 'x', ...fn('read', A)}), calls({index: 0, id: 'y', ...fn('read', B)}), delta({}, 'stop')),
      [read('x', 'a'), read('y', 'b')],
    ],
    [
      'a name in each piece',
      sse(calls({index: 0, id: 'x', ...fn('read', '{"path"')}), calls({index: 0, id: 'x', ...fn('read', ':"a"}')}), delta({}, 'stop')),
      [read('x', 'a')],
    ],
  ])('%s', async (_, body, parts) => {
    expect((await replyTo(chat(), body)).message.parts).toEqual(parts);
  });

  it("Gemini's signature of a call goes back as it came (Gemini's OpenAI endpoint)", async () => {
    const signed = {index: 0, id: 'f1', ...fn('read', A), extra_content: {google: {thought_signature: 'SIG'}}};
    const {message} = await replyTo(chat(), sse(calls(signed), delta({}, 'stop')));
    const {body} = chat().encode({system: '', tools: [], messages: [message]}, 'm');
    expect(body['messages']).toEqual([
      {role: 'assistant', content: null, tool_calls: [{id: 'f1', ...fn('read', A), extra_content: {google: {thought_signature: 'SIG'}}}]},
    ]);
  });

  it('every item of a response has the number 0', async () => {
    const item = (id: string, args: string) => ({id, type: 'function_call', call_id: `call_${id}`, name: 'read', arguments: args});
    const events = [item('x', A), item('y', B)].flatMap((done) => [
      {type: 'response.output_item.added', output_index: 0, item: {...done, arguments: ''}},
      {type: 'response.function_call_arguments.delta', output_index: 0, item_id: done.id, delta: done.arguments},
      {type: 'response.output_item.done', output_index: 0, item: done},
    ]);
    const {message} = await replyTo(
      responsesWire,
      sse(...events, {type: 'response.completed', response: {status: 'completed', output: []}}),
    );
    expect(message.parts).toMatchObject([read('call_x', 'a'), read('call_y', 'b')]);
  });
});

describe('answers in an unusual form', () => {
  const whole = JSON.stringify({choices: [{index: 0, message: {role: 'assistant', content: 'Hi'}, finish_reason: 'stop'}]});
  it.each<[string, Wire, string, string]>([
    ['a whole completion that calls itself a stream', chat(), whole, 'text/event-stream'],
    ['a whole completion that calls itself text', chat(), ` \n${whole}`, 'text/plain'],
    ['a stream that calls itself JSON', chat(), sse(delta({content: 'Hi'}, 'stop')), 'application/json'],
    [
      'CR LF, and no empty line after the last event',
      chat(),
      `data: ${JSON.stringify(delta({content: 'Hi'}))}\r\n\r\ndata:${JSON.stringify(delta({}, 'stop'))}`,
      'text/event-stream',
    ],
    [
      'comments of OpenRouter',
      chat(),
      `: OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n${sse(delta({content: 'Hi'}, 'stop'))}data: [DONE]\n\n`,
      'text/event-stream',
    ],
    [
      'a list of all chunks (Gemini without alt=sse)',
      geminiWire,
      '[{"candidates":[{"content":{"parts":[{"text":"H"}]}}]}\n,\n{"candidates":[{"content":{"parts":[{"text":"i"}]},"finishReason":"STOP"}]}]',
      'application/json',
    ],
    [
      'a Messages stream without message_delta',
      anthropicWire,
      sse(
        {type: 'message_start', message: {content: []}},
        {type: 'content_block_start', index: 0, content_block: {type: 'text', text: 'Hi'}},
        {type: 'message_stop'},
      ),
      'text/event-stream',
    ],
  ])('%s', async (_, wire, body, type) => {
    expect(await replyTo(wire, body, type)).toMatchObject({message: {parts: [{type: 'text', text: 'Hi'}]}, stopReason: 'end'});
  });

  it.each([
    ['half an event at the end', `${sse(delta({content: 'Hi'}))}data: {"choices":[{"ind`],
    ['a finish that is an error', sse(delta({content: 'Hi'}), delta({}, 'error'))],
  ])('%s is not a reply', async (_, body) => {
    await expect(replyTo(chat(), body)).rejects.toThrow('"code":"PROVIDER"');
  });
});

describe('usage', () => {
  const ended = (usage: object) => sse(delta({content: 'Hi'}), {...delta({}, 'stop'), usage});
  it.each([
    [
      'DeepSeek without details',
      ended({prompt_tokens: 50, completion_tokens: 9, prompt_cache_hit_tokens: 32}),
      {input_tokens: 50, cached_input_tokens: 32, output_tokens: 9},
    ],
    [
      'Moonshot, in the choice',
      sse({
        choices: [
          {index: 0, delta: {content: 'Hi'}, finish_reason: 'stop', usage: {prompt_tokens: 8, completion_tokens: 2, cached_tokens: 4}},
        ],
      }),
      {input_tokens: 8, cached_input_tokens: 4, output_tokens: 2},
    ],
    [
      'vLLM, in every chunk',
      sse(
        {...delta({content: 'Hi'}), usage: {prompt_tokens: 10, completion_tokens: 1}},
        {...delta({}, 'stop'), usage: {prompt_tokens: 10, completion_tokens: 2}},
      ),
      {input_tokens: 10, output_tokens: 2},
    ],
  ])('%s', async (_, body, usage) => {
    expect((await replyTo(chat(), body)).usage).toEqual({...NO_USAGE, ...usage});
  });

  it('OpenRouter says what it charged', async () => {
    expect((await replyTo(chat(), ended({prompt_tokens: 100, completion_tokens: 10, cost: 0.0012}))).costUsd).toBe(0.0012);
  });
});
