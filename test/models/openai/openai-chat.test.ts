import {describe, expect, it} from 'vitest';
import {createChatWire} from '../../../src/models/openai/openai-chat.ts';
import {BUILT_IN_PROVIDERS, COMMON_DIALECT} from '../../../src/models/provider-table.ts';
import type {ModelRequest} from '../../../src/models/provider.ts';
import type {AssistantMessage, Message, ToolSchema} from '../../../src/protocol/messages.ts';

const READ: ToolSchema = {
  name: 'read',
  description: 'Read a file.',
  parameters: {type: 'object', properties: {path: {type: 'string'}}, required: ['path']},
};

const CALLS: AssistantMessage = {
  role: 'assistant',
  parts: [
    {type: 'reasoning', text: 'Two files.', native: {format: 'openai-chat', data: {reasoning_content: 'Two files.'}}},
    {type: 'text', text: 'I look at both.'},
    {type: 'tool_call', id: 'call_1', name: 'read', arguments: '{"path":"a"}'},
    {type: 'tool_call', id: 'call_2', name: 'read', arguments: '{"path":'},
    {type: 'tool_call', id: 'call_3', name: 'list', arguments: ''},
  ],
};

const HISTORY: readonly Message[] = [
  {role: 'user', text: 'Compare a and b.'},
  CALLS,
  {
    role: 'tool',
    results: [
      {callId: 'call_1', name: 'read', text: 'A', isError: false},
      {callId: 'call_2', name: 'read', text: 'no such file', isError: true},
      {callId: 'call_3', name: 'list', text: 'error: no such tool', isError: true},
    ],
  },
];

function body(request: Partial<ModelRequest>, dialect = COMMON_DIALECT): unknown {
  return createChatWire(dialect).encode({system: '', messages: [], tools: [], ...request}, 'm').body;
}

describe('encoding for Chat Completions', () => {
  it('is one whole request', () => {
    expect(createChatWire(COMMON_DIALECT).encode({system: 'Be brief.', messages: HISTORY, tools: [READ], cacheKey: 'thr_1'}, 'm')).toEqual({
      path: '/chat/completions',
      headers: {},
      body: {
        model: 'm',
        stream: true,
        stream_options: {include_usage: true},
        tools: [{type: 'function', function: READ}],
        messages: [
          {role: 'system', content: 'Be brief.'},
          {role: 'user', content: 'Compare a and b.'},
          {
            role: 'assistant',
            content: 'I look at both.',
            reasoning_content: 'Two files.',
            tool_calls: [
              {id: 'call_1', type: 'function', function: {name: 'read', arguments: '{"path":"a"}'}},
              {id: 'call_2', type: 'function', function: {name: 'read', arguments: '{"invalid_json":"{\\"path\\":"}'}},
              {id: 'call_3', type: 'function', function: {name: 'list', arguments: '{}'}},
            ],
          },
          {role: 'tool', tool_call_id: 'call_1', content: 'A'},
          {role: 'tool', tool_call_id: 'call_2', content: 'Error: no such file'},
          {role: 'tool', tool_call_id: 'call_3', content: 'error: no such tool'},
        ],
      },
    });
  });

  it.each([
    ['openai-chat', {stream_options: {include_usage: true}, max_completion_tokens: 100, prompt_cache_key: 'thr_1'}],
    ['mistral', {max_tokens: 100, prompt_cache_key: 'thr_1'}],
    ['ollama', {stream_options: {include_usage: true}, max_tokens: 100}],
  ])('%s gets the fields that it knows', (name, fields) => {
    expect(body({maxOutputTokens: 100, cacheKey: 'thr_1'}, BUILT_IN_PROVIDERS[name]?.dialect)).toEqual({
      model: 'm',
      stream: true,
      messages: [],
      ...fields,
    });
  });

  it('has no content where there are only calls, and an empty one where there is nothing', () => {
    const parts = [{type: 'tool_call', id: 'c', name: 'list', arguments: '{}'}] as const;
    const messages: Message[] = [
      {role: 'assistant', parts},
      {role: 'assistant', parts: []},
    ];
    expect(body({messages})).toMatchObject({
      messages: [
        {content: null, tool_calls: [{id: 'c'}]},
        {role: 'assistant', content: ''},
      ],
    });
  });

  it('drops the reasoning of other formats', () => {
    const native = {format: 'anthropic', data: {type: 'thinking', thinking: 't', signature: 's'}} as const;
    const messages: Message[] = [
      {
        role: 'assistant',
        parts: [
          {type: 'reasoning', text: 't', native},
          {type: 'text', text: 'Hi'},
        ],
      },
    ];
    expect(body({messages})).toMatchObject({messages: [{role: 'assistant', content: 'Hi'}]});
  });

  it('gives Mistral its thinking as a chunk of the content, and ids of nine characters on calls and results alike', () => {
    const chunk = {type: 'thinking', thinking: [{type: 'text', text: 'hm'}]};
    const messages: Message[] = [
      {
        role: 'assistant',
        parts: [
          {type: 'reasoning', text: 'hm', native: {format: 'openai-chat', data: {thinking_chunk: chunk}}},
          {type: 'text', text: 'Hi'},
          {type: 'tool_call', id: 'D681PevKs', name: 'list', arguments: '{}'},
          {type: 'tool_call', id: 'toolu_013', name: 'list', arguments: '{}'},
        ],
      },
      {role: 'tool', results: [{callId: 'toolu_013', name: 'list', text: '', isError: false}]},
    ];
    const encoded = JSON.stringify(body({messages}, BUILT_IN_PROVIDERS['mistral']?.dialect));
    const made = /"tool_call_id":"([a-zA-Z0-9]{9})"/.exec(encoded)?.[1];
    expect(JSON.parse(encoded)).toMatchObject({
      messages: [
        {content: [chunk, {type: 'text', text: 'Hi'}], tool_calls: [{id: 'D681PevKs'}, {id: made}]},
        {role: 'tool', tool_call_id: made},
      ],
    });
  });

  it.each([
    ['a closed schema', {type: 'object', properties: {a: {type: 'string'}}, required: ['a'], additionalProperties: false}, true],
    ['an open one', {type: 'object', properties: {a: {type: 'string'}}, required: ['a']}, false],
    ['optional properties', {type: 'object', properties: {a: {type: 'string'}}, additionalProperties: false}, false],
    ['an open one inside', {type: 'array', items: {type: 'object', properties: {}}}, false],
  ])('asks for the answer schema, strict where the schema allows it: %s', (_name, schema, strict) => {
    expect(body({outputSchema: schema})).toMatchObject({
      response_format: {type: 'json_schema', json_schema: {name: 'answer', schema, strict}},
    });
  });

  it('begins with the bytes of the request before it (prompt caches)', () => {
    const wire = createChatWire(COMMON_DIALECT);
    const text = (messages: readonly Message[]): string => JSON.stringify(wire.encode({system: 's', messages, tools: [READ]}, 'm').body);
    const longer = text([...HISTORY, {role: 'user', text: 'And now?'}]);
    expect(text(HISTORY)).toBe(text(structuredClone(HISTORY)));
    expect(longer.startsWith(text(HISTORY).slice(0, -2))).toBe(true);
  });

  it('encodes a message once', () => {
    let reads = 0;
    const message = {
      role: 'user',
      get text() {
        reads += 1;
        return 'Hello';
      },
    } as const;
    const wire = createChatWire(COMMON_DIALECT);
    for (let turn = 0; turn < 3; turn++) wire.encode({system: '', messages: [message], tools: []}, 'm');
    expect(reads).toBe(1);
  });
});
