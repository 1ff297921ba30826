import {isJsonObject, parseJson, type Json, type JsonObject} from '../../base/json.ts';
import type {AssistantPart, StopReason} from '../../protocol/messages.ts';
import {addUsage, type Usage} from '../../protocol/usage.ts';
import {listOf, numberOf, objectOf, stringOf} from '../json-fields.ts';
import type {DecodedReply, DecodeFailure, WireDecoder, WireEvent} from '../wire.ts';

/** Reads the event stream of the Messages API; events and deltas of unknown types are ignored, as its versioning policy asks. */
export function createAnthropicDecoder(): WireDecoder {
  const state: State = {blocks: new Map(), usage: {}, stop: {}, toolCalls: 0, failure: undefined};
  return {
    push(event) {
      if (event.data === '[DONE]') return [];
      const data = parseJson(event.data);
      if (isJsonObject(data)) return read(state, stringOf(data['type']) || (event.event ?? ''), data);
      if (isReplyEvent(event)) state.failure ??= broken('The server sent an event that is not JSON.');
      return [];
    },
    usage: () => (Object.keys(state.usage).length === 0 ? undefined : toUsage(state.usage)),
    finish() {
      const reason = state.stop['stop_reason'];
      if (state.failure !== undefined) return state.failure;
      if (typeof reason !== 'string') return broken('The stream broke off before the reply was complete.');
      return {...toReply([...state.blocks.values()].flatMap(toPart), reason, toUsage(state.usage)), ...compactedIn(state)};
    },
  };
}

type Shown = ReturnType<WireDecoder['push']>;

interface State {
  readonly blocks: Map<number, Block>;
  usage: JsonObject;
  /** `stop_reason` and its explanation. */
  stop: JsonObject;
  toolCalls: number;
  failure: DecodeFailure | undefined;
}

/** One content block while it grows. `toolIndex` counts the tool calls of the reply, -1 for other blocks. */
interface Block {
  readonly start: JsonObject;
  readonly toolIndex: number;
  text: string;
  signature: string;
}

function read(state: State, type: string, data: JsonObject): Shown {
  switch (type) {
    case 'message_start':
      return readMessage(state, objectOf(data['message']));
    case 'message':
      return readMessage(state, data);
    case 'content_block_start':
      return startBlock(state, data);
    case 'content_block_delta':
      return growBlock(state, data);
    case 'message_delta':
      state.usage = {...state.usage, ...present(objectOf(data['usage']))};
      state.stop = {...state.stop, ...present(objectOf(data['delta']))};
      return explainRefusal(state);
    case 'message_stop':
      // The message is whole, even if a compatible server never said why it ended.
      state.stop = {stop_reason: 'end_turn', ...state.stop};
      return [];
    case 'error':
      state.failure ??= toFailure(objectOf(data['error']));
      return [];
    default:
      return [];
  }
}

/** The start of a message, mostly without content; or a whole one, of a server that does not stream. */
function readMessage(state: State, message: JsonObject): Shown {
  state.usage = {...state.usage, ...present(objectOf(message['usage']))};
  state.stop = {...state.stop, ...present({stop_reason: message['stop_reason'], stop_details: message['stop_details']})};
  return listOf(message['content']).flatMap((block, index) => startBlock(state, {index, content_block: block}));
}

function startBlock(state: State, data: JsonObject): Shown {
  const start = objectOf(data['content_block']);
  const toolIndex = start['type'] === 'tool_use' ? state.toolCalls++ : -1;
  const text = stringOf(start['text']) + stringOf(start['thinking']) + (start['type'] === 'compaction' ? stringOf(start['content']) : '');
  state.blocks.set(numberOf(data['index']), {start, toolIndex, text, signature: stringOf(start['signature'])});
  if (toolIndex < 0) return show(start['type'], text);
  return [{type: 'tool_call', index: toolIndex, id: stringOf(start['id']), name: stringOf(start['name'])}];
}

function growBlock(state: State, data: JsonObject): Shown {
  const block = state.blocks.get(numberOf(data['index']));
  const delta = objectOf(data['delta']);
  if (block === undefined) return [];
  if (delta['type'] === 'signature_delta') block.signature += stringOf(delta['signature']);
  const field = DELTA_FIELDS[stringOf(delta['type'])];
  if (field === undefined) return [];
  const text = stringOf(delta[field]);
  block.text += text;
  if (block.toolIndex < 0) return show(block.start['type'], text);
  return text === '' ? [] : [{type: 'tool_arguments', index: block.toolIndex, delta: text}];
}

