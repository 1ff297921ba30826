import type {JsonObject} from '../../base/json.ts';
import type {AgentMessageItem, ReasoningItem, ToolInvocationItem} from '../../protocol/items.ts';
import {addUsage, NO_USAGE, type Usage} from '../../protocol/usage.ts';
import {knownItems, type ReplyItem} from '../reply.ts';
import type {LoggedEvent} from '../log-line.ts';
import {callViews, transcriptOf, type Entry, type ReplyEntry, type TurnEndEntry} from './transcript.ts';

/**
 * The session as Open Responses objects (specification 2026-04-24), JSONL: one completed, failed or incomplete Response for each turn, chained by
 * `previous_response_id`. `output` holds all items of the turn in order, its user messages and tool outputs among them.
 */
export function exportOpenResponses(events: Iterable<LoggedEvent>): string {
  const {started, startedAt, entries} = transcriptOf(events);
  const common = {model: started?.model ?? 'unknown', threadId: started?.thread_id ?? 'unknown'};
  let previous: string | null = null;
  let lines = '';
  for (const turn of turnsOf(entries, startedAt ?? new Date(0).toISOString())) {
    const response = responseOf(turn, {...common, previous});
    previous = `resp_${turn.id}`;
    lines += `${JSON.stringify(response)}\n`;
  }
  return lines;
}

interface Turn {
  readonly id: string;
  readonly startedAt: string;
  readonly entries: Entry[];
  end: TurnEndEntry | undefined;
}

function turnsOf(entries: readonly Entry[], startedAt: string): readonly Turn[] {
  const turns: Turn[] = [];
  let turn: Turn = {id: 'before', startedAt, entries: [], end: undefined};
  for (const entry of entries) {
    if (entry.kind === 'turn') {
      turn = {id: entry.turnId, startedAt: entry.ts, entries: [], end: undefined};
      turns.push(turn);
    } else if (entry.kind === 'turn_end') turn.end = entry;
    else turn.entries.push(entry);
  }
  return turns;
}

interface ResponseContext {
  readonly model: string;
  readonly threadId: string;
  readonly previous: string | null;
}

function responseOf(turn: Turn, {model, threadId, previous}: ResponseContext): JsonObject {
  const requests = turn.entries.flatMap((entry) => (entry.kind === 'reply' && entry.request !== undefined ? [entry.request] : []));
  return {
    id: `resp_${turn.id}`,
    object: 'response',
    created_at: unixSeconds(turn.startedAt),
    completed_at: turn.end?.event.type === 'turn.completed' ? unixSeconds(turn.end.ts) : null,
    ...statusOf(turn.end),
    model: requests.at(-1)?.model ?? model,
    previous_response_id: previous,
    output: turn.entries.flatMap(itemsOf),
    usage: usageOf(requests.reduce((sum, {usage}) => addUsage(sum, usage), NO_USAGE)),
    metadata: {thread_id: threadId, turn_id: turn.id},
    ...UNSAID,
  };
}

/** Required by the schema, and nothing that a session log tells. */
const UNSAID = {
  instructions: null,
  tools: [],
  tool_choice: 'auto',
  truncation: 'disabled',
  parallel_tool_calls: true,
  text: {format: {type: 'text'}},
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  top_logprobs: 0,
  temperature: 1,
  reasoning: null,
  max_output_tokens: null,
  max_tool_calls: null,
  store: false,
  background: false,
  service_tier: 'default',
  safety_identifier: null,
  prompt_cache_key: null,
};

function statusOf(end: TurnEndEntry | undefined): JsonObject {
  if (end === undefined) return {status: 'incomplete', incomplete_details: {reason: 'interrupted'}, error: null};
  if (end.event.type === 'turn.completed') return {status: 'completed', incomplete_details: null, error: null};
  const {outcome_code: code, message} = end.event;
  if (code === 'cancelled' || code.endsWith('_limit_reached')) {
    return {status: 'incomplete', incomplete_details: {reason: code}, error: null};
  }
  return {status: 'failed', incomplete_details: null, error: {code, message}};
}

function itemsOf(entry: Entry): readonly JsonObject[] {
  if (entry.kind === 'user') {
    return [{type: 'message', id: entry.id, status: 'completed', role: 'user', content: [{type: 'input_text', text: entry.text}]}];
  }
  return entry.kind === 'reply' ? [...replyItems(entry), ...outputItems(entry)] : [];
}

function replyItems({reply, request}: ReplyEntry): readonly JsonObject[] {
  const items = knownItems(reply);
  const phase = items.some((item) => item.type === 'tool_invocation') ? 'commentary' : 'final_answer';
  const status = request === undefined ? 'incomplete' : 'completed';
  return items.map((item) => itemOf(item, phase, status));
}

function itemOf(item: ReplyItem, phase: string, status: string): JsonObject {
  if (item.type === 'tool_invocation') return functionCall(item, status);
  return item.type === 'reasoning' ? reasoning(item) : message(item, phase, status);
}

function functionCall(item: ToolInvocationItem, status: string): JsonObject {
  return {type: 'function_call', id: item.id, call_id: item.tool_call_id, name: item.tool_name, arguments: item.arguments, status};
}

function reasoning({id, text}: ReasoningItem): JsonObject {
  return {type: 'reasoning', id, summary: [], content: [{type: 'reasoning_text', text}]};
}

function message({id, text}: AgentMessageItem, phase: string, status: string): JsonObject {
  const content = [{type: 'output_text', text, annotations: [], logprobs: []}];
  return {type: 'message', id, status, role: 'assistant', phase, content};
}

function outputItems({reply}: ReplyEntry): readonly JsonObject[] {
  return callViews(reply).map(({call, output, text}) => ({
    type: 'function_call_output',
    id: `${call.id}:output`,
    call_id: call.tool_call_id,
    output: text,
    status: output === undefined ? 'incomplete' : 'completed',
  }));
}

function usageOf(usage: Usage): JsonObject {
  return {
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    total_tokens: usage.input_tokens + usage.output_tokens,
    input_tokens_details: {cached_tokens: usage.cached_input_tokens},
    output_tokens_details: {reasoning_tokens: usage.reasoning_tokens},
  };
}

function unixSeconds(ts: string): number {
  return Math.floor(Date.parse(ts) / 1000);
}
