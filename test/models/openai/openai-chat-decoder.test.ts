import {describe, expect, it} from 'vitest';
import {createChatWire} from '../../../src/models/openai/openai-chat.ts';
import {COMMON_DIALECT} from '../../../src/models/provider-table.ts';
import {NO_USAGE} from '../../../src/protocol/usage.ts';
import {decode, expectSameInAnyPieces, joined} from '../decode.ts';

function wire() {
  let made = 0;
  return createChatWire(COMMON_DIALECT, () => `call_made${made++}`);
}

const delta = (fields: object, finish_reason: string | null = null) => ({choices: [{index: 0, delta: fields, finish_reason}]});
const call = (fields: object) => delta({tool_calls: [fields]});

/** As OpenAI sends it: role first, calls in pieces and interleaved, usage in a chunk without choices. */
const OPENAI = [
  delta({role: 'assistant', content: '', refusal: null}),
  delta({content: 'I read '}),
  delta({content: 'both. 日本 🦊'}),
  call({index: 0, id: 'call_a', type: 'function', function: {name: 'read', arguments: ''}}),
  call({index: 0, function: {arguments: '{"pa'}}),
  call({index: 1, id: 'call_b', type: 'function', function: {name: 'grep', arguments: ''}}),
  call({index: 1, function: {arguments: '{}'}}),
  call({index: 0, function: {arguments: 'th":"a"}'}}),
  delta({}, 'tool_calls'),
  {
    choices: [],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: {cached_tokens: 64, cache_write_tokens: 8},
      completion_tokens_details: {reasoning_tokens: 5},
    },
  },
  '[DONE]',
];

const OPENAI_REPLY = {
  ok: true,
  message: {
    role: 'assistant',
    parts: [
      {type: 'text', text: 'I read both. 日本 🦊'},
      {type: 'tool_call', id: 'call_a', name: 'read', arguments: '{"path":"a"}'},
      {type: 'tool_call', id: 'call_b', name: 'grep', arguments: '{}'},
    ],
  },
  stopReason: 'tool_calls',
  usage: {input_tokens: 100, cached_input_tokens: 64, cache_creation_tokens: 8, output_tokens: 20, reasoning_tokens: 5},
};

