import {isJsonObject, parseJson, type JsonObject} from '../../base/json.ts';
import type {StopReason} from '../../protocol/messages.ts';
import {callSignature, geminiProblems, textSignature} from './gemini-request.ts';
import {pieces, tokens, type ServedReply, type ServerWire} from './server-wire.ts';

/** Gemini, as `generativelanguage.googleapis.com` streams it: lines end with CR LF, every chunk has the usage. */
export const geminiServerWire: ServerWire = {
  format: 'gemini',
  problems: geminiProblems,
  events: (reply, {path, body}) =>
    [...chunks(reply, {modelVersion: modelOf(path), body})].map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`),
  error: (status, message) => ({error: {code: status, message, status: ERROR_STATES[status] ?? 'INTERNAL'}}),
};

function modelOf(path: string): string {
  return /models\/([^/:]+)/.exec(path)?.[1] ?? '';
}

function* chunks(reply: ServedReply, {modelVersion, body}: {modelVersion: string; body: JsonObject}): Generator<JsonObject> {
  const tail = {usageMetadata: usageOf(reply), modelVersion, responseId: `resp${reply.serial}`};
  if (reply.stop === 'refusal' && reply.text === '') {
    yield {promptFeedback: {blockReason: 'PROHIBITED_CONTENT'}, ...tail};
    return;
  }
  const parts = [...reply.toolCalls.entries()].map(([index, call]) => callPart(call, index === 0));
  const malformed = parts.includes(undefined);
  const candidate = (part: JsonObject): JsonObject => ({content: {parts: [part], role: 'model'}, index: 0});
  const config = body['generationConfig'];
  const asked = isJsonObject(config) && config['responseLogprobs'] === true;
  for (const text of pieces(reply.reasoning)) yield {candidates: [candidate({text, thought: true})], ...tail};
  for (const {text, logprobs} of tokens(reply.text, reply.logprobs)) {
    yield {candidates: [{...candidate({text}), ...(asked ? {logprobsResult: chosen(logprobs)} : {})}], ...tail};
  }
  for (const part of parts.filter((part) => part !== undefined)) yield {candidates: [candidate(part)], ...tail};
  // A reply without calls is signed on an empty part at its end.
  const last = parts.length > 0 ? {text: ''} : {text: '', thoughtSignature: textSignature('')};
  const finishReason = malformed ? 'MALFORMED_FUNCTION_CALL' : FINISH_REASONS[reply.stop];
  yield {candidates: [{content: {parts: [last], role: 'model'}, finishReason, index: 0}], ...tail};
}

function chosen(logprobs: readonly JsonObject[]): JsonObject {
  return {chosenCandidates: logprobs.map(({token, logprob}) => ({token, logProbability: logprob}))};
}

/**
 * Makes the part of a call; only the first of parallel calls is signed. Gemini never sends arguments that are not an object but reports a
 * malformed call.
 */
function callPart({id, name, arguments: json}: ServedReply['toolCalls'][number], first: boolean): JsonObject | undefined {
  const args = parseJson(json);
  if (!isJsonObject(args)) return undefined;
  const call = {functionCall: {name, args, ...(id === undefined ? {} : {id})}};
  return first ? {...call, thoughtSignature: callSignature(name, args)} : call;
}

function usageOf({usage}: ServedReply): JsonObject {
  return {
    promptTokenCount: usage.input_tokens,
    candidatesTokenCount: usage.output_tokens - usage.reasoning_tokens,
    totalTokenCount: usage.input_tokens + usage.output_tokens,
    ...(usage.cached_input_tokens === 0 ? {} : {cachedContentTokenCount: usage.cached_input_tokens}),
    ...(usage.reasoning_tokens === 0 ? {} : {thoughtsTokenCount: usage.reasoning_tokens}),
    promptTokensDetails: [{modality: 'TEXT', tokenCount: usage.input_tokens}],
  };
}

const FINISH_REASONS: Readonly<Record<StopReason, string>> = {
  end: 'STOP',
  tool_calls: 'STOP',
  max_tokens: 'MAX_TOKENS',
  refusal: 'SAFETY',
  other: 'OTHER',
};

const ERROR_STATES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
