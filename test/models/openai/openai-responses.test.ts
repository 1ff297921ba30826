import {describe, expect, it} from 'vitest';
import {responsesWire} from '../../../src/models/openai/openai-responses.ts';
import type {ModelRequest} from '../../../src/models/provider.ts';
import type {AssistantMessage, Message, ToolSchema} from '../../../src/protocol/messages.ts';
import {NO_USAGE} from '../../../src/protocol/usage.ts';
import {decode, expectSameInAnyPieces, joined} from '../decode.ts';

const REASONING = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [
    {type: 'summary_text', text: 'First.'},
    {type: 'summary_text', text: 'Then.'},
  ],
  encrypted_content: 'gAAA=',
};
const COMMENTARY = {
  type: 'message',
  id: 'msg_1',
  status: 'completed',
  role: 'assistant',
  phase: 'commentary',
  content: [{type: 'output_text', text: 'I read 日本 🦊.', annotations: [], logprobs: []}],
};
const CALL_A = {type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'read', arguments: '{"path":"a"}', status: 'completed'};
const CALL_B = {type: 'function_call', id: 'fc_2', call_id: 'call_b', name: 'grep', arguments: '{}', status: 'completed'};
const UNKNOWN = {type: 'acme:search_result', id: 'x_1', payload: {deep: [1, null]}};
const ITEMS = [REASONING, COMMENTARY, UNKNOWN, CALL_A, CALL_B];
const USAGE = {
  input_tokens: 100,
  output_tokens: 20,
  total_tokens: 120,
  input_tokens_details: {cached_tokens: 64, cache_write_tokens: 8},
  output_tokens_details: {reasoning_tokens: 5},
};

const native = (data: object) => ({format: 'openai-responses', data}) as const;
const MESSAGE = {
  role: 'assistant',
  parts: [
    {type: 'reasoning', text: 'First.\n\nThen.', native: native(REASONING)},
    {type: 'text', text: 'I read 日本 🦊.', native: native(COMMENTARY)},
    {type: 'reasoning', text: '', native: native(UNKNOWN)},
    {type: 'tool_call', id: 'call_a', name: 'read', arguments: '{"path":"a"}', native: native(CALL_A)},
    {type: 'tool_call', id: 'call_b', name: 'grep', arguments: '{}', native: native(CALL_B)},
  ],
};

const added = (output_index: number, item: object) => ({type: 'response.output_item.added', output_index, item});
const done = (output_index: number, item: object) => ({type: 'response.output_item.done', output_index, item});
const on = (type: string, output_index: number, rest: object) => ({
  type: `response.${type}`,
  output_index,
  item_id: `i${output_index}`,
  ...rest,
});
const response = (status: string, rest: object = {}) => ({
  type: `response.${status}`,
  response: {object: 'response', status, output: [], usage: null, ...rest},
});

/** All event types of the specification of 2026-04-24 that a reply can have, and some that it does not know. */
const STREAM = [
  {type: 'response.queued', response: {status: 'queued'}},
  {type: 'response.created', response: {status: 'in_progress'}},
  {type: 'response.in_progress', response: {status: 'in_progress'}},
  {type: 'keepalive', sequence_number: 3},
  added(0, {...REASONING, summary: [], encrypted_content: 'early'}),
  on('reasoning_summary_part.added', 0, {summary_index: 0, part: {type: 'summary_text', text: ''}}),
  on('reasoning_summary_text.delta', 0, {summary_index: 0, delta: 'First.'}),
  on('reasoning_summary_text.done', 0, {summary_index: 0, text: 'First.'}),
  on('reasoning_summary_part.done', 0, {summary_index: 0, part: {}}),
  on('reasoning_summary_part.added', 0, {summary_index: 1, part: {type: 'summary_text', text: ''}}),
  on('reasoning_summary_text.delta', 0, {summary_index: 1, delta: 'Then.'}),
  done(0, REASONING),
  added(1, {...COMMENTARY, status: 'in_progress', content: []}),
  on('content_part.added', 1, {content_index: 0, part: {type: 'output_text', text: ''}}),
  on('output_text.delta', 1, {content_index: 0, delta: 'I read '}),
  on('output_text.delta', 1, {content_index: 0, delta: '日本 🦊.'}),
  on('output_text.annotation.added', 1, {content_index: 0, annotation: {}}),
  on('output_text.done', 1, {content_index: 0, text: 'I read 日本 🦊.'}),
  on('content_part.done', 1, {content_index: 0, part: {}}),
  done(1, COMMENTARY),
  added(2, UNKNOWN),
  on('acme:progress', 2, {delta: 'ignored'}),
  done(2, UNKNOWN),
  added(3, {...CALL_A, arguments: '', status: 'in_progress'}),
  added(4, {...CALL_B, arguments: '', status: 'in_progress'}),
  on('function_call_arguments.delta', 3, {delta: '{"pa'}),
  on('function_call_arguments.delta', 4, {delta: '{}'}),
  on('function_call_arguments.delta', 3, {delta: 'th":"a"}'}),
  on('function_call_arguments.done', 3, {arguments: '{"path":"a"}'}),
  done(3, CALL_A),
  done(4, CALL_B),
  response('completed', {output: ITEMS, usage: USAGE}),
  '[DONE]',
];

