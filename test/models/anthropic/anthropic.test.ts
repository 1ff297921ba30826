import {describe, expect, it} from 'vitest';
import {anthropicWire} from '../../../src/models/anthropic/anthropic.ts';
import {toClaudeSchema} from '../../../src/models/anthropic/anthropic-features.ts';
import type {ModelRequest} from '../../../src/models/provider.ts';
import type {Message, NativePart} from '../../../src/protocol/messages.ts';

const TOOLS = [
  {name: 'read', description: 'Reads a file.', parameters: {type: 'object', properties: {path: {type: 'string'}}, required: ['path']}},
  {name: 'status', description: 'Git status.', parameters: {type: 'object', properties: {}}},
];

/** The body as it is sent. */
function bodyOf(request: Partial<ModelRequest>, model = 'claude-haiku-4-5') {
  const {body} = anthropicWire.encode({system: '', messages: [], tools: [], ...request}, model);
  return JSON.parse(JSON.stringify(body));
}

function anthropic(data: NativePart['data']): NativePart {
  return {format: 'anthropic', data};
}

const CONVERSATION: readonly Message[] = [
  {role: 'user', text: 'Fix it.'},
  {
    role: 'assistant',
    parts: [
      {type: 'reasoning', text: 'Hm', native: anthropic({type: 'thinking', thinking: 'Hm', signature: 'sig=='})},
      {type: 'reasoning', text: '', native: anthropic({type: 'redacted_thinking', data: 'ErUB'})},
      {type: 'text', text: 'I look.'},
      {type: 'tool_call', id: 'toolu_1', name: 'read', arguments: '{"path":"a.ts"}'},
      {type: 'tool_call', id: 'toolu_2', name: 'status', arguments: ''},
    ],
  },
  {
    role: 'tool',
    results: [
      {callId: 'toolu_1', name: 'read', text: '1\tlet a', isError: false},
      {callId: 'toolu_2', name: 'status', text: 'fatal: no repository', isError: true},
    ],
  },
];

describe('a request of the Messages API', () => {
  it('has system, tools and the last two user turns as cache breakpoints, and thinking as it came', () => {
    expect(anthropicWire.encode({system: 'You mend.', messages: CONVERSATION, tools: TOOLS}, 'claude-haiku-4-5')).toMatchObject({
      path: '/v1/messages',
      headers: {'anthropic-version': '2023-06-01'},
    });
    expect(bodyOf({system: 'You mend.', messages: CONVERSATION, tools: TOOLS})).toMatchInlineSnapshot(`
      {
        "max_tokens": 32000,
        "messages": [
          {
            "content": [
              {
                "cache_control": {
                  "type": "ephemeral",
                },
                "text": "Fix it.",
                "type": "text",
              },
            ],
            "role": "user",
          },
          {
            "content": [
              {
                "signature": "sig==",
                "thinking": "Hm",
                "type": "thinking",
              },
              {
                "data": "ErUB",
                "type": "redacted_thinking",
              },
              {
                "text": "I look.",
                "type": "text",
              },
              {
                "id": "toolu_1",
                "input": {
                  "path": "a.ts",
                },
                "name": "read",
                "type": "tool_use",
              },
              {
                "id": "toolu_2",
                "input": {},
                "name": "status",
                "type": "tool_use",
              },
            ],
            "role": "assistant",
          },
          {
            "content": [
              {
                "content": "1	let a",
                "tool_use_id": "toolu_1",
                "type": "tool_result",
              },
              {
                "cache_control": {
                  "type": "ephemeral",
                },
                "content": "fatal: no repository",
                "is_error": true,
                "tool_use_id": "toolu_2",
                "type": "tool_result",
              },
            ],
            "role": "user",
          },
        ],
        "model": "claude-haiku-4-5",
        "stream": true,
        "system": [
          {
            "cache_control": {
              "type": "ephemeral",
            },
            "text": "You mend.",
            "type": "text",
          },
        ],
        "tools": [
          {
            "description": "Reads a file.",
            "input_schema": {
              "properties": {
                "path": {
                  "type": "string",
                },
              },
              "required": [
                "path",
              ],
              "type": "object",
            },
            "name": "read",
          },
          {
            "cache_control": {
              "type": "ephemeral",
            },
            "description": "Git status.",
            "input_schema": {
              "properties": {},
              "type": "object",
            },
            "name": "status",
          },
        ],
      }
    `);
  });

  it('keeps every earlier byte when the conversation grows, breakpoints apart', () => {
    const strip = (body: unknown): string => JSON.stringify(body).replaceAll(',"cache_control":{"type":"ephemeral"}', '');
    const grown: readonly Message[] = [
      ...CONVERSATION,
      {role: 'assistant', parts: [{type: 'text', text: 'Done.'}]},
      {role: 'user', text: 'And b?'},
    ];
    const before = strip(bodyOf({system: 'S', messages: CONVERSATION, tools: TOOLS}));
    const after = strip(bodyOf({system: 'S', messages: grown, tools: TOOLS}));
    expect(after.startsWith(before.slice(0, -'}]}'.length))).toBe(true);
  });

  it('puts the two moving breakpoints on the last blocks of the last two user turns only', () => {
    const messages: Message[] = Array.from({length: 5}, (_, index) => [
      {role: 'user' as const, text: `q${index}`},
      {role: 'assistant' as const, parts: [{type: 'text' as const, text: `a${index}`}]},
    ]).flat();
    const marked = bodyOf({messages: [...messages, {role: 'user', text: 'last'}]})
      .messages.filter((turn: {content: object[]}) => turn.content.some((block) => 'cache_control' in block))
      .map((turn: {content: {text: string}[]}) => turn.content[0]?.text);
    expect(marked).toEqual(['q4', 'last']);
  });

  it('makes roles alternate: results and steering text in one turn, empty replies and texts left out', () => {
    const messages: readonly Message[] = [
      ...CONVERSATION,
      {role: 'user', text: 'Wait, b first.'},
      {role: 'assistant', parts: []},
      {role: 'user', text: '  '},
      {role: 'user', text: 'Now.'},
    ];
    const turns: {role: string; content: {type: string; text?: string}[]}[] = bodyOf({messages}).messages;
    expect(turns.map(({role, content}) => [role, content.map(({type, text}) => text ?? type)])).toEqual([
      ['user', ['Fix it.']],
      ['assistant', ['thinking', 'redacted_thinking', 'I look.', 'tool_use', 'tool_use']],
      ['user', ['tool_result', 'tool_result', 'Wait, b first.', 'Now.']],
    ]);
  });

  it('drops reasoning of other formats, wraps broken arguments, cleans foreign ids, leaves empty results without content', () => {
    const messages: readonly Message[] = [
      {role: 'user', text: 'go'},
      {
        role: 'assistant',
        parts: [
          {type: 'reasoning', text: 'secret', native: {format: 'openai-responses', data: {id: 'rs_1'}}},
          {type: 'text', text: '', native: {format: 'gemini', data: {thoughtSignature: 'x'}}},
          {type: 'tool_call', id: 'call|1:a', name: 'read', arguments: '{"path": "a'},
          {type: 'tool_call', id: 'call_2', name: 'read', arguments: '["a"]'},
        ],
      },
      {
        role: 'tool',
        results: [
          {callId: 'call|1:a', name: 'read', text: '', isError: false},
          {callId: 'call_2', name: 'read', text: 'bad', isError: true},
        ],
      },
    ];
    expect(bodyOf({messages}).messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          {type: 'tool_use', id: 'call_1_a', name: 'read', input: {INVALID_JSON: '{"path": "a'}},
          {type: 'tool_use', id: 'call_2', name: 'read', input: {INVALID_JSON: '["a"]'}},
        ],
      },
      {
        role: 'user',
        content: [
          {type: 'tool_result', tool_use_id: 'call_1_a'},
          {type: 'tool_result', tool_use_id: 'call_2', content: 'bad', is_error: true, cache_control: {type: 'ephemeral'}},
        ],
      },
    ]);
  });

  it('encodes each message once', () => {
    const first = anthropicWire.encode({system: '', messages: CONVERSATION, tools: []}, 'm').body['messages'];
    const second = anthropicWire.encode({system: '', messages: CONVERSATION, tools: []}, 'm').body['messages'];
    const block = (messages: unknown): unknown => (messages as {content: unknown[]}[])[1]?.content[0];
    expect(block(first)).toBe(block(second));
  });
});

