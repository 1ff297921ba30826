import {describe, expect, it} from 'vitest';
import type {WireFormat} from '../../src/protocol/messages.ts';
import type {ReceivedRequest} from '../../src/testing/index.ts';
import {anthropicProblems} from '../../src/testing/wire/anthropic-request.ts';
import {chatProblems} from '../../src/testing/wire/chat-request.ts';
import {geminiProblems} from '../../src/testing/wire/gemini-request.ts';
import {responsesProblems} from '../../src/testing/wire/responses-request.ts';
import {signatureOf} from '../../src/testing/wire/signature.ts';

const HEADERS = {'anthropic-version': '2023-06-01'};
const PARAMETERS = {type: 'object', properties: {path: {type: 'string'}}, required: ['path']};

/** A request as it arrives: JSON, whatever it holds. */
function received(format: WireFormat, body: object, headers: Record<string, string> = {}): ReceivedRequest {
  return {format, path: '', headers, body: JSON.parse(JSON.stringify(body))};
}

describe('Chat Completions', () => {
  const user = {role: 'user', content: 'go'};
  const call = (id: string, args = '{}') => ({id, type: 'function', function: {name: 'read', arguments: args}});
  const reply = (...calls: object[]) => ({role: 'assistant', content: null, tool_calls: calls});
  const result = (id: string) => ({role: 'tool', tool_call_id: id, content: 'ok'});
  const tool = (parameters: object, name = 'read') => ({type: 'function', function: {name, description: 'd', parameters}});
  const problems = (more: object) => chatProblems(received('openai-chat', {model: 'm', stream: true, messages: [user], ...more}));

  it('allows what is right', () => {
    const messages = [{role: 'system', content: 's'}, user, reply(call('a'), call('b')), result('b'), result('a'), user, user];
    expect(problems({messages, tools: [tool(PARAMETERS)], stream_options: {include_usage: true}, max_completion_tokens: 5})).toEqual([]);
  });

  it.each<[string, object, readonly string[]]>([
    ['an unknown key', {colour: 1}, ['body: unknown key colour']],
    ['no stream', {stream: false}, ['stream: must be true']],
    ['no model', {model: undefined}, ['model: is required']],
    ['a wrong role', {messages: [{role: 'robot', content: ''}]}, ['messages.0.role: is of no known kind']],
    ['an unknown key of a message', {messages: [{role: 'user', content: 'x', cache: 1}]}, ['messages.0: unknown key cache']],
    ['a system prompt later', {messages: [user, {role: 'system', content: 's'}]}, ['messages.1: the system prompt must come first']],
    ['an empty reply', {messages: [user, {role: 'assistant', content: ''}, user]}, ['messages.1: neither content nor tool_calls']],
    [
      'broken arguments',
      {messages: [user, reply(call('a', '{"x')), result('a')]},
      ['messages.1.tool_calls.0.function.arguments: not a JSON object'],
    ],
    ['a call without result', {messages: [user, reply(call('a')), user]}, ['messages.1: call a has no result in the turn after it']],
    ['an open call at the end', {messages: [user, reply(call('a'))]}, ['messages.1: call a has no result in the turn after it']],
    [
      'half of the results',
      {messages: [user, reply(call('a'), call('b')), result('a')]},
      ['messages.1: call b has no result in the turn after it'],
    ],
    ['a result without call', {messages: [user, result('a')]}, ['messages.1: result a belongs to no call of the reply before it']],
    [
      'a result twice',
      {messages: [user, reply(call('a')), result('a'), result('a')]},
      ['messages.2: result a belongs to no call of the reply before it'],
    ],
    [
      'a result of an older call',
      {messages: [user, reply(call('a')), result('a'), reply(call('b')), result('a')]},
      ['messages.4: result a belongs to no call of the reply before it', 'messages.3: call b has no result in the turn after it'],
    ],
    ['a tool schema that is not an object', {tools: [tool({type: 'string'})]}, ['tools.0.function.parameters.type: must be "object"']],
    [
      'a required property that does not exist',
      {tools: [tool({...PARAMETERS, required: ['file']})]},
      ['tools.0.function.parameters: requires a property that does not exist'],
    ],
    ['a tool name with a space', {tools: [tool(PARAMETERS, 'read file')]}, ['tools.0.function.name: must match /^[a-zA-Z0-9_-]{1,64}$/']],
    ['a tool twice', {tools: [tool(PARAMETERS), tool(PARAMETERS)]}, ['tools: two of them are called read']],
    ['two limits', {max_tokens: 1, max_completion_tokens: 1}, ['max_tokens: not together with max_completion_tokens']],
  ])('forbids %s', (_, more, expected) => {
    expect(problems(more)).toEqual(expected);
  });
});