const DELTA_FIELDS: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  input_json_delta: 'partial_json',
  compaction_delta: 'content',
};

function show(blockType: Json | undefined, delta: string): Shown {
  if (delta === '') return [];
  if (blockType === 'text') return [{type: 'text', delta}];
  return blockType === 'thinking' ? [{type: 'reasoning', delta}] : [];
}

/** The summary of a conversation; a block without content says that none could be made. */
function compactedIn({blocks}: State): Pick<DecodedReply, 'compacted'> {
  const summary = [...blocks.values()].find(({start, text}) => start['type'] === 'compaction' && text !== '')?.text;
  return summary === undefined ? {} : {compacted: {summary}};
}

/** Gives a refusal without text the reason of the API, if there is one. */
function explainRefusal({stop, blocks}: State): Shown {
  const text = stringOf(objectOf(stop['stop_details'])['explanation']);
  if (stop['stop_reason'] !== 'refusal' || text === '' || blocks.size > 0) return [];
  blocks.set(0, {start: {type: 'text'}, toolIndex: -1, text, signature: ''});
  return show('text', text);
}

/** False for pings and events of the future, whose data may be anything. */
function isReplyEvent({event}: WireEvent): boolean {
  return event === undefined || event === 'error' || event.startsWith('message_') || event.startsWith('content_block_');
}

function toPart({start, text, signature, toolIndex}: Block): readonly AssistantPart[] {
  if (toolIndex >= 0) {
    return [{type: 'tool_call', id: stringOf(start['id']), name: stringOf(start['name']), arguments: text || wholeInput(start)}];
  }
  switch (start['type']) {
    case 'text':
      return text === '' ? [] : [{type: 'text', text}];
    case 'thinking':
      return [{type: 'reasoning', text, native: {format: 'anthropic', data: {...start, thinking: text, signature}}}];
    case 'compaction':
      return [];
    case 'redacted_thinking':
      return [{type: 'reasoning', text: '', native: {format: 'anthropic', data: start}}];
    default:
      // Tools that the server runs itself, and blocks of the future: nothing to show, but they go back as they came.
      return [{type: 'reasoning', text: '', native: {format: 'anthropic', data: withInput(start, text)}}];
  }
}

/** The input of a tool of the server comes in deltas, like that of ours. */
function withInput(start: JsonObject, text: string): JsonObject {
  const input = text === '' ? undefined : parseJson(text);
  return input === undefined ? start : {...start, input};
}

/** Arguments come as deltas, none for a call without arguments; compatible servers may send them whole at the start. */
function wholeInput(start: JsonObject): string {
  return JSON.stringify(start['input'] ?? {});
}

function toReply(parts: readonly AssistantPart[], reason: string, usage: Usage): DecodedReply {
  const stopReason = STOP_REASONS[reason] ?? 'other';
  const calls = parts.some((part) => part.type === 'tool_call');
  return {ok: true, message: {role: 'assistant', parts}, stopReason: calls && stopReason === 'end' ? 'tool_calls' : stopReason, usage};
}

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool_calls',
  max_tokens: 'max_tokens',
  model_context_window_exceeded: 'max_tokens',
  refusal: 'refusal',
};

/** The counts are cumulative, the last ones count; `input_tokens` of this format excludes tokens read from and written to the cache. */
function toUsage(usage: JsonObject): Usage {
  const rounds = listOf(usage['iterations']).filter(isJsonObject);
  // The usage of a compaction is in its own iteration alone.
  const others = rounds.filter(({type}) => type === 'compaction').map(roundUsage);
  return others.reduce(addUsage, roundUsage(usage));
}

function roundUsage(usage: JsonObject): Usage {
  const cached = numberOf(usage['cache_read_input_tokens']);
  const created = numberOf(usage['cache_creation_input_tokens']);
  return {
    input_tokens: numberOf(usage['input_tokens']) + cached + created,
    cached_input_tokens: cached,
    cache_creation_tokens: created,
    output_tokens: numberOf(usage['output_tokens']),
    reasoning_tokens: numberOf(objectOf(usage['output_tokens_details'])['thinking_tokens']),
  };
}

function toFailure(error: JsonObject): DecodeFailure {
  const type = stringOf(error['type']) || 'error';
  return {ok: false, message: `${type}: ${stringOf(error['message']) || 'no details'}`, retryable: PASSING_ERRORS.has(type)};
}

const PASSING_ERRORS: ReadonlySet<string> = new Set(['overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error']);

function broken(message: string): DecodeFailure {
  return {ok: false, message, retryable: true};
}

function present(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null && field !== undefined));
}