const REPLY = {
  ok: true,
  message: MESSAGE,
  stopReason: 'tool_calls',
  usage: {input_tokens: 100, cached_input_tokens: 64, cache_creation_tokens: 8, output_tokens: 20, reasoning_tokens: 5},
};

describe('decoding Responses', () => {
  it('keeps every item as it came, and shows text, reasoning and calls as they come', () => {
    expect(decode(responsesWire, STREAM)).toEqual({
      shown: [
        {type: 'reasoning', delta: 'First.'},
        {type: 'reasoning', delta: '\n\n'},
        {type: 'reasoning', delta: 'Then.'},
        {type: 'text', delta: 'I read '},
        {type: 'text', delta: '日本 🦊.'},
        {type: 'tool_call', index: 0, id: 'call_a', name: 'read'},
        {type: 'tool_call', index: 1, id: 'call_b', name: 'grep'},
        {type: 'tool_arguments', index: 0, delta: '{"pa'},
        {type: 'tool_arguments', index: 1, delta: '{}'},
        {type: 'tool_arguments', index: 0, delta: 'th":"a"}'},
      ],
      end: REPLY,
    });
  });

  it('gives the same however the bytes are cut', () => {
    expectSameInAnyPieces(responsesWire, STREAM);
  });

  it('does without deltas: the finished items say it all', () => {
    const {shown, end} = decode(responsesWire, [...ITEMS.map((item, index) => done(index, item)), response('completed', {usage: USAGE})]);
    expect(end).toEqual(REPLY);
    expect([joined(shown, 'reasoning'), joined(shown, 'text'), joined(shown, 'tool_arguments')]).toEqual([
      'First.\n\nThen.',
      'I read 日本 🦊.',
      '{"path":"a"}{}',
    ]);
  });

  it('does without item events: the response says it all', () => {
    const {shown, end} = decode(responsesWire, [response('completed', {output: ITEMS, usage: USAGE})]);
    expect(end).toEqual(REPLY);
    expect(shown.filter(({type}) => type === 'tool_call')).toEqual([
      {type: 'tool_call', index: 0, id: 'call_a', name: 'read'},
      {type: 'tool_call', index: 1, id: 'call_b', name: 'grep'},
    ]);
  });

  it('fills in from the response what no event finished', () => {
    const chunks = [
      added(0, {...CALL_A, arguments: ''}),
      on('function_call_arguments.delta', 0, {delta: '{"path":"a"}'}),
      response('completed', {output: [CALL_A]}),
    ];
    expect(decode(responsesWire, chunks)).toEqual({
      shown: [
        {type: 'tool_call', index: 0, id: 'call_a', name: 'read'},
        {type: 'tool_arguments', index: 0, delta: '{"path":"a"}'},
      ],
      end: {ok: true, message: {role: 'assistant', parts: [MESSAGE.parts[3]]}, stopReason: 'tool_calls', usage: NO_USAGE},
    });
  });

  it('adds nothing from the response to finished items, also where their numbers have gaps', () => {
    const chunks = [done(0, REASONING), done(2, COMMENTARY), response('completed', {output: [REASONING, COMMENTARY]})];
    expect(decode(responsesWire, chunks).end).toMatchObject({message: {parts: [MESSAGE.parts[0], MESSAGE.parts[1]]}});
  });

  it('goes by the id of the item where there is no output index', () => {
    const item = {...CALL_A, id: 'i0'};
    const chunks = [
      {type: 'response.output_item.added', item: {...item, arguments: ''}},
      {type: 'response.function_call_arguments.delta', item_id: 'i0', delta: '{"path":"a"}'},
      {type: 'response.output_item.done', item},
      response('completed', {output: [item]}),
    ];
    expect(decode(responsesWire, chunks).end).toMatchObject({
      ok: true,
      message: {parts: [{type: 'tool_call', id: 'call_a', arguments: '{"path":"a"}'}]},
    });
  });

  it('takes the event name where the data has no type, and a whole response in one piece', () => {
    const decoder = responsesWire.decoder();
    decoder.push({event: 'response.output_text.delta', data: '{"output_index":0,"delta":"x"}'});
    decoder.push({event: undefined, data: JSON.stringify({object: 'response', status: 'completed', output: [COMMENTARY], usage: USAGE})});
    expect(decoder.finish()).toMatchObject({ok: true, stopReason: 'end', message: {parts: [MESSAGE.parts[1]]}});
  });

  it('shows reasoning text under both of its names, and refusals as text', () => {
    const refusal = {...COMMENTARY, content: [{type: 'refusal', refusal: 'No.'}]};
    const chunks = [
      on('reasoning_text.delta', 0, {delta: 'a'}),
      on('reasoning.delta', 0, {delta: 'b'}),
      done(0, {type: 'reasoning', id: 'r', summary: [], content: [{type: 'reasoning_text', text: 'ab'}]}),
      on('refusal.delta', 1, {delta: 'No.'}),
      done(1, refusal),
      response('completed'),
    ];
    const {shown, end} = decode(responsesWire, chunks);
    expect([joined(shown, 'reasoning'), joined(shown, 'text')]).toEqual(['ab', 'No.']);
    expect(end).toMatchObject({
      stopReason: 'refusal',
      message: {
        parts: [
          {type: 'reasoning', text: 'ab'},
          {type: 'text', text: 'No.'},
        ],
      },
    });
  });

  it.each([
    ['max_output_tokens', 'max_tokens'],
    ['content_filter', 'refusal'],
    ['something new', 'other'],
  ])('an incomplete response is a reply: %s', (reason, stopReason) => {
    const chunks = [done(0, {...COMMENTARY, status: 'incomplete'}), response('incomplete', {incomplete_details: {reason}})];
    expect(decode(responsesWire, chunks).end).toMatchObject({ok: true, stopReason});
  });

  it.each([
    ['nothing', [], 'The stream broke off before the reply was complete.', true],
    ['half a stream', STREAM.slice(0, 20), 'The stream broke off before the reply was complete.', true],
    ['no JSON', ['{"type'], 'The server sent an event that is not JSON.', true],
    ['response.failed', [response('failed', {error: {code: 'server_error', message: 'Sorry'}})], 'server_error: Sorry', true],
    [
      'too long',
      [response('failed', {error: {code: 'context_length_exceeded', message: 'Too long'}})],
      'context_length_exceeded: Too long',
      false,
    ],
    ['cancelled', [response('cancelled').response], 'The response was cancelled.', true],
    ['error', [{type: 'error', code: 'rate_limit_exceeded', message: 'Slow', param: null}], 'rate_limit_exceeded: Slow', true],
    [
      'error of 2026-04-24',
      [{type: 'error', error: {type: 'invalid_request_error', code: 'x', message: 'No'}}],
      'x invalid_request_error: No',
      false,
    ],
    ['an error without a type', [{error: {message: 'Upstream'}}], 'Upstream', true],
  ])('%s is a failure', (_name, values, message, retryable) => {
    expect(decode(responsesWire, values).end).toEqual({ok: false, message, retryable});
  });
});

