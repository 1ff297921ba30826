import {isJsonObject, parseJson, type JsonObject} from '../../base/json.ts';
import type {RequestCompleted} from '../../protocol/events.ts';
import {callViews, textOf, transcriptOf, type CallView, type CompactionEntry, type Entry, type ReplyEntry} from './transcript.ts';
import type {LoggedEvent} from '../log-line.ts';

/**
 * The session as an ATIF-v1.7 trajectory (Harbor RFC 0001), JSON text: one user step for each user message, one agent step for each reply
 * with its reasoning, calls, results and metrics, one system step for each compaction. Unlike "vtcode architecture › traces" tells,
 * the prompts are in it, parallel calls of one reply stay together, and a call that was cut off still has a result.
 */
export function exportAtif(events: Iterable<LoggedEvent>): string {
  const {started, startedAt, entries, totals} = transcriptOf(events);
  const model = started?.model;
  const steps = entries.flatMap((entry) => stepOf(entry, model));
  if (steps.length === 0) steps.push({timestamp: startedAt, source: 'system', message: 'Nothing was said in this session.'});
  const {usage, costUsd} = totals;
  const trajectory: JsonObject = {
    schema_version: 'ATIF-v1.7',
    session_id: started?.thread_id,
    trajectory_id: started?.thread_id,
    agent: {
      name: 'fettle',
      version: started?.fettle_version ?? 'unknown',
      model_name: model,
      extra: {toolset: started?.toolset ?? 'unknown'},
    },
    steps: steps.map((step, index) => ({step_id: index + 1, ...step})),
    final_metrics: {
      total_prompt_tokens: usage.input_tokens,
      total_completion_tokens: usage.output_tokens,
      total_cached_tokens: usage.cached_input_tokens,
      ...(costUsd === null ? {} : {total_cost_usd: costUsd}),
      total_steps: steps.length,
      extra: {num_turns: totals.turns, num_requests: totals.requests, outcome: totals.outcome ?? 'none'},
    },
  };
  return `${JSON.stringify(trajectory, undefined, 2)}\n`;
}

function stepOf(entry: Entry, model: string | undefined): JsonObject[] {
  if (entry.kind === 'user') return [{timestamp: entry.ts, source: 'user', message: entry.text}];
  if (entry.kind === 'compaction') return [compactionStep(entry)];
  return entry.kind === 'reply' ? agentStep(entry, model) : [];
}

function agentStep({reply, request, ts}: ReplyEntry, model: string | undefined): JsonObject[] {
  const message = textOf(reply, 'agent_message');
  const reasoning = textOf(reply, 'reasoning');
  const calls = withUniqueIds(callViews(reply));
  if (message === '' && reasoning === '' && calls.length === 0 && request === undefined) return [];
  return [
    {
      timestamp: ts,
      source: 'agent',
      model_name: request?.model ?? model,
      message,
      ...(reasoning === '' ? {} : {reasoning_content: reasoning}),
      ...(calls.length === 0 ? {} : {tool_calls: calls.map(toolCall), observation: {results: calls.map(observed)}}),
      ...(request === undefined ? {} : {metrics: metricsOf(request)}),
      llm_call_count: 1,
      extra: {request_id: reply.requestId, ...(request === undefined ? {interrupted: true} : {stop_reason: request.stop_reason})},
    },
  ];
}

interface IdentifiedCall extends CallView {
  readonly id: string;
}

/** Call ids must differ in a step; where a provider repeated one, the id of the item stands in. */
function withUniqueIds(calls: readonly CallView[]): readonly IdentifiedCall[] {
  const seen = new Set<string>();
  return calls.map((view) => {
    const {tool_call_id: given, id: itemId} = view.call;
    const id = given === '' || seen.has(given) ? itemId : given;
    seen.add(id);
    return {...view, id};
  });
}

function toolCall({id, call}: IdentifiedCall): JsonObject {
  const parsed = parseJson(call.arguments);
  const common = {tool_call_id: id, function_name: call.tool_name};
  return isJsonObject(parsed) ? {...common, arguments: parsed} : {...common, arguments: {}, extra: {invalid_arguments: call.arguments}};
}

function observed({id, call, output, text, isError}: IdentifiedCall): JsonObject {
  const outcome = output === undefined ? 'interrupted' : (call.outcome ?? (isError ? 'error' : 'success'));
  const duration = call.duration_ms === undefined ? {} : {duration_ms: call.duration_ms};
  return {source_call_id: id, content: text, extra: {is_error: isError, outcome, ...duration}};
}

function metricsOf({usage, cost_usd: cost, duration_ms: duration, retries}: RequestCompleted): JsonObject {
  return {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    cached_tokens: Math.min(usage.cached_input_tokens, usage.input_tokens),
    ...(cost === null ? {} : {cost_usd: cost}),
    extra: {
      reasoning_tokens: usage.reasoning_tokens,
      cache_creation_tokens: usage.cache_creation_tokens,
      duration_ms: duration,
      retries,
    },
  };
}

function compactionStep({ts, text}: CompactionEntry): JsonObject {
  return {timestamp: ts, source: 'system', message: text, extra: {context_management: {type: 'compaction', boundary: 'replace'}}};
}
