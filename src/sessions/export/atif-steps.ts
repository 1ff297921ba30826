import {isJsonObject, parseJson, type JsonObject} from '../../base/json.ts';
import type {ThreadFrame} from '../../protocol/events.ts';
import type {RequestCompleted} from '../../protocol/request-events.ts';
import {contextSteps, frameSteps} from './atif-context.ts';
import {callViews, entryText, type CallView, type TranscriptEntry, type ReplyEntry, type Transcript} from './transcript.ts';
import {wholeCount} from './whole-count.ts';

/** Ids of the embedded trajectories that the call with this item id started. */
type SubagentsOf = (callItemId: string) => readonly string[];

/**
 * The steps of a trajectory without their numbers, the system prompt first. What the model no longer sees, because the conversation was
 * rewound, is marked.
 */
export function stepsOf({entries, started, startedAt}: Transcript, subagentsOf: SubagentsOf): JsonObject[] {
  const context = {model: started?.model, subagentsOf};
  let frame: ThreadFrame | undefined;
  const first: JsonObject[] = [];
  const steps = entries.flatMap((entry) => {
    if (entry.kind === 'frame') {
      const timed = frameSteps(entry.frame, frame).map((step) => ({...isoTime(frame === undefined ? startedAt : entry.ts), ...step}));
      if (frame === undefined) first.push(...timed);
      const isFirst = frame === undefined;
      frame = entry.frame;
      return isFirst ? [] : timed;
    }
    return stepOf(entry, context).map((step) => (entry.rewound === true ? marked(step) : step));
  });
  return [...first, ...steps];
}

/** Returns the time if it is valid (ISO 8601). */
export function isoTime(ts: string | undefined): JsonObject {
  return ts !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(ts) && !Number.isNaN(Date.parse(ts)) ? {timestamp: ts} : {};
}

function marked(step: JsonObject): JsonObject {
  const {extra} = step;
  return {...step, extra: {...(isJsonObject(extra) ? extra : {}), rewound: true}};
}

interface StepContext {
  readonly model: string | undefined;
  readonly subagentsOf: SubagentsOf;
}

function stepOf(entry: TranscriptEntry, context: StepContext): JsonObject[] {
  switch (entry.kind) {
    case 'user':
      // Marks text that no person wrote, for those who train on messages of people.
      return entry.byHarness
        ? [{...isoTime(entry.ts), source: 'system', message: entry.text, extra: {origin: 'harness'}}]
        : [{...isoTime(entry.ts), source: 'user', message: entry.text}];
    case 'compaction':
      return [
        {source: 'system', message: entry.text, extra: managed('compaction', 'replace')},
        ...contextSteps(entry, (calls) => callFields(calls, () => [])),
      ].map((step) => ({...isoTime(entry.ts), ...step}));
    case 'rewind':
      return [{...isoTime(entry.ts), source: 'system', message: entry.text, extra: managed('pruning', 'truncate')}];
    case 'reply':
      return [...interruptedSteps(entry, context), ...agentStep(entry, context)];
    default:
      return [];
  }
}

function managed(type: string, boundary: string): JsonObject {
  return {context_management: {type, boundary}};
}

/** Returns the steps that arrived before a stream broke off, before the reply that replaced it. */
function interruptedSteps({reply, request, interrupted, ts}: ReplyEntry, {model}: StepContext): JsonObject[] {
  const modelName = request?.model ?? model;
  return interrupted.map(({message, text}) => ({
    ...isoTime(ts),
    source: 'agent',
    ...(modelName === undefined ? {} : {model_name: modelName}),
    message: text,
    llm_call_count: 1,
    extra: {request_id: reply.requestId, interrupted: true, reason: message},
  }));
}

