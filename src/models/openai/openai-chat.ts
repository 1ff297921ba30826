import {isJsonObject, parseJson, type JsonObject} from '../../base/json.ts';
import {newId} from '../../base/ids.ts';
import type {AssistantMessage, Message, NativePart, ReasoningPart, ToolCallPart, ToolSchema} from '../../protocol/messages.ts';
import {callName} from '../call-name.ts';
import {memoizeEncoding} from '../memoize-encoding.ts';
import {createChatDecoder} from './openai-chat-decoder.ts';
import {answerSchema, toolResultText} from './openai-common.ts';
import type {ModelRequest} from '../provider.ts';
import type {Wire} from '../wire.ts';

/** Differences between servers of this format. */
export interface ChatDialect {
  /** Name of the limit: OpenAI wants the first, most others know only the second. */
  readonly limitField: 'max_completion_tokens' | 'max_tokens';
  /** Usage has to be asked for; Mistral sends it unasked and refuses the field. */
  readonly asksForUsage: boolean;
  /** The server takes `prompt_cache_key`. */
  readonly hasCacheKey: boolean;
  /** Mistral wants ids of nine letters and digits. */
  readonly shortCallIds: boolean;
  /** False: the server refuses to be asked for log probabilities. */
  readonly hasLogprobs: boolean;
}

/**
 * OpenAI Chat Completions, and every server that speaks it: Ollama, LM Studio, llama.cpp, vLLM, OpenRouter, Mistral.
 * What grows (`messages`) is the last field, so that the body of a request begins with the bytes of the one before it.
 */
export function createChatWire(dialect: ChatDialect, makeCallId: () => string = () => newId('call')): Wire {
  const encodeMessage = memoizeEncoding((message: Message) => toWire(message, dialect));
  const encodeTools = memoizeEncoding((tools: readonly ToolSchema[]) => tools.map(toTool));

  const encodeBody = (request: ModelRequest, model: string): JsonObject => ({
    model,
    stream: true,
    ...(dialect.asksForUsage ? {stream_options: {include_usage: true}} : {}),
    ...(request.maxOutputTokens === undefined ? {} : {[dialect.limitField]: request.maxOutputTokens}),
    ...(dialect.hasCacheKey && request.cacheKey !== undefined ? {prompt_cache_key: request.cacheKey} : {}),
    ...(request.temperature === undefined ? {} : {temperature: request.temperature}),
    ...(dialect.hasLogprobs && request.logprobs === true ? {logprobs: true} : {}),
    ...(request.outputSchema === undefined
      ? {}
      : {response_format: {type: 'json_schema', json_schema: answerSchema(request.outputSchema)}}),
    ...(request.tools.length === 0 ? {} : {tools: encodeTools(request.tools)}),
    messages: [...(request.system === '' ? [] : [{role: 'system', content: request.system}]), ...request.messages.flatMap(encodeMessage)],
  });
  return {
    format: 'openai-chat',
    encode: (request, model) => ({path: '/chat/completions', headers: {}, body: encodeBody(request, model)}),
    decoder: () => createChatDecoder(makeCallId),
  };
}

function toTool({name, description, parameters}: ToolSchema): JsonObject {
  return {type: 'function', function: {name, description, parameters}};
}

function toWire(message: Message, dialect: ChatDialect): readonly JsonObject[] {
  if (message.role === 'user') return [{role: 'user', content: message.text}];
  if (message.role === 'assistant') return [toAssistant(message, dialect)];
  return message.results.map((result) => ({role: 'tool', tool_call_id: wireId(result.callId, dialect), content: toolResultText(result)}));
}

function toAssistant({parts}: AssistantMessage, dialect: ChatDialect): JsonObject {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = parts.filter((part) => part.type === 'tool_call').map((part) => toCall(part, dialect));
  const reasoning = parts.filter((part) => part.type === 'reasoning').flatMap(nativeFields);
  const thinking = reasoning.flatMap((fields) => (isJsonObject(fields['thinking_chunk']) ? [fields['thinking_chunk']] : []));
  return {
    role: 'assistant',
    content: contentOf(text, {thinking, hasCalls: calls.length > 0}),
    ...Object.assign({}, ...reasoning.filter((fields) => fields['thinking_chunk'] === undefined)),
    ...(calls.length === 0 ? {} : {tool_calls: calls}),
  };
}

/** Mistral keeps its thinking as a chunk of the content, before the text. */
function contentOf(text: string, {thinking, hasCalls}: {thinking: readonly JsonObject[]; hasCalls: boolean}): JsonObject[] | string | null {
  if (thinking.length > 0) return [...thinking, ...(text === '' ? [] : [{type: 'text', text}])];
  return text === '' && hasCalls ? null : text;
}

/** The fields in which the server sent its reasoning, with their contents: `reasoning_content`, `reasoning`, `reasoning_details`. */
function nativeFields({native}: ReasoningPart): readonly JsonObject[] {
  return isOurs(native) && isJsonObject(native.data) ? [native.data] : [];
}

function isOurs(native: NativePart | undefined): native is NativePart {
  return native?.format === 'openai-chat';
}

function toCall({id, name, arguments: text, native}: ToolCallPart, dialect: ChatDialect): JsonObject {
  const extra = isOurs(native) && isJsonObject(native.data) ? native.data : {};
  return {...extra, id: wireId(id, dialect), type: 'function', function: {name: callName(name), arguments: toArguments(text)}};
}

/** Chat templates parse the arguments of earlier calls: broken JSON goes back inside an object, or the server fails on it for ever. */
function toArguments(text: string): string {
  if (text.trim() === '') return '{}';
  return isJsonObject(parseJson(text)) ? text : JSON.stringify({invalid_json: text});
}

function wireId(id: string, {shortCallIds}: ChatDialect): string {
  if (!shortCallIds || /^[a-zA-Z0-9]{9}$/.test(id)) return id;
  // FNV-1a with two seeds: the same id on a call and on its result.
  const hashes = [0x811c9dc5, 0x01000193].map((seed) => {
    let hash = seed;
    for (const byte of Buffer.from(id)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
    return hash.toString(36).padStart(7, '0');
  });
  return hashes.join('').slice(0, 9);
}
