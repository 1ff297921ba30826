import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createAnthropicDecoder} from '../../../src/models/anthropic/anthropic-decoder.ts';
import {decode, decodeBytes, joined, named, streamText} from '../../testing/decoding.ts';

const START = {
  type: 'message_start',
  message: {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5',
    content: [],
    stop_reason: null,
    usage: {input_tokens: 12, cache_creation_input_tokens: 300, cache_read_input_tokens: 4000, output_tokens: 2},
  },
};
const STOP = {type: 'message_stop'};

function block(index: number, content_block: object, deltas: readonly object[]) {
  return [
    {type: 'content_block_start', index, content_block},
    ...deltas.map((delta) => ({type: 'content_block_delta', index, delta})),
    {type: 'content_block_stop', index},
  ];
}

function end(stop_reason: string, more: object = {}) {
  return [{type: 'message_delta', delta: {stop_reason, stop_sequence: null, ...more}, usage: {output_tokens: 90}}, STOP];
}

const THOUGHTFUL = [
  START,
  {type: 'ping'},
  ...block(0, {type: 'thinking', thinking: '', signature: ''}, [
    {type: 'thinking_delta', thinking: 'Two files, '},
    {type: 'thinking_delta', thinking: 'read both – größer zuerst.'},
    {type: 'signature_delta', signature: 'EqQB'},
    {type: 'signature_delta', signature: 'CgIYAg=='},
  ]),
  ...block(1, {type: 'redacted_thinking', data: 'ErUBCkY='}, []),
  ...block(2, {type: 'text', text: ''}, [
    {type: 'text_delta', text: 'I look '},
    {type: 'text_delta', text: 'at both. 👀'},
  ]),
  ...block(3, {type: 'tool_use', id: 'toolu_A', name: 'read', input: {}}, [
    {type: 'input_json_delta', partial_json: ''},
    {type: 'input_json_delta', partial_json: '{"path": "a'},
    {type: 'input_json_delta', partial_json: '.ts"}'},
  ]),
  ...block(4, {type: 'tool_use', id: 'toolu_B', name: 'status', input: {}}, [{type: 'input_json_delta', partial_json: ''}]),
  {
    type: 'message_delta',
    delta: {stop_reason: 'tool_use', stop_sequence: null},
    usage: {input_tokens: 15, output_tokens: 88, output_tokens_details: {thinking_tokens: 40}},
  },
  STOP,
];

const THOUGHTFUL_REPLY = {
  ok: true,
  message: {
    role: 'assistant',
    parts: [
      {
        type: 'reasoning',
        text: 'Two files, read both – größer zuerst.',
        native: {
          format: 'anthropic',
          data: {type: 'thinking', thinking: 'Two files, read both – größer zuerst.', signature: 'EqQBCgIYAg=='},
        },
      },
      {type: 'reasoning', text: '', native: {format: 'anthropic', data: {type: 'redacted_thinking', data: 'ErUBCkY='}}},
      {type: 'text', text: 'I look at both. 👀'},
      {type: 'tool_call', id: 'toolu_A', name: 'read', arguments: '{"path": "a.ts"}'},
      {type: 'tool_call', id: 'toolu_B', name: 'status', arguments: '{}'},
    ],
  },
  stopReason: 'tool_calls',
  usage: {input_tokens: 4315, cached_input_tokens: 4000, cache_creation_tokens: 300, output_tokens: 88, reasoning_tokens: 40},
};

