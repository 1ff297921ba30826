import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import type {AssistantPart, StopReason} from '../../protocol/messages.ts';
import type {Usage} from '../../protocol/usage.ts';
import {listOf, numberOf, objectOf, stringOf} from '../json-fields.ts';
import {addLogprobs, withLogprobs} from '../logprobs.ts';
import {createCallLog, type CallLog} from './openai-chat-calls.ts';
import {createReasoningLog, type ReasoningLog} from './openai-chat-reasoning.ts';
import {BROKEN_REPLY, BROKEN_STREAM, eventObject, NOT_JSON, streamFailure, usageOf} from './openai-common.ts';
import type {DecodedReply, DecodeFailure, WireDecoder} from '../wire.ts';

/** Reads the chunks of a streamed completion; a whole completion in one piece is read too. `[DONE]` is not needed. */
export function createChatDecoder(makeCallId: () => string): WireDecoder {
  const state: State = {
    calls: createCallLog(makeCallId),
    reasoning: createReasoningLog(),
    text: '',
    logprobs: [],
    isRefusal: false,
    isDone: false,
    finishReason: '',
    usage: {},
    failure: undefined,
  };
  return {
    push({data}) {
      if (data.trim() === '[DONE]') state.isDone = true;
      if (state.isDone || data.trim() === '') return [];
      const chunk = eventObject(data);
      if (chunk === undefined) state.failure ??= NOT_JSON;
      return chunk === undefined ? [] : readChunk(state, chunk);
    },
    usage: () => (Object.keys(state.usage).length === 0 ? undefined : toUsage(state.usage)),
    finish() {
      if (state.failure !== undefined) return state.failure;
      if (state.finishReason === 'error') return BROKEN_REPLY;
      if (state.finishReason === WINDOW_EXCEEDED && isEmpty(state)) return NO_ROOM;
      return state.finishReason === '' && !state.isDone ? BROKEN_STREAM : toReply(state);
    },
  };
}

/** Z.ai: it reports a conversation that does not fit in no other way. */
const WINDOW_EXCEEDED = 'model_context_window_exceeded';
const NO_ROOM: DecodeFailure = {ok: false, message: `The server ended the reply with ${WINDOW_EXCEEDED}.`, retryable: false};

function isEmpty({text, calls}: State): boolean {
  return text === '' && calls.parts().length === 0;
}

type Shown = ReturnType<WireDecoder['push']>;

interface State {
  readonly calls: CallLog;
  readonly reasoning: ReasoningLog;
  text: string;
  readonly logprobs: number[];
  isRefusal: boolean;
  isDone: boolean;
  finishReason: string;
  usage: JsonObject;
  failure: DecodeFailure | undefined;
}

function readChunk(state: State, chunk: JsonObject): Shown {
  const error = chunk['error'] ?? (chunk['object'] === 'error' ? chunk : undefined);
  if (error !== undefined && error !== null) {
    state.failure ??= streamFailure(error);
    return [];
  }
  if (chunk['usage'] !== undefined && chunk['usage'] !== null) state.usage = objectOf(chunk['usage']);
  const choice = objectOf(listOf(chunk['choices']).find((other) => numberOf(objectOf(other)['index']) === 0));
  if (chunk['usage'] === undefined && isJsonObject(choice['usage'])) state.usage = choice['usage']; // Moonshot
  state.finishReason = stringOf(choice['finish_reason']) || state.finishReason;
  const {content, refusal} = objectOf(choice['logprobs']);
  addLogprobs(state.logprobs, content);
  addLogprobs(state.logprobs, refusal);
  return readDelta(state, objectOf(choice['delta'] ?? choice['message']));
}

function readDelta(state: State, delta: JsonObject): Shown {
  const thought = state.reasoning.add(delta);
  const refusal = stringOf(delta['refusal']);
  const text = contentText(delta['content']) + refusal;
  if (refusal !== '') state.isRefusal = true;
  state.text += text;
  return [
    ...(thought === '' ? [] : [{type: 'reasoning', delta: thought} as const]),
    ...(text === '' ? [] : [{type: 'text', delta: text} as const]),
    ...state.calls.add(delta['tool_calls']),
  ];
}

/** Text, or a list of chunks (Mistral). */
function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((chunk) => (objectOf(chunk)['type'] === 'text' ? stringOf(objectOf(chunk)['text']) : ''))
    .join('');
}

function toReply(state: State): DecodedReply {
  const reasoning = state.reasoning.part();
  const calls = state.calls.parts();
  const parts: AssistantPart[] = [
    ...(reasoning === undefined ? [] : [reasoning]),
    ...(state.text === '' ? [] : [{type: 'text', text: state.text} as const]),
    ...calls,
  ];
  const {usage} = state;
  return {
    ok: true,
    message: {role: 'assistant', parts},
    stopReason: stopReason(state, calls.length > 0),
    usage: toUsage(usage),
    ...withLogprobs(state.logprobs),
    // OpenRouter reports the cost, in US dollars.
    ...(typeof usage['cost'] === 'number' ? {costUsd: usage['cost']} : {}),
  };
}

function toUsage(usage: JsonObject): Usage {
  return usageOf(
    {total: usage['prompt_tokens'], details: usage['prompt_tokens_details'] ?? elsewhereCached(usage)},
    {total: usage['completion_tokens'], details: usage['completion_tokens_details']},
  );
}

/** DeepSeek · Moonshot, before they sent details. */
function elsewhereCached(usage: JsonObject): JsonObject {
  return {cached_tokens: usage['prompt_cache_hit_tokens'] ?? usage['cached_tokens']};
}

function stopReason({finishReason, isRefusal}: State, hasCalls: boolean): StopReason {
  if (finishReason === 'length' || finishReason === 'model_length' || finishReason === WINDOW_EXCEEDED) return 'max_tokens';
  if (finishReason === 'content_filter') return 'refusal';
  if (hasCalls) return 'tool_calls'; // some servers say `stop` here, some nothing
  if (isRefusal) return 'refusal';
  return finishReason === 'stop' ? 'end' : 'other';
}
