import {describe, expect, it} from 'vitest';
import {CALL_FORMS} from '../../../src/agent/replies/call-forms.table.ts';
import type {ReplyContext} from '../../../src/agent/replies/find-call-text.ts';
import {recogniseCalls} from '../../../src/agent/replies/recognize-calls.ts';
import type {Message, ToolSchema} from '../../../src/protocol/messages.ts';
import {EXPLAINED_CALLS} from './explained-calls.table.ts';
import {DEFAULT_CALLS, WRITTEN_CALLS} from './written-calls.table.ts';

const tool = (name: string, properties: object, required: string[]): ToolSchema => ({
  name,
  description: '',
  parameters: {type: 'object', properties, required} as ToolSchema['parameters'],
});

const TOOLS = [
  tool('read', {path: {type: 'string'}}, ['path']),
  tool('grep', {pattern: {type: 'string'}, limit: {type: 'integer', minimum: 1}}, ['pattern']),
  tool('bash', {command: {type: 'string'}}, ['command']),
];

function around(over: Partial<ReplyContext> = {}): ReplyContext {
  return {model: 'x/qwen3-coder', tools: TOOLS, messages: [{role: 'user', text: 'Read a.txt.'}], expectsJson: false, ...over};
}

const recognised = (text: string, over: Partial<ReplyContext> = {}): unknown => {
  const found = recogniseCalls(text, around(over));
  return found?.kind === 'calls' ? found.calls.map(({name, fields}) => [name, fields]) : found?.kind;
};

const CALL = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';

describe('a call written as text (issue › endings: at least 30 forms)', () => {
  it('has a table that is long enough, and every form that a family is known for stands in it', () => {
    const known = CALL_FORMS.filter(({families}) => families.length > 0);
    const covered = known.filter(({opens}) =>
      WRITTEN_CALLS.some(([, , text]) => {
        opens.lastIndex = 0;
        return opens.test(text);
      }),
    );
    expect([covered.length, WRITTEN_CALLS.length >= 30, EXPLAINED_CALLS.length >= 30]).toEqual([known.length, true, true]);
  });

  it.each(WRITTEN_CALLS)('%s: carried out for %s', (_form, model, text, calls = DEFAULT_CALLS) => {
    expect(recognised(text, {model})).toEqual(calls);
  });

  it.each(WRITTEN_CALLS)('%s: sent back where the family of the model is not known for it', (_form, _model, text) => {
    expect(recognised(text, {model: 'test/model-1'})).toBe('unclear');
  });

  it.each(WRITTEN_CALLS)('%s: left alone where it stands in a tool result', (_form, model, text) => {
    const result: Message = {
      role: 'tool',
      results: [{callId: 'c', name: 'read', text: `1\tNotes\n2\t${text.replaceAll('\n', '\n3\t')}`, isError: false}],
    };
    expect(recognised(text, {model, messages: [result]})).toBeUndefined();
  });

  it.each(WRITTEN_CALLS)('%s: nothing where there are no tools', (_form, model, text) => {
    expect(recognised(text, {model, tools: []})).toBeUndefined();
  });
});

describe('an answer that quotes or explains a call (issue › endings: at least 30, none carried out, none sent back)', () => {
  it.each(EXPLAINED_CALLS)('%s (%s)', (_name, model, text) => {
    expect(recognised(text, {model})).toBeUndefined();
  });
});

