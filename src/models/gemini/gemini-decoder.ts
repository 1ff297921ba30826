import {newId} from '../../base/ids.ts';
import {isJsonObject, parseJson, type JsonObject} from '../../base/json.ts';
import type {AssistantPart, NativePart, StopReason} from '../../protocol/messages.ts';
import type {Usage} from '../../protocol/usage.ts';
import {listOf, numberOf, objectOf, stringOf} from '../json-fields.ts';
import {addLogprobs, withLogprobs} from '../logprobs.ts';
import type {DecodeFailure, DecodedReply, WireDecoder} from '../wire.ts';

/** Prefix of the ids made here for function calls that came without one. */
export const MADE_ID = 'gem_';

/** Reads the chunks of `streamGenerateContent`. Chunks of text without other fields are one part; a part with a signature stays alone. */
export function createGeminiDecoder(): WireDecoder {
  const state: State = {parts: [], logprobs: [], toolCalls: 0, usage: {}, finish: '', finishMessage: '', blocked: '', failure: undefined};
  return {
    push({data}) {
      if (data === '[DONE]') return [];
      const json = parseJson(data);
      // A gateway that ignores `alt=sse` answers with one list of all chunks.
      const chunks = Array.isArray(json) ? json : [json];
      if (chunks.every(isJsonObject)) return chunks.flatMap((chunk) => read(state, chunk));
      state.failure ??= broken('The server sent an event that is not JSON.');
      return [];
    },
    usage: () => (Object.keys(state.usage).length === 0 ? undefined : toUsage(state.usage)),
    finish: () => conclude(state),
  };
}

type Shown = ReturnType<WireDecoder['push']>;

interface State {
  readonly parts: AssistantPart[];
  readonly logprobs: number[];
  toolCalls: number;
  usage: JsonObject;
  finish: string;
  finishMessage: string;
  /** The reason why the prompt was not answered. */
  blocked: string;
  failure: DecodeFailure | undefined;
}

function read(state: State, chunk: JsonObject): Shown {
  if (chunk['error'] !== undefined) state.failure ??= toFailure(objectOf(chunk['error']));
  state.usage = {...state.usage, ...objectOf(chunk['usageMetadata'])};
  const candidate = objectOf(listOf(chunk['candidates'])[0]);
  state.finish = stringOf(candidate['finishReason']) || state.finish;
  state.finishMessage = stringOf(candidate['finishMessage']) || state.finishMessage;
  addLogprobs(state.logprobs, objectOf(candidate['logprobsResult'])['chosenCandidates'], 'logProbability');
  const parts = listOf(objectOf(candidate['content'])['parts']).filter(isJsonObject);
  const shown = parts.flatMap((part) => readPart(state, part, stringOf(chunk['responseId'])));
  return [...shown, ...readBlock(state, objectOf(chunk['promptFeedback']))];
}

function readPart(state: State, part: JsonObject, responseId: string): Shown {
  const {text, functionCall, ...rest} = part;
  if (isJsonObject(functionCall)) return readCall(state, {call: functionCall, rest, responseId});
  if (typeof text !== 'string' && rest['thoughtSignature'] === undefined) return [];
  const delta = stringOf(text);
  const type = rest['thought'] === true ? 'reasoning' : 'text';
  addText(state.parts, {type, text: delta, native: toNative(rest)});
  return delta === '' ? [] : [{type, delta}];
}

/** Not a field of the API: the name that a signature belongs to. */
export const SIGNED_NAME = 'fettle_signed_name';

function readCall(state: State, {call, rest, responseId}: {call: JsonObject; rest: JsonObject; responseId: string}): Shown {
  const index = state.toolCalls++;
  const id = stringOf(call['id']) || (responseId === '' ? newId('gem') : `${MADE_ID}${responseId}_${index}`);
  const name = stringOf(call['name']);
  const args = JSON.stringify(call['args'] ?? {});
  // A stored call has the name that it was resolved to; the signature is for this one.
  const signed = rest['thoughtSignature'] === undefined ? rest : {...rest, [SIGNED_NAME]: name};
  state.parts.push({type: 'tool_call', id, name, arguments: args, native: toNative(signed)});
  return [
    {type: 'tool_call', index, id, name},
    {type: 'tool_arguments', index, delta: args},
  ];
}

type Words = Extract<AssistantPart, {type: 'text' | 'reasoning'}>;

function addText(parts: AssistantPart[], next: Words): void {
  const last = parts.at(-1);
  if (last?.type === next.type && isUnsigned(last) && isUnsigned(next)) {
    parts[parts.length - 1] = {...last, text: last.text + next.text};
  } else if (next.text !== '' || next.native !== undefined) {
    parts.push(next);
  }
}

function isUnsigned({native}: Words): boolean {
  return Object.keys(objectOf(native?.data)).every((key) => key === 'thought');
}

/** All fields of a part that have no place of their own. */
function toNative(rest: JsonObject): NativePart | undefined {
  return Object.keys(rest).length === 0 ? undefined : {format: 'gemini', data: rest};
}

function readBlock(state: State, feedback: JsonObject): Shown {
  const reason = stringOf(feedback['blockReason']);
  if (reason === '' || state.blocked !== '') return [];
  state.blocked = reason;
  const text = `The prompt was blocked: ${stringOf(feedback['blockReasonMessage']) || reason}.`;
  state.parts.push({type: 'text', text});
  return [{type: 'text', delta: text}];
}

function conclude(state: State): DecodedReply | DecodeFailure {
  if (state.failure !== undefined) return state.failure;
  if (state.blocked === '' && state.finish === '') return broken('The stream broke off before the reply was complete.');
  if (FAILED_REPLIES.has(state.finish)) return broken(`The model failed to write a reply: ${state.finishMessage || state.finish}.`);
  const calls = state.parts.some((part) => part.type === 'tool_call');
  const stopReason = state.blocked === '' ? (STOP_REASONS[state.finish] ?? 'other') : 'refusal';
  return {
    ok: true,
    message: {role: 'assistant', parts: state.parts},
    stopReason: calls && stopReason === 'end' ? 'tool_calls' : stopReason,
    usage: toUsage(state.usage),
    ...withLogprobs(state.logprobs),
  };
}

/** The model wrote something that is not a reply; a second attempt usually succeeds. */
const FAILED_REPLIES: ReadonlySet<string> = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'MALFORMED_RESPONSE']);

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  STOP: 'end',
  MAX_TOKENS: 'max_tokens',
  SAFETY: 'refusal',
  RECITATION: 'refusal',
  BLOCKLIST: 'refusal',
  PROHIBITED_CONTENT: 'refusal',
  SPII: 'refusal',
  LANGUAGE: 'refusal',
};

/** `promptTokenCount` includes the cached tokens; thoughts are counted apart from the candidate and paid as output. */
function toUsage(usage: JsonObject): Usage {
  const thoughts = numberOf(usage['thoughtsTokenCount']);
  return {
    input_tokens: numberOf(usage['promptTokenCount']) + numberOf(usage['toolUsePromptTokenCount']),
    cached_input_tokens: numberOf(usage['cachedContentTokenCount']),
    cache_creation_tokens: 0,
    output_tokens: numberOf(usage['candidatesTokenCount']) + thoughts,
    reasoning_tokens: thoughts,
  };
}

function toFailure(error: JsonObject): DecodeFailure {
  const code = numberOf(error['code']);
  const message = `${stringOf(error['status']) || code}: ${stringOf(error['message']) || 'no details'}`;
  return {ok: false, message, retryable: code === 429 || code >= 500};
}

function broken(message: string): DecodeFailure {
  return {ok: false, message, retryable: true};
}
