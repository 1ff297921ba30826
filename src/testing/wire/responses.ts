import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import {messageEvents, callEvents, reasoningEvents, type OutputItem} from './responses-items.ts';
import {isCompaction, responsesProblems} from './responses-request.ts';
import {encryptedOf} from './signature.ts';
import {CREATED_AT, type NamedEvent, type ServedReply, type ServerWire} from './server-wire.ts';

/** OpenAI Responses, in the event grammar of Open Responses 2026-04-24. */
export const responsesServerWire: ServerWire = {
  format: 'openai-responses',
  problems: responsesProblems,
  events: (reply, {body}) => [
    ...[...events(reply, body)].map((event, sequence_number) => {
      return `event: ${event.type}\ndata: ${JSON.stringify({...event, sequence_number})}\n\n`;
    }),
    'data: [DONE]\n\n',
  ],
  whole: (reply, request) => (isCompaction(request) ? compaction(reply, request.body) : undefined),
  error: (status, message) => ({error: {message, type: ERROR_TYPES[status] ?? 'server_error', param: null, code: null}}),
};

function* events(reply: ServedReply, body: JsonObject): Generator<NamedEvent> {
  const begun = resource(reply, body);
  yield {type: 'response.created', response: begun};
  yield {type: 'response.in_progress', response: begun};
  const items = outputItems(reply, body);
  for (const {events: itemEvents} of items) yield* itemEvents;
  const output = items.map(({item}) => item);
  const end = {output, usage: usageOf(reply)};
  const reason = INCOMPLETE[reply.stop];
  if (reason === undefined) {
    yield {type: 'response.completed', response: {...begun, ...end, status: 'completed', completed_at: CREATED_AT + 1}};
  } else {
    yield {type: 'response.incomplete', response: {...begun, ...end, status: 'incomplete', incomplete_details: {reason}}};
  }
}

function outputItems(reply: ServedReply, body: JsonObject): readonly OutputItem[] {
  const {serial, reasoning, text, toolCalls, stop} = reply;
  const include = Array.isArray(body['include']) ? body['include'] : [];
  const encrypted = include.includes('reasoning.encrypted_content');
  const logprobs = include.includes('message.output_text.logprobs') ? reply.logprobs : [];
  const makers: ((index: number) => OutputItem)[] = [];
  if (reasoning !== '') makers.push((index) => reasoningEvents(reasoning, {index, id: `rs_${serial}`, encrypted}));
  if (text !== '') makers.push((index) => messageEvents(text, {index, id: `msg_${serial}`, refusal: stop === 'refusal', logprobs}));
  for (const [at, call] of toolCalls.entries()) {
    const callId = call.id ?? `call_${serial}_${at + 1}`;
    makers.push((index) => callEvents(call, {index, id: `fc_${serial}_${at + 1}`, callId}));
  }
  return makers.map((make, index) => make(index));
}

const INCOMPLETE: Readonly<Partial<Record<ServedReply['stop'], string>>> = {max_tokens: 'max_output_tokens', other: 'other'};

/** All keys that the specification requires, with the values of the request. */
function resource(reply: ServedReply, body: JsonObject): JsonObject {
  const asked = (key: string, otherwise: Json): Json => body[key] ?? otherwise;
  return {
    id: `resp_${reply.serial}`,
    object: 'response',
    created_at: CREATED_AT,
    completed_at: null,
    status: 'in_progress',
    incomplete_details: null,
    model: asked('model', null),
    previous_response_id: null,
    instructions: asked('instructions', null),
    output: [],
    error: null,
    tools: asked('tools', []),
    tool_choice: asked('tool_choice', 'auto'),
    truncation: 'disabled',
    parallel_tool_calls: asked('parallel_tool_calls', true),
    text: asked('text', {format: {type: 'text'}}),
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    top_logprobs: 0,
    temperature: 1,
    reasoning: asked('reasoning', null),
    usage: null,
    max_output_tokens: asked('max_output_tokens', null),
    max_tool_calls: null,
    store: asked('store', true),
    background: false,
    service_tier: 'default',
    metadata: {},
    safety_identifier: null,
    prompt_cache_key: asked('prompt_cache_key', null),
  };
}

/** All messages of the person, then one item that represents the rest: the text of the reply. */
function compaction(reply: ServedReply, {input}: JsonObject): JsonObject {
  const said = Array.isArray(input) ? input.filter((item) => isJsonObject(item) && item['role'] === 'user') : [];
  const item = {id: `cmp_${reply.serial}`, type: 'compaction', encrypted_content: encryptedOf(reply.text)};
  return {
    id: `resp_${reply.serial}`,
    object: 'response.compaction',
    created_at: CREATED_AT,
    output: reply.text === '' ? said : [...said, item],
    usage: usageOf(reply),
  };
}

function usageOf({usage}: ServedReply): JsonObject {
  return {
    input_tokens: usage.input_tokens,
    input_tokens_details: {cached_tokens: usage.cached_input_tokens},
    output_tokens: usage.output_tokens,
    output_tokens_details: {reasoning_tokens: usage.reasoning_tokens},
    total_tokens: usage.input_tokens + usage.output_tokens,
  };
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'invalid_request_error',
  404: 'not_found',
  429: 'too_many_requests',
};
