import type {JsonObject} from '../../base/json.ts';
import type {StopReason} from '../../protocol/messages.ts';
import {anthropicProblems} from './anthropic-request.ts';
import {pieces, type NamedEvent, type ServedReply, type ServerWire} from './server-wire.ts';
import {signatureOf} from './signature.ts';

/** Anthropic Messages, as `api.anthropic.com` streams it. */
export const anthropicServerWire: ServerWire = {
  format: 'anthropic',
  problems: anthropicProblems,
  events: (reply, {body}) => [...events(reply, body)].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  error: (status, message) => ({type: 'error', error: {type: ERROR_TYPES[status] ?? 'api_error', message}, request_id: 'req_01'}),
};

function* events(reply: ServedReply, {model, context_management: managed}: JsonObject): Generator<NamedEvent> {
  // A reply of nothing but words to a request that may compact is the summary, with which it pauses.
  const isSummary = managed !== undefined && reply.reasoning === '' && reply.toolCalls.length === 0;
  const head = {id: `msg_${reply.serial}`, type: 'message', role: 'assistant', model};
  const usage = inputUsage(reply);
  const none = {input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0};
  yield {
    type: 'message_start',
    message: {
      ...head,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {...(isSummary ? none : usage), output_tokens: isSummary ? 0 : 1, service_tier: 'standard'},
    },
  };
  yield {type: 'ping'};
  for (const [index, block] of (isSummary ? [summaryOf(reply)] : blocks(reply)).entries()) {
    yield {type: 'content_block_start', index, content_block: block.start};
    for (const delta of block.deltas) yield {type: 'content_block_delta', index, delta};
    yield {type: 'content_block_stop', index};
  }
  const {output_tokens, reasoning_tokens} = reply.usage;
  yield {
    type: 'message_delta',
    delta: {stop_reason: isSummary ? 'compaction' : STOP_REASONS[reply.stop], stop_sequence: null},
    usage: isSummary
      ? {input_tokens: 0, output_tokens: 0, iterations: [{type: 'compaction', ...usage, output_tokens}]}
      : {...usage, output_tokens, output_tokens_details: {thinking_tokens: reasoning_tokens}},
  };
  yield {type: 'message_stop'};
}

interface Block {
  readonly start: JsonObject;
  readonly deltas: readonly JsonObject[];
}

function blocks({reasoning, text, toolCalls, serial}: ServedReply): readonly Block[] {
  const thinking: Block = {
    start: {type: 'thinking', thinking: '', signature: ''},
    deltas: [
      ...pieces(reasoning).map((piece) => ({type: 'thinking_delta', thinking: piece})),
      {type: 'signature_delta', signature: signatureOf(reasoning)},
    ],
  };
  const words: Block = {start: {type: 'text', text: ''}, deltas: pieces(text).map((piece) => ({type: 'text_delta', text: piece}))};
  const calls = toolCalls.map(({name, arguments: json, id}, index) => ({
    start: {type: 'tool_use', id: id ?? `toolu_${serial}_${index + 1}`, name, input: {}},
    // The first delta is empty; a call without arguments has no other.
    deltas: ['', ...(json === '{}' ? [] : pieces(json))].map((piece) => ({type: 'input_json_delta', partial_json: piece})),
  }));
  return [...(reasoning === '' ? [] : [thinking]), ...(text === '' ? [] : [words]), ...calls];
}

/** In one piece, as the API sends it; without words none could be made. */
function summaryOf({text}: ServedReply): Block {
  const content = text === '' ? null : text;
  return {start: {type: 'compaction', content: null}, deltas: [{type: 'compaction_delta', content}]};
}

function inputUsage({usage}: ServedReply): JsonObject {
  return {
    input_tokens: usage.input_tokens - usage.cached_input_tokens - usage.cache_creation_tokens,
    cache_creation_input_tokens: usage.cache_creation_tokens,
    cache_read_input_tokens: usage.cached_input_tokens,
  };
}

const STOP_REASONS: Readonly<Record<StopReason, string>> = {
  end: 'end_turn',
  tool_calls: 'tool_use',
  max_tokens: 'max_tokens',
  refusal: 'refusal',
  other: 'pause_turn',
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