describe('Responses', () => {
  const user = {role: 'user', content: [{type: 'input_text', text: 'go'}]};
  const call = (call_id: string) => ({type: 'function_call', call_id, name: 'read', arguments: '{}'});
  const result = (call_id: string) => ({type: 'function_call_output', call_id, output: 'ok'});
  const reasoning = (more: object = {}) => ({
    type: 'reasoning',
    id: 'rs_1',
    summary: [{type: 'summary_text', text: 'Hm'}],
    encrypted_content: signatureOf('Hm'),
    ...more,
  });
  const problems = (input: readonly object[], more: object = {}) =>
    responsesProblems(received('openai-responses', {model: 'm', stream: true, store: false, input, ...more}));

  it('allows what is right', () => {
    const answer = {
      type: 'message',
      role: 'assistant',
      id: 'msg_1',
      status: 'completed',
      content: [{type: 'output_text', text: 'I', annotations: []}],
    };
    const tools = [{type: 'function', name: 'read', parameters: PARAMETERS, strict: false}];
    expect(problems([user, reasoning(), answer, call('a'), call('b'), result('a'), result('b'), user], {tools})).toEqual([]);
  });

  it.each<[string, readonly object[], object, readonly string[]]>([
    ['an unknown key', [user], {messages: []}, ['body: unknown key messages']],
    ['an unknown item', [{type: 'thought'}], {}, ['input.0.type: is of no known kind']],
    [
      'user text as output',
      [{role: 'user', content: [{type: 'output_text', text: 'x'}]}],
      {},
      ['input.0.content.0.type: must be "input_text"'],
    ],
    [
      'reasoning without its content, unstored',
      [user, reasoning({encrypted_content: null}), call('a'), result('a')],
      {},
      ['input.1: reasoning is not persisted when store is false, encrypted_content is missing'],
    ],
    ['changed reasoning', [user, reasoning({encrypted_content: 'x'})], {}, ['input.1.encrypted_content: could not be verified']],
    ['a call without result', [user, call('a'), user], {}, ['input.1: call a has no result in the turn after it']],
    ['a result without call', [user, result('a')], {}, ['input.1: result a belongs to no call of the reply before it']],
    [
      'a nested tool',
      [user],
      {tools: [{type: 'function', function: {}}]},
      ['tools.0.name: is required', 'tools.0.parameters: is required', 'tools.0: unknown key function'],
    ],
  ])('forbids %s', (_, input, more, expected) => {
    expect(problems(input, more)).toEqual(expected);
  });
});

describe('Messages', () => {
  const user = {role: 'user', content: [{type: 'text', text: 'go'}]};
  const reply = (...content: object[]) => ({role: 'assistant', content});
  const call = (id: string) => ({type: 'tool_use', id, name: 'read', input: {}});
  const results = (...ids: string[]) => ({role: 'user', content: ids.map((id) => ({type: 'tool_result', tool_use_id: id, content: 'ok'}))});
  const thinking = {type: 'thinking', thinking: 'Hm', signature: signatureOf('Hm')};
  const problems = (messages: readonly object[], more: object = {}, headers: Record<string, string> = HEADERS) =>
    anthropicProblems(received('anthropic', {model: 'm', max_tokens: 9, stream: true, messages, ...more}, headers));

  it('allows what is right', () => {
    const tools = [{name: 'read', input_schema: PARAMETERS, cache_control: {type: 'ephemeral'}}];
    const steered = {role: 'user', content: [...results('a', 'b').content, {type: 'text', text: 'quick'}]};
    expect(
      problems([user, reply(thinking, {type: 'redacted_thinking', data: 'x'}, call('a'), call('b')), steered], {tools, system: 'S'}),
    ).toEqual([]);
  });

  const marked = {type: 'text', text: 'x', cache_control: {type: 'ephemeral'}};
  it.each<[string, readonly object[], object, readonly string[]]>([
    ['an unknown key', [user], {reasoning: 1}, ['body: unknown key reasoning']],
    ['no limit', [user], {max_tokens: undefined}, ['max_tokens: is required']],
    ['a system role', [{role: 'system', content: 'x'}], {}, ['messages.0.role: must be "user" or "assistant"']],
    ['blank text', [{role: 'user', content: [{type: 'text', text: ' \n'}]}], {}, ['messages.0.content.0.text: must match /\\S/']],
    ['input as text', [user, reply({...call('a'), input: '{}'})], {}, ['messages.1.content.0.input: must be of type record']],
    ['two users', [user, user], {}, ['messages.1: roles must alternate']],
    [
      'a reply at the start',
      [reply({type: 'text', text: 'x'}), user],
      {},
      ['messages.0: roles must alternate', 'messages.1: roles must alternate'],
    ],
    ['a begun reply', [user, reply({type: 'text', text: 'x'})], {}, ['messages: the last one must be of the user']],
    [
      'changed thinking',
      [user, reply({...thinking, thinking: 'Hmm'}), user],
      {},
      ['messages.1.content.0: Invalid `signature` in `thinking` block'],
    ],
    ['a call without result', [user, reply(call('a')), user], {}, ['messages.1: call a has no result in the turn after it']],
    [
      'a result without call',
      [user, reply({type: 'text', text: 'x'}), results('a')],
      {},
      ['messages.2: result a belongs to no call of the reply before it'],
    ],
    [
      'text before results',
      [user, reply(call('a')), {role: 'user', content: [{type: 'text', text: 'x'}, ...results('a').content]}],
      {},
      ['messages.2: tool_result blocks must come first'],
    ],
    [
      'five breakpoints',
      [{role: 'user', content: [marked, marked, marked, marked, marked]}],
      {},
      ['a maximum of 4 blocks with cache_control may be provided, found 5'],
    ],
    [
      'a tool schema that is not an object',
      [user],
      {tools: [{name: 'read', input_schema: {type: 'array'}}]},
      ['tools.0.input_schema.type: must be "object"'],
    ],
  ])('forbids %s', (_, messages, more, expected) => {
    expect(problems(messages, more)).toEqual(expected);
  });

  it('wants its version', () => {
    expect(problems([user], {}, {})).toEqual(['anthropic-version: header is required']);
  });
});