describe('decoding Chat Completions', () => {
  it('puts text and parallel calls together, and shows them as they come', () => {
    expect(decode(wire(), OPENAI)).toEqual({
      shown: [
        {type: 'text', delta: 'I read '},
        {type: 'text', delta: 'both. 日本 🦊'},
        {type: 'tool_call', index: 0, id: 'call_a', name: 'read'},
        {type: 'tool_arguments', index: 0, delta: '{"pa'},
        {type: 'tool_call', index: 1, id: 'call_b', name: 'grep'},
        {type: 'tool_arguments', index: 1, delta: '{}'},
        {type: 'tool_arguments', index: 0, delta: 'th":"a"}'},
      ],
      end: OPENAI_REPLY,
    });
  });

  it('gives the same however the bytes are cut', () => {
    expectSameInAnyPieces(wire(), OPENAI);
  });

  it('does not need `[DONE]`, and ignores what comes after it', () => {
    expect(decode(wire(), OPENAI.slice(0, -1)).end).toEqual(OPENAI_REPLY);
    expect(decode(wire(), [...OPENAI, delta({content: 'more'}), 'no json']).end).toEqual(OPENAI_REPLY);
  });

  it.each([
    [
      'whole calls at once, with an index',
      [
        {index: 0, id: 'x', function: {name: 'a', arguments: '{"n":1}'}},
        {index: 1, id: 'y', function: {name: 'b', arguments: '{"n":2}'}},
      ],
    ],
    [
      'no index',
      [
        {id: 'x', function: {name: 'a', arguments: '{"n":1}'}},
        {id: 'y', function: {name: 'b', arguments: '{"n":2}'}},
      ],
    ],
    [
      'one index for all',
      [
        {index: 0, id: 'x', function: {name: 'a', arguments: '{"n":1}'}},
        {index: 0, id: 'y', function: {name: 'b', arguments: '{"n":2}'}},
      ],
    ],
    [
      'arguments as an object',
      [
        {index: 0, id: 'x', function: {name: 'a', arguments: {n: 1}}},
        {index: 1, id: 'y', function: {name: 'b', arguments: {n: 2}}},
      ],
    ],
    [
      'id and name in every piece',
      [
        ...['{"n"', ':1}'].map((text) => ({index: 0, id: 'x', function: {name: 'a', arguments: text}})),
        ...['{"n"', ':2}'].map((text) => ({index: 1, id: 'y', function: {name: 'b', arguments: text}})),
      ],
    ],
    [
      'pieces without index and id',
      [
        {id: 'x', function: {name: 'a', arguments: '{"n"'}},
        {function: {arguments: ':1}'}},
        {id: 'y', function: {name: 'b', arguments: '{"n":'}},
        {id: 'y', function: {arguments: '2}'}},
      ],
    ],
  ])('understands servers with %s', (_name, pieces) => {
    const expected = [
      {type: 'tool_call', id: 'x', name: 'a', arguments: '{"n":1}'},
      {type: 'tool_call', id: 'y', name: 'b', arguments: '{"n":2}'},
    ];
    for (const chunks of [pieces.map(call), [delta({tool_calls: pieces})]]) {
      const {shown, end} = decode(wire(), [...chunks, delta({}, 'stop')]);
      expect(end).toEqual({ok: true, message: {role: 'assistant', parts: expected}, stopReason: 'tool_calls', usage: NO_USAGE});
      expect(shown.filter(({type}) => type === 'tool_call')).toEqual([
        {type: 'tool_call', index: 0, id: 'x', name: 'a'},
        {type: 'tool_call', index: 1, id: 'y', name: 'b'},
      ]);
    }
  });

  it('makes an id where the server has none, the same for hosts and for the reply', () => {
    const {shown, end} = decode(wire(), [
      delta({tool_calls: [{function: {name: 'a', arguments: '{}'}}, {function: {name: 'b', arguments: '{}'}}]}, 'stop'),
    ]);
    expect(shown.filter(({type}) => type === 'tool_call').map((event) => 'id' in event && event.id)).toEqual(['call_made0', 'call_made1']);
    expect(end).toMatchObject({
      message: {
        parts: [
          {id: 'call_made0', name: 'a'},
          {id: 'call_made1', name: 'b'},
        ],
      },
    });
  });

  it('keeps arguments that come before the name', () => {
    const {shown} = decode(wire(), [
      call({index: 0, id: 'x', function: {arguments: '{"n"'}}),
      call({index: 0, function: {name: 'a', arguments: ':1}'}}),
    ]);
    expect(shown).toEqual([
      {type: 'tool_call', index: 0, id: 'x', name: 'a'},
      {type: 'tool_arguments', index: 0, delta: '{"n":1}'},
    ]);
  });

  it.each([
    ['stop', 'end'],
    ['length', 'max_tokens'],
    ['model_length', 'max_tokens'],
    ['content_filter', 'refusal'],
    ['tool_calls', 'other'],
    ['something new', 'other'],
  ])('finish reason %s is %s', (reason, stopReason) => {
    expect(decode(wire(), [delta({content: 'x'}, reason)]).end).toMatchObject({ok: true, stopReason});
  });

  it('a refusal is text, and the reason', () => {
    const {shown, end} = decode(wire(), [delta({refusal: 'No.'}), delta({}, 'stop')]);
    expect(joined(shown, 'text')).toBe('No.');
    expect(end).toMatchObject({message: {parts: [{type: 'text', text: 'No.'}]}, stopReason: 'refusal'});
  });

  it('reads a whole completion in one piece', () => {
    const message = {role: 'assistant', content: null, tool_calls: [{id: 'x', type: 'function', function: {name: 'a', arguments: '{}'}}]};
    const decoder = wire().decoder();
    const data = JSON.stringify({
      choices: [{index: 0, message, finish_reason: 'tool_calls'}],
      usage: {prompt_tokens: 3, completion_tokens: 4},
    });
    expect(decoder.push({event: undefined, data})).toHaveLength(2);
    expect(decoder.finish()).toEqual({
      ok: true,
      message: {role: 'assistant', parts: [{type: 'tool_call', id: 'x', name: 'a', arguments: '{}'}]},
      stopReason: 'tool_calls',
      usage: {...NO_USAGE, input_tokens: 3, output_tokens: 4},
    });
  });
});

