import {isJsonObject, type JsonObject} from '../../base/json.ts';
import type {StopReason} from '../../protocol/messages.ts';
import {chatProblems} from './chat-request.ts';
import {CREATED_AT, pieces, tokens, type ServedReply, type ServerWire} from './server-wire.ts';

/** OpenAI Chat Completions, with `reasoning_content` as DeepSeek, vLLM and llama.cpp send it. */
export const chatWire: ServerWire = {
  format: 'openai-chat',
  problems: chatProblems,
  events: (reply, {body}) => [...[...chunks(reply, body)].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'],
  error: (status, message) => ({error: {message, type: ERROR_TYPES[status] ?? 'server_error', param: null, code: null}}),
};

function* chunks(reply: ServedReply, body: JsonObject): Generator<JsonObject> {
  const options = body['stream_options'];
  const withUsage = isJsonObject(options) && options['include_usage'] === true;
  const head = {id: `chatcmpl-${reply.serial}`, object: 'chat.completion.chunk', created: CREATED_AT, model: body['model']};
  const tail = withUsage ? {usage: null} : {};
  const chunk = (delta: JsonObject, finish: string | null = null, logprobs: JsonObject | null = null): JsonObject => {
    return {...head, choices: [{index: 0, delta, logprobs, finish_reason: finish}], ...tail};
  };
  const asked = body['logprobs'] === true;
  yield chunk({role: 'assistant', content: reply.text === '' ? null : ''});
  for (const piece of pieces(reply.reasoning)) yield chunk({reasoning_content: piece});
  for (const {text, logprobs} of tokens(reply.text, reply.logprobs)) {
    yield chunk({content: text}, null, asked ? {content: logprobs, refusal: null} : null);
  }
  for (const [index, {id, name, arguments: json}] of reply.toolCalls.entries()) {
    const call = {index, id: id ?? `call_${reply.serial}_${index + 1}`, type: 'function', function: {name, arguments: ''}};
    yield chunk({tool_calls: [call]});
    for (const piece of pieces(json)) yield chunk({tool_calls: [{index, function: {arguments: piece}}]});
  }
  yield chunk({}, FINISH_REASONS[reply.stop]);
  if (withUsage) yield {...head, choices: [], usage: usageOf(reply)};
}

function usageOf({usage}: ServedReply): JsonObject {
  return {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    total_tokens: usage.input_tokens + usage.output_tokens,
    prompt_tokens_details: {cached_tokens: usage.cached_input_tokens, audio_tokens: 0},
    completion_tokens_details: {reasoning_tokens: usage.reasoning_tokens, audio_tokens: 0},
  };
}

const FINISH_REASONS: Readonly<Record<StopReason, string>> = {
  end: 'stop',
  tool_calls: 'tool_calls',
  max_tokens: 'length',
  refusal: 'content_filter',
  other: 'other',
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'invalid_request_error',
  404: 'invalid_request_error',
  429: 'rate_limit_exceeded',
};