describe('what is asked of a model, by its name', () => {
  const schema = {type: 'object', properties: {n: {type: 'integer', minimum: 1}}};
  it.each([
    ['claude-opus-4-20250514', undefined, undefined, false],
    ['claude-haiku-4-5-20251001', undefined, undefined, true],
    ['claude-opus-4-6', {type: 'adaptive', display: 'summarized'}, undefined, true],
    ['anthropic/claude-sonnet-5', {type: 'adaptive', display: 'summarized'}, undefined, true],
    [
      'claude-opus-5-5',
      {type: 'adaptive', display: 'summarized', block_binding: {prefix_mismatch_behavior: 'drop_block'}},
      'thinking-binding-controls-2026-08-01',
      true,
    ],
    ['kimi-k3', undefined, undefined, false],
  ])('%s', (model, thinking, beta, structured) => {
    const {headers} = anthropicWire.encode({system: '', messages: [], tools: []}, model);
    const body = bodyOf({outputSchema: schema, maxOutputTokens: 500}, model);
    expect({
      thinking: body.thinking,
      beta: headers['anthropic-beta'],
      structured: body.output_config !== undefined,
      max: body.max_tokens,
    }).toEqual({
      thinking,
      beta,
      structured,
      max: 500,
    });
  });

  it('closes every object of an output schema and leaves out the limits that the API refuses, but no property', () => {
    expect(
      toClaudeSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          minimum: {type: 'number', minimum: 3, description: 'a property, no limit'},
          kind: {enum: ['a', 'b'], default: 'a'},
          list: {type: 'array', minItems: 1, items: {type: 'object', additionalProperties: true, properties: {}}},
        },
        required: ['minimum'],
        $defs: {one: {type: 'object', properties: {x: {type: 'string', maxLength: 4}}}},
      }),
    ).toEqual({
      type: 'object',
      properties: {
        minimum: {type: 'number', description: 'a property, no limit'},
        kind: {enum: ['a', 'b'], default: 'a'},
        list: {type: 'array', items: {type: 'object', additionalProperties: false, properties: {}}},
      },
      required: ['minimum'],
      $defs: {one: {type: 'object', properties: {x: {type: 'string'}}, additionalProperties: false}},
      additionalProperties: false,
    });
  });
});