describe('reasoning in Chat Completions', () => {
  const reasoningOf = (chunks: readonly unknown[]) => {
    const {shown, end} = decode(wire(), [...chunks, delta({content: 'So.'}, 'stop')]);
    return {shown: joined(shown, 'reasoning'), parts: end.ok ? end.message.parts : []};
  };

  it.each(['reasoning_content', 'reasoning'])('keeps the field %s', (field) => {
    expect(reasoningOf([delta({[field]: 'Let me '}), delta({[field]: 'think.'})])).toEqual({
      shown: 'Let me think.',
      parts: [
        {type: 'reasoning', text: 'Let me think.', native: {format: 'openai-chat', data: {[field]: 'Let me think.'}}},
        {type: 'text', text: 'So.'},
      ],
    });
  });

  it('keeps the details of OpenRouter in order: pieces of one block joined, encrypted data whole', () => {
    const piece = (fields: object) => delta({reasoning_details: [{index: 0, type: 'reasoning.text', format: 'f', ...fields}]});
    const chunks = [
      delta({reasoning: 'Let ', reasoning_details: [{index: 0, type: 'reasoning.text', format: 'f', text: 'Let ', signature: null}]}),
      piece({text: 'me.'}),
      piece({signature: 'sig'}),
      piece({index: 1, type: 'reasoning.encrypted', data: 'AAAA'}),
      piece({index: 1, type: 'reasoning.encrypted', data: 'BBBB'}),
    ];
    expect(reasoningOf(chunks)).toMatchObject({
      shown: 'Let me.',
      parts: [
        {
          native: {
            data: {
              reasoning: 'Let ',
              reasoning_details: [
                {index: 0, type: 'reasoning.text', format: 'f', text: 'Let me.', signature: 'sig'},
                {index: 1, type: 'reasoning.encrypted', format: 'f', data: 'AAAA'},
                {index: 1, type: 'reasoning.encrypted', format: 'f', data: 'BBBB'},
              ],
            },
          },
        },
        {type: 'text', text: 'So.'},
      ],
    });
  });

  it('keeps the thinking chunks of Mistral', () => {
    const thinking = (text: string) => delta({content: [{type: 'thinking', thinking: [{type: 'text', text}]}]});
    expect(reasoningOf([thinking('hm'), thinking(' hm'), delta({content: [{type: 'text', text: 'Well. '}]})])).toEqual({
      shown: 'hm hm',
      parts: [
        {
          type: 'reasoning',
          text: 'hm hm',
          native: {format: 'openai-chat', data: {thinking_chunk: {type: 'thinking', thinking: [{type: 'text', text: 'hm hm'}]}}},
        },
        {type: 'text', text: 'Well. So.'},
      ],
    });
  });
});

describe('broken Chat Completions', () => {
  it.each([
    ['nothing', [], 'The stream broke off before the reply was complete.', true],
    ['no finish reason', [delta({content: 'x'})], 'The stream broke off before the reply was complete.', true],
    ['no JSON', ['{"choices'], 'The server sent an event that is not JSON.', true],
    ['an error object', [delta({content: 'x'}), {error: {message: 'Overloaded', code: 502}}], '502: Overloaded', true],
    ['an error text', [{error: 'out of memory'}], 'out of memory', true],
    ['an error of vLLM', [{object: 'error', message: 'bad', type: 'BadRequestError', code: 400}], '400 BadRequestError: bad', false],
    ['a rate limit', [{error: {message: 'Slow down', type: 'requests', code: 429}}], '429 requests: Slow down', true],
    ['an invalid request', [{error: {message: 'No', type: 'invalid_request_error'}}], 'invalid_request_error: No', false],
    ['an error without words', [{error: {}}], 'The server reported an error without a message.', true],
  ])('%s is a failure', (_name, values, message, retryable) => {
    expect(decode(wire(), values).end).toEqual({ok: false, message, retryable});
  });

  it('an error wins over a finish reason', () => {
    expect(decode(wire(), [{error: {message: 'x'}}, delta({}, 'error'), '[DONE]']).end).toMatchObject({ok: false});
  });

  it.each([
    [null],
    [[]],
    [{choices: [null]}],
    [{choices: {}}],
    [{choices: [{delta: {tool_calls: [null, 7, {function: 3}]}}]}],
    [{usage: 3}],
  ])('foreign shapes do no harm: %j', (value) => {
    expect(() => decode(wire(), [value, delta({content: 'x'}, 'stop')])).not.toThrow();
  });
});
