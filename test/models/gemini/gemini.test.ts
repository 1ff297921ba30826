import {describe, expect, it} from 'vitest';
import {geminiWire} from '../../../src/models/gemini/gemini.ts';
import type {ModelRequest} from '../../../src/models/provider.ts';
import type {Message} from '../../../src/protocol/messages.ts';

const TOOLS = [
  {name: 'read', description: 'Reads a file.', parameters: {type: 'object', properties: {path: {type: 'string'}}, required: ['path']}},
];

/** The body as it is sent. */
function bodyOf(request: Partial<ModelRequest>, model = 'gemini-3-pro') {
  const {body} = geminiWire.encode({system: '', messages: [], tools: [], ...request}, model);
  return JSON.parse(JSON.stringify(body));
}

const OWN: readonly Message[] = [
  {role: 'user', text: 'Fix it.'},
  {
    role: 'assistant',
    parts: [
      {type: 'reasoning', text: 'Hm', native: {format: 'gemini', data: {thought: true}}},
      {type: 'text', text: 'I look.'},
      {
        type: 'tool_call',
        id: 'gem_r1_0',
        name: 'read',
        arguments: '{"path":"a"}',
        native: {format: 'gemini', data: {thoughtSignature: 'sig1'}},
      },
      {type: 'tool_call', id: 'fc-2', name: 'read', arguments: '{"path":"b"}'},
    ],
  },
  {
    role: 'tool',
    results: [
      {callId: 'gem_r1_0', name: 'read', text: '1\tlet a', isError: false},
      {callId: 'fc-2', name: 'read', text: 'no such file', isError: true},
    ],
  },
  {
    role: 'assistant',
    parts: [
      {type: 'text', text: 'Done.'},
      {type: 'text', text: '', native: {format: 'gemini', data: {thoughtSignature: 'sig2'}}},
    ],
  },
  {role: 'user', text: 'Thanks.'},
];

const FOREIGN: readonly Message[] = [
  {role: 'user', text: 'go'},
  {
    role: 'assistant',
    parts: [
      {type: 'reasoning', text: 'x', native: {format: 'anthropic', data: {type: 'thinking', thinking: 'x', signature: 's'}}},
      {type: 'text', text: ''},
      {type: 'tool_call', id: 'toolu_1', name: 'read', arguments: '{"path": "a'},
      {type: 'tool_call', id: 'toolu_2', name: 'read', arguments: ''},
    ],
  },
  {
    role: 'tool',
    results: [
      {callId: 'toolu_1', name: 'read', text: 'bad', isError: true},
      {callId: 'toolu_2', name: 'read', text: 'ok', isError: false},
    ],
  },
  {role: 'user', text: 'and b'},
];

describe('a request to Gemini', () => {
  it('sends each part back with what it came with, ids only where they were given', () => {
    expect(geminiWire.encode({system: 'You mend.', messages: OWN, tools: TOOLS}, 'gemini-3-pro')).toMatchObject({
      path: '/models/gemini-3-pro:streamGenerateContent?alt=sse',
      headers: {},
    });
    expect(bodyOf({system: 'You mend.', messages: OWN, tools: TOOLS, maxOutputTokens: 800})).toMatchInlineSnapshot(`
      {
        "contents": [
          {
            "parts": [
              {
                "text": "Fix it.",
              },
            ],
            "role": "user",
          },
          {
            "parts": [
              {
                "text": "Hm",
                "thought": true,
              },
              {
                "text": "I look.",
              },
              {
                "functionCall": {
                  "args": {
                    "path": "a",
                  },
                  "name": "read",
                },
                "thoughtSignature": "sig1",
              },
              {
                "functionCall": {
                  "args": {
                    "path": "b",
                  },
                  "id": "fc-2",
                  "name": "read",
                },
              },
            ],
            "role": "model",
          },
          {
            "parts": [
              {
                "functionResponse": {
                  "name": "read",
                  "response": {
                    "output": "1	let a",
                  },
                },
              },
              {
                "functionResponse": {
                  "id": "fc-2",
                  "name": "read",
                  "response": {
                    "error": "no such file",
                  },
                },
              },
            ],
            "role": "user",
          },
          {
            "parts": [
              {
                "text": "Done.",
              },
              {
                "text": "",
                "thoughtSignature": "sig2",
              },
            ],
            "role": "model",
          },
          {
            "parts": [
              {
                "text": "Thanks.",
              },
            ],
            "role": "user",
          },
        ],
        "generationConfig": {
          "maxOutputTokens": 800,
          "thinkingConfig": {
            "includeThoughts": true,
          },
        },
        "systemInstruction": {
          "parts": [
            {
              "text": "You mend.",
            },
          ],
        },
        "tools": [
          {
            "functionDeclarations": [
              {
                "description": "Reads a file.",
                "name": "read",
                "parametersJsonSchema": {
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
              },
            ],
          },
        ],
      }
    `);
  });

  it('keeps every earlier byte when the conversation grows', () => {
    const before = JSON.stringify(bodyOf({system: 'S', tools: TOOLS, messages: OWN.slice(0, 3)}));
    const after = JSON.stringify(bodyOf({system: 'S', tools: TOOLS, messages: OWN}));
    expect(after.startsWith(before.slice(0, -']}'.length))).toBe(true);
  });

  it('marks the first call of another model as unsigned, since Gemini 3 wants a signature there', () => {
    expect(bodyOf({messages: FOREIGN}).contents.slice(1)).toEqual([
      {
        role: 'model',
        parts: [
          {
            functionCall: {id: 'toolu_1', name: 'read', args: {INVALID_JSON: '{"path": "a'}},
            thoughtSignature: 'skip_thought_signature_validator',
          },
          {functionCall: {id: 'toolu_2', name: 'read', args: {}}},
        ],
      },
      {
        role: 'user',
        parts: [
          {functionResponse: {id: 'toolu_1', name: 'read', response: {error: 'bad'}}},
          {functionResponse: {id: 'toolu_2', name: 'read', response: {output: 'ok'}}},
          {text: 'and b'},
        ],
      },
    ]);
    const [call] = bodyOf({messages: FOREIGN}, 'gemini-2.5-flash').contents[1].parts;
    expect(call).toEqual({functionCall: {id: 'toolu_1', name: 'read', args: {INVALID_JSON: '{"path": "a'}}});
  });

  it.each([
    [
      'gemini-3-pro',
      true,
      {responseMimeType: 'application/json', responseJsonSchema: {type: 'object'}, thinkingConfig: {includeThoughts: true}},
    ],
    ['gemini-2.5-pro', true, {thinkingConfig: {includeThoughts: true}}],
    [
      'gemini-2.5-pro',
      false,
      {responseMimeType: 'application/json', responseJsonSchema: {type: 'object'}, thinkingConfig: {includeThoughts: true}},
    ],
    ['gemma-3-27b-it', true, undefined],
  ])('asks %s (tools: %s) for thoughts and for structured output where it can', (model, withTools, config) => {
    const body = bodyOf({outputSchema: {type: 'object'}, tools: withTools ? TOOLS : []}, model);
    expect(body.generationConfig).toEqual(config);
  });

  it('takes a full resource name as it is', () => {
    expect(geminiWire.encode({system: '', messages: [], tools: []}, 'tunedModels/mine').path).toBe(
      '/tunedModels/mine:streamGenerateContent?alt=sse',
    );
  });

  it('encodes each message once', () => {
    const part = (): unknown =>
      (geminiWire.encode({system: '', messages: OWN, tools: []}, 'm').body['contents'] as {parts: unknown[]}[])[1]?.parts[0];
    expect(part()).toBe(part());
  });
});