describe('a stream of the Messages API', () => {
  it('becomes thinking, redacted thinking, text and parallel tool calls in order; empty input is {}', () => {
    expect(decode(createAnthropicDecoder(), THOUGHTFUL.map(named))).toEqual({
      shown: [
        {type: 'reasoning', delta: 'Two files, '},
        {type: 'reasoning', delta: 'read both – größer zuerst.'},
        {type: 'text', delta: 'I look '},
        {type: 'text', delta: 'at both. 👀'},
        {type: 'tool_call', index: 0, id: 'toolu_A', name: 'read'},
        {type: 'tool_arguments', index: 0, delta: '{"path": "a'},
        {type: 'tool_arguments', index: 0, delta: '.ts"}'},
        {type: 'tool_call', index: 1, id: 'toolu_B', name: 'status'},
      ],
      end: THOUGHTFUL_REPLY,
    });
  });

  it('is the same wherever its bytes are cut', () => {
    const bytes = new TextEncoder().encode(streamText(THOUGHTFUL));
    const whole = decode(createAnthropicDecoder(), THOUGHTFUL.map(named));
    fc.assert(
      fc.property(fc.array(fc.nat(), {maxLength: 40}), (cuts) => {
        expect(decodeBytes(createAnthropicDecoder(), bytes, cuts)).toEqual(whole);
      }),
    );
  });

  it('gives the same reply however its text, thinking and arguments are cut into deltas', () => {
    const piece = fc.array(fc.string(), {minLength: 1, maxLength: 8});
    fc.assert(
      fc.property(piece, piece, piece, (thinking, text, json) => {
        const {shown, end: reply} = decode(
          createAnthropicDecoder(),
          [
            START,
            ...block(
              0,
              {type: 'thinking', thinking: '', signature: 's'},
              thinking.map((part) => ({type: 'thinking_delta', thinking: part})),
            ),
            ...block(
              1,
              {type: 'text', text: ''},
              text.map((part) => ({type: 'text_delta', text: part})),
            ),
            ...block(
              2,
              {type: 'tool_use', id: 't', name: 'n', input: {}},
              json.map((part) => ({type: 'input_json_delta', partial_json: part})),
            ),
            ...end('tool_use'),
          ].map(named),
        );
        const parts = reply.ok ? reply.message.parts : [];
        const words = text.join('');
        expect(parts.map((part) => (part.type === 'tool_call' ? part.arguments : part.text))).toEqual([
          thinking.join(''),
          ...(words === '' ? [] : [words]),
          json.join('') || '{}',
        ]);
        expect([joined(shown, 'reasoning'), joined(shown, 'text'), joined(shown, 'tool_arguments')]).toEqual([
          thinking.join(''),
          words,
          json.join(''),
        ]);
      }),
    );
  });

  it.each([
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
    ['max_tokens', 'max_tokens'],
    ['model_context_window_exceeded', 'max_tokens'],
    ['refusal', 'refusal'],
    ['pause_turn', 'other'],
    ['something_new', 'other'],
  ])('reads the stop reason %s as %s', (wire, ours) => {
    const events = [START, ...block(0, {type: 'text', text: 'Hm'}, []), ...end(wire)].map(named);
    expect(decode(createAnthropicDecoder(), events)).toEqual({
      shown: [{type: 'text', delta: 'Hm'}],
      end: {
        ok: true,
        message: {role: 'assistant', parts: [{type: 'text', text: 'Hm'}]},
        stopReason: ours,
        usage: {input_tokens: 4312, cached_input_tokens: 4000, cache_creation_tokens: 300, output_tokens: 90, reasoning_tokens: 0},
      },
    });
  });

  it('shows why a request was refused where the reply has no words', () => {
    const details = {stop_details: {type: 'refusal', category: 'cyber', explanation: 'Blocked under the usage policy.'}};
    const {shown, end: reply} = decode(createAnthropicDecoder(), [START, ...end('refusal', details)].map(named));
    expect(shown).toEqual([{type: 'text', delta: 'Blocked under the usage policy.'}]);
    expect(reply).toMatchObject({stopReason: 'refusal', message: {parts: [{type: 'text', text: 'Blocked under the usage policy.'}]}});
  });

  it('ignores pings, events and deltas of unknown types; shows nothing of blocks that are not ours, and keeps them', () => {
    const odd = [
      {event: 'ping', data: ''},
      {event: 'weather_report', data: 'sunny'},
      named({type: 'vendor_event'}),
      ...block(0, {type: 'server_tool_use', id: 's', name: 'web_search', input: {}}, [
        {type: 'input_json_delta', partial_json: '{"query":'},
        {type: 'input_json_delta', partial_json: '"x"}'},
      ]).map(named),
      ...block(1, {type: 'text', text: ''}, [
        {type: 'citations_delta', citation: {}},
        {type: 'text_delta', text: 'ok'},
      ]).map(named),
    ];
    const {shown, end: reply} = decode(createAnthropicDecoder(), [named(START), ...odd, ...end('end_turn').map(named)]);
    expect(shown).toEqual([{type: 'text', delta: 'ok'}]);
    const search = {type: 'server_tool_use', id: 's', name: 'web_search', input: {query: 'x'}};
    expect(reply).toMatchObject({
      ok: true,
      message: {
        parts: [
          {type: 'reasoning', text: '', native: {format: 'anthropic', data: search}},
          {type: 'text', text: 'ok'},
        ],
      },
    });
  });

  it('ends with message_stop, also where no stop reason came', () => {
    const events = [START, ...block(0, {type: 'text', text: 'ok'}, []), {type: 'message_stop'}].map(named);
    expect(decode(createAnthropicDecoder(), events).end).toMatchObject({ok: true, stopReason: 'end'});
  });

  it('reads a whole message of a server that does not stream, with its arguments', () => {
    const message = {
      ...START.message,
      content: [
        {type: 'text', text: 'Now.'},
        {type: 'tool_use', id: 'toolu_C', name: 'grep', input: {pattern: 'x'}},
      ],
      stop_reason: 'tool_use',
    };
    expect(decode(createAnthropicDecoder(), [{event: undefined, data: JSON.stringify(message)}])).toMatchObject({
      end: {
        ok: true,
        message: {
          parts: [
            {type: 'text', text: 'Now.'},
            {type: 'tool_call', arguments: '{"pattern":"x"}'},
          ],
        },
        stopReason: 'tool_calls',
      },
    });
  });
});

describe('a stream that failed', () => {
  it.each([
    ['overloaded_error', true],
    ['api_error', true],
    ['rate_limit_error', true],
    ['timeout_error', true],
    ['invalid_request_error', false],
    ['authentication_error', false],
  ])('with %s can be retried: %s', (type, retryable) => {
    const events = [named(START), {event: 'error', data: JSON.stringify({type: 'error', error: {type, message: 'Overloaded'}})}];
    expect(decode(createAnthropicDecoder(), events)).toEqual({shown: [], end: {ok: false, message: `${type}: Overloaded`, retryable}});
  });

  it('broke off when there is no stop reason, at whichever event', () => {
    for (let count = 0; count < THOUGHTFUL.length - 2; count += 1) {
      expect(decode(createAnthropicDecoder(), THOUGHTFUL.slice(0, count).map(named)).end).toEqual({
        ok: false,
        message: 'The stream broke off before the reply was complete.',
        retryable: true,
      });
    }
  });

  it('is broken by an event of the reply that is not JSON', () => {
    const events = [named(START), {event: 'content_block_delta', data: '{"type":"content_bl'}, ...end('end_turn').map(named)];
    expect(decode(createAnthropicDecoder(), events).end).toEqual({
      ok: false,
      message: 'The server sent an event that is not JSON.',
      retryable: true,
    });
  });
});
