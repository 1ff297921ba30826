import {isJsonObject, parseJson, type Json, type JsonObject} from '../../base/json.ts';
import type {AssistantPart, Message, ToolSchema} from '../../protocol/messages.ts';
import {callName} from '../call-name.ts';
import {createAnthropicDecoder} from './anthropic-decoder.ts';
import {claudeFeatures, toClaudeSchema} from './anthropic-features.ts';
import {memoizeEncoding} from '../memoize-encoding.ts';
import type {CompactionRequest, ModelRequest} from '../provider.ts';
import type {Wire, WireRequest} from '../wire.ts';

/**
 * Anthropic Messages API, version 2023-06-01. System prompt and tools first, each with a cache breakpoint, then the messages with
 * breakpoints on the last two of the user's side; nothing else changes between the requests of a thread. Thinking goes back as it came.
 */
export const anthropicWire: Wire = {
  format: 'anthropic',
  encode,
  compactsFrom: (model) => (claudeFeatures(model).compaction ? LEAST_COMPACTED : undefined),
  decoder: createAnthropicDecoder,
};

/** The API wants a limit; every model on sale can write this much, and thinking counts as output. */
const DEFAULT_MAX_TOKENS = 32_000;

const CACHED: JsonObject = {cache_control: {type: 'ephemeral'}};

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
}

function encode(request: ModelRequest, model: string): WireRequest {
  const features = claudeFeatures(model);
  const schema = features.outputSchema ? request.outputSchema : undefined;
  return {
    path: '/v1/messages',
    headers: {'anthropic-version': '2023-06-01', ...betaHeader(features.betas, request.compaction)},
    body: {
      model,
      max_tokens: request.maxOutputTokens ?? DEFAULT_MAX_TOKENS,
      stream: true,
      temperature: request.temperature,
      thinking: features.thinking,
      output_config: schema === undefined ? undefined : {format: {type: 'json_schema', schema: toClaudeSchema(schema)}},
      tools: request.tools.length === 0 ? undefined : encodeTools(request.tools),
      system: request.system === '' ? undefined : [{type: 'text', text: request.system, ...CACHED}],
      ...contextManagement(request.compaction),
      messages: withBreakpoints(toTurns(request.messages)).map(({role, content}) => ({role, content})),
    },
  };
}

/**
 * https://platform.claude.com/docs/en/build-with-claude/compaction: the summary is made from the conversation as it is in the cache, and the
 * request ends with it. It is used as text: a block of it would tie all later requests to the beta.
 */
function contextManagement(compaction: CompactionRequest | undefined): JsonObject {
  if (compaction === undefined) return {};
  const instructions = `${compaction.instructions}${compaction.wish === undefined ? '' : `\n\nKeep above all: ${compaction.wish}`}`;
  const trigger = {type: 'input_tokens', value: LEAST_COMPACTED};
  return {context_management: {edits: [{type: 'compact_20260112', trigger, pause_after_compaction: true, instructions}]}};
}

/** The API takes no smaller trigger. Tokens. */
const LEAST_COMPACTED = 50_000;

function betaHeader(betas: readonly string[], compaction: CompactionRequest | undefined): Readonly<Record<string, string>> {
  const all = compaction === undefined ? betas : [...betas, 'compact-2026-01-12'];
  return all.length === 0 ? {} : {'anthropic-beta': all.join(',')};
}

function encodeTools(tools: readonly ToolSchema[]): readonly JsonObject[] {
  return tools.map(({name, description, parameters}, index) => ({
    name,
    description,
    input_schema: parameters,
    ...(index === tools.length - 1 ? CACHED : {}),
  }));
}

/** Roles alternate on this wire: neighbours of one role become one turn, a message without content is left out. */
function toTurns(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const content = contentOf(message);
    if (content.length === 0) continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) turns[turns.length - 1] = {role, content: [...last.content, ...content]};
    else turns.push({role, content});
  }
  return turns;
}

/** Two moving breakpoints: the earlier one is where the request before this one wrote its cache. */
function withBreakpoints(turns: Turn[]): readonly Turn[] {
  let left = 2;
  for (let index = turns.length - 1; index >= 0 && left > 0; index -= 1) {
    const turn = turns[index];
    if (turn?.role !== 'user') continue;
    turns[index] = {
      role: 'user',
      content: turn.content.map((block, at) => (at === turn.content.length - 1 ? {...block, ...CACHED} : block)),
    };
    left -= 1;
  }
  return turns;
}

const contentOf = memoizeEncoding(encodeMessage);

function encodeMessage(message: Message): readonly JsonObject[] {
  if (message.role === 'user') return encodeText(message.text);
  if (message.role === 'assistant') return message.parts.flatMap(encodePart);
  return message.results.map(({callId, text, isError}) => ({
    type: 'tool_result',
    tool_use_id: wireId(callId),
    content: text === '' ? undefined : text,
    is_error: isError ? true : undefined,
  }));
}

function encodePart(part: AssistantPart): readonly JsonObject[] {
  if (part.type === 'text') return encodeText(part.text);
  if (part.type === 'tool_call')
    return [{type: 'tool_use', id: wireId(part.id), name: callName(part.name), input: toInput(part.arguments)}];
  return part.native?.format === 'anthropic' && isJsonObject(part.native.data) ? [part.native.data] : [];
}

/** The API refuses text blocks of white space only. */
function encodeText(text: string): readonly JsonObject[] {
  return text.trim() === '' ? [] : [{type: 'text', text}];
}

/** Broken JSON goes back inside an object, as Anthropic's guide to fine-grained tool streaming asks. */
function toInput(text: string): Json {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  return isJsonObject(value) ? value : {INVALID_JSON: text};
}

/** Ids of other providers may hold characters that this API refuses. */
function wireId(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
}
