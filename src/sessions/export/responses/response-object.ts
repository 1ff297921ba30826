import type {JsonObject} from '../../../base/json.ts';
import type {OutcomeCode} from '../../../protocol/events.ts';
import {wholeCount} from '../whole-count.ts';
import {addUsage, NO_USAGE, type Usage} from '../../../protocol/usage.ts';

/** A Response while it is made (Open Responses 2026-04-24). */
export interface OpenResponse {
  readonly id: string;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly previous: string | null;
  readonly threadId: string;
  readonly turnId: string;
  /** For a subagent: the thread that it works for, and its profile or role. */
  readonly worker?: {readonly parent: string; readonly agent: string | undefined} | undefined;
  model: string;
  usage: Usage | undefined;
  /** The one that was sent with its last request that had one. */
  temperature?: number | undefined;
  readonly output: JsonObject[];
}

/** The end of a Response. */
export interface ResponseEnd {
  readonly status: 'completed' | 'failed' | 'incomplete';
  readonly completedAt: number | null;
  /** The reason of `incomplete`. */
  readonly reason?: string | undefined;
  readonly error?: {readonly code: string; readonly message: string} | undefined;
}

/** Returns the object with all of its 31 keys; without an end it is in progress. */
export function responseObject(response: OpenResponse, end?: ResponseEnd): JsonObject {
  return {
    id: response.id,
    object: 'response',
    created_at: response.createdAt,
    completed_at: end?.completedAt ?? null,
    status: end?.status ?? 'in_progress',
    incomplete_details: end?.reason === undefined ? null : {reason: end.reason},
    error: end?.error === undefined ? null : {code: end.error.code, message: end.error.message},
    model: response.model,
    previous_response_id: response.previous,
    output: [...response.output],
    usage: end === undefined ? null : usageOf(response.usage ?? NO_USAGE),
    metadata: metadataOf(response),
    ...UNSAID,
    ...(response.temperature === undefined ? {} : {temperature: response.temperature}),
  };
}

function metadataOf({threadId, turnId, worker}: OpenResponse): JsonObject {
  const work = worker === undefined ? {} : {parent_thread_id: worker.parent, agent: worker.agent ?? 'subagent'};
  return {thread_id: threadId, turn_id: turnId, ...work};
}

/** True if a limit or a person ended it early; any other error is a failure. */
export function isCutShort(outcome: OutcomeCode): boolean {
  return outcome === 'cancelled' || outcome.endsWith('_limit_reached');
}

export function addRequestUsage(response: OpenResponse, usage: Usage): void {
  response.usage = addUsage(response.usage ?? NO_USAGE, usage);
}

/** Required by the schema; no event has it. The temperature is a number also where none was sent. */
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

function usageOf(usage: Usage): JsonObject {
  const [input, output] = [wholeCount(usage.input_tokens), wholeCount(usage.output_tokens)];
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: {cached_tokens: wholeCount(usage.cached_input_tokens)},
    output_tokens_details: {reasoning_tokens: wholeCount(usage.reasoning_tokens)},
  };
}
