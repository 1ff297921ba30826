import {isJsonObject, type JsonObject} from '../../base/json.ts';
import type {AssistantPart, Message, ToolSchema} from '../../protocol/messages.ts';
import {callName} from '../call-name.ts';
import {memoizeEncoding} from '../memoize-encoding.ts';
import {answerSchema, toolResultText} from './openai-common.ts';
import {createResponsesDecoder} from './openai-responses-decoder.ts';
import type {ModelRequest} from '../provider.ts';
import type {Wire, WireRequest} from '../wire.ts';

/**
 * OpenAI Responses, and Open Responses (specification of 2026-04-24). Nothing is stored at the server: every item that it made goes back as
 * it came, in order, encrypted reasoning and items of unknown types included. What grows (`input`) is the last field, so that the body of a
 * request begins with the bytes of the one before it.
 */
export const responsesWire: Wire = {
  format: 'openai-responses',
  encode: (request, model) => (request.compaction === undefined ? encode(request, model) : encodeCompaction(request, model)),
  // Servers do not announce this endpoint: it is called only if a person wants it, and may refuse.
  compactsFrom: () => 0,
  decoder: createResponsesDecoder,
};

/** https://developers.openai.com/api/docs/guides/compaction: a window in one piece, which goes in front of what follows as it came. */
function encodeCompaction({system, compaction, cacheKey, messages}: ModelRequest, model: string): WireRequest {
  const wish = compaction?.wish === undefined ? '' : `\n\nWhen the conversation is compacted, keep above all: ${compaction.wish}`;
  return {
    path: '/responses/compact',
    headers: {},
    body: {
      model,
      ...(cacheKey === undefined ? {} : {prompt_cache_key: cacheKey}),
      ...(system === '' && wish === '' ? {} : {instructions: `${system}${wish}`}),
      input: messages.flatMap(encodeMessage),
    },
  };
}

function encode(request: ModelRequest, model: string): WireRequest {
  const schema = request.outputSchema;
  return {
    path: '/responses',
    headers: {},
    body: {
      model,
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content', ...(request.logprobs === true ? ['message.output_text.logprobs'] : [])],
      ...(request.maxOutputTokens === undefined ? {} : {max_output_tokens: request.maxOutputTokens}),
      ...(request.temperature === undefined ? {} : {temperature: request.temperature}),
      ...(request.cacheKey === undefined ? {} : {prompt_cache_key: request.cacheKey}),
      ...(schema === undefined ? {} : {text: {format: {type: 'json_schema', ...answerSchema(schema)}}}),
      ...(request.system === '' ? {} : {instructions: request.system}),
      ...(request.tools.length === 0 ? {} : {parallel_tool_calls: true, tools: encodeTools(request.tools)}),
      input: request.messages.flatMap(encodeMessage),
    },
  };
}

/** `strict` has to be said: without it the API takes every schema as strict, and refuses optional parameters. */
const encodeTools = memoizeEncoding((tools: readonly ToolSchema[]) =>
  tools.map(({name, description, parameters}): JsonObject => ({type: 'function', name, description, parameters, strict: false})),
);

const encodeMessage = memoizeEncoding((message: Message): readonly JsonObject[] => {
  if (message.role === 'user') return [{type: 'message', role: 'user', content: [{type: 'input_text', text: message.text}]}];
  if (message.role === 'assistant') return message.parts.flatMap(encodePart);
  return message.results.map((result) => ({type: 'function_call_output', call_id: result.callId, output: toolResultText(result)}));
});

function encodePart(part: AssistantPart): readonly JsonObject[] {
  if (part.native?.format === 'openai-responses' && isJsonObject(part.native.data)) return [named(part.native.data, part)];
  if (part.type === 'tool_call') return [{type: 'function_call', call_id: part.id, name: callName(part.name), arguments: part.arguments}];
  if (part.type === 'reasoning' || part.text === '') return [];
  return [{type: 'message', role: 'assistant', content: [{type: 'output_text', text: part.text}]}];
}

/** An item goes back as it came, but for a name that would be refused. */
function named(item: JsonObject, part: AssistantPart): JsonObject {
  const {name} = item;
  return part.type !== 'tool_call' || (typeof name === 'string' && name === callName(name)) ? item : {...item, name: callName(part.name)};
}