function agentStep({reply, request, ts}: ReplyEntry, {model, subagentsOf}: StepContext): JsonObject[] {
  const message = entryText(reply, 'agent_message');
  const reasoning = entryText(reply, 'reasoning');
  const calls = callViews(reply);
  if (message === '' && reasoning === '' && calls.length === 0 && request === undefined) return [];
  const modelName = request?.model ?? model;
  return [
    {
      ...isoTime(ts),
      source: 'agent',
      ...(modelName === undefined ? {} : {model_name: modelName}),
      message,
      ...(reasoning === '' ? {} : {reasoning_content: reasoning}),
      ...callFields(calls, subagentsOf),
      ...(request === undefined ? {} : {metrics: metricsOf(request)}),
      llm_call_count: 1,
      extra: {request_id: reply.requestId, ...(request === undefined ? {interrupted: true} : requestFields(request))},
    },
  ];
}

/** ATIF has no field for the temperature. A log may be forged: only a number is passed on. */
function requestFields({stop_reason: stop, temperature}: RequestCompleted): JsonObject {
  return {stop_reason: stop, ...(typeof temperature === 'number' ? {temperature} : {})};
}

function callFields(views: readonly CallView[], subagentsOf: SubagentsOf): JsonObject {
  if (views.length === 0) return {};
  const calls = withUniqueIds(views);
  return {tool_calls: calls.map(toolCall), observation: {results: calls.map((call) => observed(call, subagentsOf(call.call.id)))}};
}

interface IdentifiedCall extends CallView {
  readonly id: string;
}

/** Call ids must differ within a step; if a provider repeated one, the id of the item is used. */
function withUniqueIds(calls: readonly CallView[]): readonly IdentifiedCall[] {
  const seen = new Set<string>();
  return calls.map((view) => {
    const {tool_call_id: modelCallId, id: itemId} = view.call;
    let id = modelCallId === '' || seen.has(modelCallId) ? itemId : modelCallId;
    while (seen.has(id)) id = `${id}+`;
    seen.add(id);
    return {...view, id};
  });
}

function toolCall({id, call}: IdentifiedCall): JsonObject {
  const parsed = parseJson(call.arguments);
  const common = {tool_call_id: id, function_name: call.tool_name};
  return isJsonObject(parsed) ? {...common, arguments: parsed} : {...common, arguments: {}, extra: {invalid_arguments: call.arguments}};
}

function observed({id, call, output, text, isError}: IdentifiedCall, subagents: readonly string[]): JsonObject {
  const outcome = output === undefined ? 'interrupted' : (call.outcome ?? (isError ? 'error' : 'success'));
  const duration = call.duration_ms === undefined ? {} : {duration_ms: call.duration_ms};
  return {
    source_call_id: id,
    content: text,
    ...(subagents.length === 0 ? {} : {subagent_trajectory_ref: subagents.map((trajectory) => ({trajectory_id: trajectory}))}),
    extra: {is_error: isError, outcome, ...duration, ...(call.from_cache === true ? {from_cache: true} : {})},
  };
}

function metricsOf({usage, cost_usd: cost, duration_ms: duration, retries, logprobs}: RequestCompleted): JsonObject {
  return {
    prompt_tokens: wholeCount(usage.input_tokens),
    completion_tokens: wholeCount(usage.output_tokens),
    cached_tokens: Math.min(wholeCount(usage.cached_input_tokens), wholeCount(usage.input_tokens)),
    ...(cost === null ? {} : {cost_usd: cost}),
    ...logprobFields(logprobs),
    extra: {
      reasoning_tokens: wholeCount(usage.reasoning_tokens),
      cache_creation_tokens: wholeCount(usage.cache_creation_tokens),
      duration_ms: duration,
      retries,
    },
  };
}

/** A log may be forged: returns a list of numbers, or nothing. */
function logprobFields(logprobs: unknown): JsonObject {
  const isList = Array.isArray(logprobs) && logprobs.every((one) => typeof one === 'number');
  return isList && logprobs.length > 0 ? {logprobs} : {};
}