describe('a call that may not run is sent back', () => {
  it.each<[string, string, Partial<ReplyContext>?]>([
    ['a tool that there is not', CALL.replace('read', 'open_file')],
    ['an argument that is missing', CALL.replace('"path": "a.txt"', '')],
    ['an argument of another name', CALL.replace('path', 'file')],
    ['an argument of another type', CALL.replace('"a.txt"', '["a.txt"]')],
    ['one good call beside one that is not', `${CALL}\n${CALL.replace('read', 'open_file')}`],
    ['a number below its bound', '<tool_call>{"name": "grep", "arguments": {"pattern": "x", "limit": 0}}</tool_call>'],
    ['JSON that was cut off', '<tool_call>\n{"name": "read", "arguments": {"path": "a.t'],
    ['JSON alone that was cut off', '{"name": "read", "parameters": {"path": "a.t', {model: 'x/llama-3.1'}],
    ['words before it', `I'll read the file now.\n${CALL}`],
    ['words before it, and a colon', `Let me look at the file:\n\n${CALL}`],
    ['an announcement in another language', `Ich lese die Datei.\n\n${CALL}`],
    ['words before it that announce nothing', `Sure!\n${CALL}`],
    ['a result that the model made up', `${CALL}\n<tool_response>\none\n</tool_response>\nThe file holds "one".`],
    ['words behind it', `${CALL}\n\nI will go on once I have the result.`],
    ['a fence behind an announcement', 'I will read it.\n\n```json\n{"name": "read", "arguments": {"path": "a.txt"}}\n```'],
    ['an announcement with words that could be about it', `I'll fix the error in the server's output file.\n${CALL}`],
    ['an announcement behind a longer text', `The template is in example.md, as the docs say.\n\nNow I will read it.\n\n${CALL}`],
    ['a tag that no family is known for', '<function_call>{"name": "read", "arguments": {"path": "a.txt"}}</function_call>'],
    ['Python in a tag', '<tool_call>read(path="a.txt")</tool_call>'],
    ['the tool as a tag', '<read>\n<path>a.txt</path>\n</read>'],
    ['a call of Python alone', 'read(path="a.txt")'],
    ['a form of another family', CALL, {model: 'x/llama-3.1-70b'}],
    ['a model that is not known', CALL, {model: 'test/model-1'}],
    ['a provider that is named like a family', CALL, {model: 'qwen/model-1'}],
    ['JSON alone of a model that is not known for it', '{"name": "read", "arguments": {"path": "a.txt"}}', {model: 'openai/gpt-6-sol'}],
  ])('%s', (_name, text, over) => {
    expect(recognised(text, over)).toBe('unclear');
  });
});

describe('what stands in the conversation is quoted, not called', () => {
  it.each<[string, Message]>([
    [
      'a tool result, as JSON',
      {role: 'tool', results: [{callId: 'c', name: 'read', text: JSON.stringify({page: `Hi ${CALL}`}), isError: false}]},
    ],
    [
      'a page',
      {role: 'tool', results: [{callId: 'c', name: 'web', text: CALL.replaceAll('<', '&lt;').replaceAll('>', '&gt;'), isError: false}]},
    ],
    ['what a person wrote', {role: 'user', text: `What is this? ${CALL.replaceAll('\n', ' ')}`}],
    [
      'a result of grep',
      {role: 'tool', results: [{callId: 'c', name: 'grep', text: `log.txt:7:${CALL.replaceAll('\n', '\nlog.txt:8:')}`, isError: false}]},
    ],
  ])('%s', (_name, message) => {
    expect(recognised(CALL, {messages: [message]})).toBeUndefined();
  });

  it('but what the model itself wrote before is not a quotation', () => {
    expect(recognised(CALL, {messages: [{role: 'assistant', parts: [{type: 'text', text: CALL}]}]})).toEqual(DEFAULT_CALLS);
  });
});

it('JSON is an answer where the answer has to be JSON', () => {
  const text = '{"name": "read", "parameters": {"path": "a.txt"}}';
  expect([recognised(text, {model: 'x/llama-3', expectsJson: true}), recognised(CALL, {expectsJson: true})]).toEqual([
    undefined,
    DEFAULT_CALLS,
  ]);
});

it('a text of a megabyte ends in no call, whatever it begins with', () => {
  for (const start of [
    '<tool_call>\n{',
    '[',
    '{"a":',
    '<function=read>',
    'Thought: ',
    '```json\n{',
    '<|channel|>analysis<|message|>',
    '\n<tool_call>',
  ]) {
    const text = start + `${start} "x" `.repeat(1_000_000 / (start.length + 5));
    expect(['unclear', undefined]).toContain(recognised(text, {model: 'x/qwen3'}));
  }
});