describe('Gemini', () => {
  const user = {role: 'user', parts: [{text: 'go'}]};
  const call = (more: object = {}) => ({
    functionCall: {name: 'read', args: {path: 'a'}, ...more},
    thoughtSignature: signatureOf('read{"path":"a"}'),
  });
  const unsigned = {functionCall: {name: 'status', args: {}}};
  const result = (name: string, more: object = {}) => ({functionResponse: {name, response: {output: 'ok'}, ...more}});
  const model = (...parts: object[]) => ({role: 'model', parts});
  const turn = (...parts: object[]) => ({role: 'user', parts});
  const problems = (contents: readonly object[], more: object = {}) => geminiProblems(received('gemini', {contents, ...more}));

  it('allows what is right: calls by name or id, the first one signed', () => {
    const contents = [
      user,
      model({text: 'Hm', thought: true}, call(), unsigned),
      turn(result('status'), result('read')),
      model(call({id: 'x'})),
      turn(result('read', {id: 'x'})),
    ];
    const tools = [{functionDeclarations: [{name: 'read', parametersJsonSchema: PARAMETERS}]}];
    expect(problems(contents, {tools, systemInstruction: {parts: [{text: 'S'}]}})).toEqual([]);
  });

  it.each<[string, readonly object[], object, readonly string[]]>([
    ['an unknown key', [user], {model: 'm'}, ['body: unknown key model']],
    ['a part of two kinds', [turn({text: 'x', functionCall: {name: 'a'}})], {}, ['contents.0.parts.0: unknown key functionCall']],
    ['the role of others', [{role: 'assistant', parts: [{text: 'x'}]}], {}, ['contents.0.role: must be "user" or "model"']],
    ['two users', [user, user], {}, ['contents.1: roles must alternate']],
    ['a begun reply', [user, model({text: 'x'})], {}, ['contents: the last one must be of the user']],
    [
      'a lost signature',
      [user, model(unsigned), turn(result('status'))],
      {},
      ['contents.1.parts.0: Function call is missing a thought_signature'],
    ],
    [
      'a moved signature',
      [user, model({text: 'x', thoughtSignature: signatureOf('y')}), user],
      {},
      ['contents.1.parts.0: Corrupted thought signature'],
    ],
    ['a call without result', [user, model(call()), user], {}, ['contents.1: call read has no result in the turn after it']],
    [
      'a result with another id',
      [user, model(call({id: 'x'})), turn(result('read', {id: 'y'}))],
      {},
      ['contents.2: result y belongs to no call of the reply before it', 'contents.1: call x has no result in the turn after it'],
    ],
    [
      'a tool schema in the old field',
      [user],
      {tools: [{functionDeclarations: [{name: 'read', parameters: PARAMETERS}]}]},
      ['tools.0.functionDeclarations.0.parametersJsonSchema: is required', 'tools.0.functionDeclarations.0: unknown key parameters'],
    ],
  ])('forbids %s', (_, contents, more, expected) => {
    expect(problems(contents, more)).toEqual(expected);
  });
});
