import type {JsonObject} from '../../base/json.ts';
import type {AssistantMessage, StopReason} from '../../protocol/messages.ts';
import type {Usage} from '../../protocol/usage.ts';
import {listOf, objectOf, stringOf} from '../json-fields.ts';
import {BROKEN_STREAM, eventObject, NOT_JSON, streamFailure, usageOf} from './openai-common.ts';
import {createItemLog, toPart, type ItemLog} from './openai-responses-items.ts';
import {createLogprobLog, withoutLogprobs, type LogprobLog} from './openai-responses-logprobs.ts';
import {withLogprobs} from '../logprobs.ts';
import type {DecodedReply, DecodeFailure, WireDecoder} from '../wire.ts';

/** Reads the event stream of one response; events of unknown types are ignored. A whole response in one piece is read too. */
export function createResponsesDecoder(): WireDecoder {
  const state: State = {items: createItemLog(), logprobs: createLogprobLog(), response: undefined, usage: undefined, failure: undefined};
  return {
    push({event, data}) {
      if (data.trim() === '[DONE]' || data.trim() === '') return [];
      const body = eventObject(data);
      if (body === undefined) state.failure ??= NOT_JSON;
      if (body === undefined) return [];
      const type = stringOf(body['type']) || (event ?? '');
      if (BEGINS.has(type)) state.usage ??= {};
      return readEvent(state, type, body);
    },
    usage: () => (state.usage === undefined ? undefined : toUsage(state.usage)),
    finish() {
      if (state.failure !== undefined) return state.failure;
      return state.response === undefined ? BROKEN_STREAM : toReply(state, state.response);
    },
  };
}

type Shown = ReturnType<WireDecoder['push']>;

interface State {
  readonly items: ItemLog;
  readonly logprobs: LogprobLog;
  /** The response object of the event that ended the stream. */
  response: JsonObject | undefined;
  /** Empty from the moment when the server works on the response, until it reports some. */
  usage: JsonObject | undefined;
  failure: DecodeFailure | undefined;
}

function readEvent(state: State, type: string, event: JsonObject): Shown {
  if (ENDS.has(type)) return endResponse(state, objectOf(event['response']));
  switch (type) {
    case 'error':
      state.failure ??= streamFailure(event['error'] ?? {code: event['code'], message: event['message']});
      return [];
    case '':
      if (event['object'] === 'response' || event['object'] === COMPACTION) return endResponse(state, event);
      if (event['error'] !== undefined && event['error'] !== null) state.failure ??= streamFailure(event['error']);
      return [];
    default:
      state.logprobs.read(type, event);
      return state.items.read(type, event);
  }
}

/** The object that a conversation was shortened to. */
const COMPACTION = 'response.compaction';

/** From here on the server works on the response, and it is paid for. */
const BEGINS: ReadonlySet<string> = new Set(['response.created', 'response.in_progress']);

/** `response.done` is the name in some compatible servers. */
const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed', 'response.done']);

function endResponse(state: State, response: JsonObject): Shown {
  const status = stringOf(response['status']);
  const usage = objectOf(response['usage']);
  // A refused response, for its rate perhaps, costs nothing unless the server reports usage.
  state.usage = status === 'failed' && Object.keys(usage).length === 0 ? undefined : usage;
  if (status === 'failed' || status === 'cancelled') {
    state.failure ??= streamFailure(response['error'] ?? {message: `The response was ${status}.`});
    return [];
  }
  state.response = response;
  return state.items.complete(listOf(response['output']));
}

function toReply({items, logprobs}: State, response: JsonObject): DecodedReply {
  const parts = items.items().map((item) => toPart(withoutLogprobs(item)));
  const refused = items.items().some((item) => listOf(item['content']).some((piece) => objectOf(piece)['type'] === 'refusal'));
  const hasCalls = parts.some((part) => part.type === 'tool_call');
  const message: AssistantMessage = {role: 'assistant', parts};
  return {
    ok: true,
    ...(isCompaction(items.items(), response) ? {compacted: {window: message}} : {}),
    message,
    stopReason: incompleteReason(response) ?? (hasCalls ? 'tool_calls' : refused ? 'refusal' : 'end'),
    usage: toUsage(objectOf(response['usage'])),
    ...withLogprobs(logprobs.reported(items.items())),
  };
}

function toUsage(usage: JsonObject): Usage {
  return usageOf(
    {total: usage['input_tokens'], details: usage['input_tokens_details']},
    {total: usage['output_tokens'], details: usage['output_tokens_details']},
  );
}

/** Without an item that contains the conversation, nothing was compacted. */
function isCompaction(items: readonly JsonObject[], response: JsonObject): boolean {
  return response['object'] === COMPACTION && items.some(({type}) => type === 'compaction');
}

function incompleteReason(response: JsonObject): StopReason | undefined {
  if (response['status'] !== 'incomplete') return undefined;
  const reason = stringOf(objectOf(response['incomplete_details'])['reason']);
  if (reason === 'max_output_tokens') return 'max_tokens';
  return reason === 'content_filter' ? 'refusal' : 'other';
}
