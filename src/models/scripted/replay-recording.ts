import {readFile} from 'node:fs/promises';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {isJsonObject, parseJson, type JsonObject} from '../../base/json.ts';
import {ItemCompleted, ItemStarted} from '../../protocol/events.ts';
import {RequestCompleted} from '../../protocol/request-events.ts';
import type {ThreadItem} from '../../protocol/items.ts';
import type {AssistantPart, NativePart, StopReason} from '../../protocol/messages.ts';
import type {ModelReply} from '../provider.ts';

/** One recorded request: the messages of people since the reply before, and its answer. */
export interface ReplayStep {
  readonly texts: readonly string[];
  readonly reply: ModelReply;
  /** The history was compacted since the reply before. */
  readonly compacted: boolean;
}

/**
 * Reads the recorded replies from the event log of a session: lines `{"v":1,"event":…}`. Items of one reply share `request_id` and keep
 * the order in which they began; `request.completed` makes them a reply, what was never completed is void. Throws CONFIG.
 */
export async function readRecording(file: string): Promise<readonly ReplayStep[]> {
  const lines = (await read(file)).split('\n');
  const log: Log = {items: new Map(), completed: [], open: undefined, pending: emptyInput()};
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const problem = readLine(log, line);
    const cutOff = index === lines.length - 1;
    if (problem !== undefined && !cutOff) throw bad(`${file}:${index + 1}: ${problem}`);
  }
  if (log.completed.length === 0) throw bad(`${file}: no reply is recorded here.`);
  return log.completed.map((request) => toStep(request, [...(log.items.get(request.event.request_id)?.values() ?? [])]));
}

interface Input {
  readonly texts: string[];
  compacted: boolean;
}

interface Completed {
  readonly event: RequestCompleted;
  readonly input: Input;
}

interface Log {
  /** Items of each request by id, in the order in which they began. */
  readonly items: Map<string, Map<string, ThreadItem>>;
  readonly completed: Completed[];
  /** The request that is being answered; its input was closed when its first item began. */
  open: {readonly id: string; readonly input: Input} | undefined;
  pending: Input;
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw bad(`The recording ${file} cannot be read: ${toFettleError(error).message}`);
  }
}

function bad(message: string): FettleError {
  return new FettleError({code: 'CONFIG', message, hint: 'A recording is the event log of a session.'});
}

/** Returns the problem of the line. The last line of a log may be cut off by a crash. */
function readLine(log: Log, line: string): string | undefined {
  const record = parseJson(line);
  if (!isJsonObject(record) || record['v'] !== 1 || !isJsonObject(record['event'])) return 'not a line of an event log, version 1.';
  const event = record['event'];
  switch (event['type']) {
    case 'item.started':
    case 'item.completed':
      return readItem(log, event);
    case 'request.completed':
      return readRequest(log, event);
    case 'thread.compact_boundary':
      log.pending.compacted = true;
      return undefined;
    default:
      return undefined;
  }
}

function readItem(log: Log, event: JsonObject): string | undefined {
  const type = isJsonObject(event['item']) ? event['item']['type'] : undefined;
  if (typeof type !== 'string' || !REPLAYED.has(type)) return undefined;
  const started = event['type'] === 'item.started';
  const parsed = (started ? ItemStarted : ItemCompleted).safeParse(event);
  if (!parsed.success) return `the ${type} item does not fit the schema.`;
  const {item} = parsed.data;
  if (!started && item.type === 'user_message') log.pending.texts.push(item.text);
  else if (item.request_id !== undefined) addReplyItem(log, item.request_id, item);
  return undefined;
}

const REPLAYED: ReadonlySet<string> = new Set(['user_message', 'agent_message', 'reasoning', 'tool_invocation']);

function addReplyItem(log: Log, id: string, item: ThreadItem): void {
  const items = log.items.get(id);
  if (items !== undefined) {
    items.set(item.id, item);
    return;
  }
  log.items.set(id, new Map([[item.id, item]]));
  log.open = {id, input: merge(log.open?.input, log.pending)};
  log.pending = emptyInput();
}

function readRequest(log: Log, event: JsonObject): string | undefined {
  const parsed = RequestCompleted.safeParse(event);
  if (!parsed.success) return 'the request.completed event does not fit the schema.';
  const answered = log.open?.id === parsed.data.request_id;
  log.completed.push({
    event: parsed.data,
    input: answered && log.open !== undefined ? log.open.input : merge(log.open?.input, log.pending),
  });
  if (!answered) log.pending = emptyInput();
  log.open = undefined;
  return undefined;
}

/** The input of a request that was abandoned belongs to the next one. */
function merge(earlier: Input | undefined, later: Input): Input {
  if (earlier === undefined) return later;
  return {texts: [...earlier.texts, ...later.texts], compacted: earlier.compacted || later.compacted};
}

function emptyInput(): Input {
  return {texts: [], compacted: false};
}

function toStep({event, input}: Completed, items: readonly ThreadItem[]): ReplayStep {
  return {
    texts: input.texts,
    compacted: input.compacted,
    reply: {
      message: {role: 'assistant', parts: items.flatMap(toPart)},
      stopReason: STOP_REASONS.find((reason) => reason === event.stop_reason) ?? 'other',
      usage: event.usage,
      costUsd: event.cost_usd,
      retries: event.retries,
      ...(event.logprobs === undefined ? {} : {logprobs: event.logprobs}),
      ...(event.temperature === undefined ? {} : {temperature: event.temperature}),
    },
  };
}

const STOP_REASONS: readonly StopReason[] = ['end', 'tool_calls', 'max_tokens', 'refusal', 'other'];

function toPart(item: ThreadItem): readonly AssistantPart[] {
  const native = 'native' in item ? (item.native as NativePart | undefined) : undefined;
  const own = native === undefined ? {} : {native};
  if (item.type === 'agent_message') return [{type: 'text', text: item.text, ...own}];
  if (item.type === 'reasoning') return [{type: 'reasoning', text: item.text, ...own}];
  if (item.type !== 'tool_invocation') return [];
  return [{type: 'tool_call', id: item.tool_call_id, name: item.tool_name, arguments: item.arguments, ...own}];
}