const READ: ToolSchema = {name: 'read', description: 'Read a file.', parameters: {type: 'object', properties: {path: {type: 'string'}}}};

const HISTORY: readonly Message[] = [
  {role: 'user', text: 'Compare.'},
  MESSAGE as AssistantMessage,
  {
    role: 'tool',
    results: [
      {callId: 'call_a', name: 'read', text: 'A', isError: false},
      {callId: 'call_b', name: 'grep', text: 'no match', isError: true},
    ],
  },
];

function body(request: Partial<ModelRequest>): unknown {
  return responsesWire.encode({system: '', messages: [], tools: [], ...request}, 'm').body;
}

describe('encoding for Responses', () => {
  it('is one whole request; items go back unchanged and in order', () => {
    const request = {system: 'Be brief.', messages: HISTORY, tools: [READ], cacheKey: 'thr_1', maxOutputTokens: 100};
    expect(responsesWire.encode(request, 'm')).toEqual({
      path: '/responses',
      headers: {},
      body: {
        model: 'm',
        stream: true,
        store: false,
        include: ['reasoning.encrypted_content'],
        max_output_tokens: 100,
        prompt_cache_key: 'thr_1',
        instructions: 'Be brief.',
        parallel_tool_calls: true,
        tools: [{type: 'function', ...READ, strict: false}],
        input: [
          {type: 'message', role: 'user', content: [{type: 'input_text', text: 'Compare.'}]},
          ...ITEMS,
          {type: 'function_call_output', call_id: 'call_a', output: 'A'},
          {type: 'function_call_output', call_id: 'call_b', output: 'Error: no match'},
        ],
      },
    });
  });

  it('makes items of what another format said, and drops its reasoning', () => {
    const parts: AssistantMessage['parts'] = [
      {type: 'reasoning', text: 't', native: {format: 'anthropic', data: {signature: 's'}}},
      {type: 'text', text: 'Hi', native: {format: 'gemini', data: {}}},
      {type: 'text', text: ''},
      {type: 'tool_call', id: 'c', name: 'read', arguments: '{'},
    ];
    expect(body({messages: [{role: 'assistant', parts}]})).toMatchObject({
      input: [
        {type: 'message', role: 'assistant', content: [{type: 'output_text', text: 'Hi'}]},
        {type: 'function_call', call_id: 'c', name: 'read', arguments: '{'},
      ],
    });
  });

  it('asks for the answer schema', () => {
    const schema = {type: 'object', properties: {}, additionalProperties: false};
    expect(body({outputSchema: schema})).toMatchObject({text: {format: {type: 'json_schema', name: 'answer', schema, strict: true}}});
  });

  it('begins with the bytes of the request before it (prompt caches)', () => {
    const text = (messages: readonly Message[]): string => JSON.stringify(body({system: 's', messages, tools: [READ]}));
    expect(text(HISTORY)).toBe(text(structuredClone(HISTORY)));
    expect(text([...HISTORY, {role: 'user', text: 'And now?'}]).startsWith(text(HISTORY).slice(0, -2))).toBe(true);
  });
});
