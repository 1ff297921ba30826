import * as z from 'zod/mini';
import type {Known} from './known.ts';
import {ThreadItem} from './items.ts';
import {Usage} from './usage.ts';

/** How a thread ended, in a word. `exit-code.ts` maps each to the exit code of the command line. */
export const OutcomeCode = z.enum([
  'success',
  'failed',
  'denied',
  'turn_limit_reached',
  'token_limit_reached',
  'budget_limit_reached',
  'time_limit_reached',
  'loop_detected',
  'blocked',
  'provider_error',
  'cancelled',
]);
export type OutcomeCode = z.infer<typeof OutcomeCode>;

/** Cost in US dollars; null where the catalogue has no price for the model. */
const Cost = z.nullable(z.number());
const Count = z.number();
const ThreadId = z.string();
const TurnId = z.string();

export const ThreadStarted = z.looseObject({
  type: z.literal('thread.started'),
  schema_version: z.string(),
  thread_id: ThreadId,
  cwd: z.string(),
  model: z.string(),
  toolset: z.string(),
  fettle_version: z.string(),
  resumed: z.optional(z.boolean()),
  /** The thread that this one is a copy of. */
  forked_from: z.optional(ThreadId),
});

/** The last event of a run: one submission of a headless command, or the end of an interactive session. */
export const ThreadCompleted = z.looseObject({
  type: z.literal('thread.completed'),
  thread_id: ThreadId,
  subtype: z.enum(['success', 'error_max_turns', 'error_max_budget_usd', 'error_during_execution', 'cancelled']),
  outcome_code: OutcomeCode,
  result: z.optional(z.string()),
  stop_reason: z.optional(z.string()),
  usage: Usage,
  total_cost_usd: Cost,
  num_turns: Count,
});

export const CompactBoundary = z.looseObject({
  type: z.literal('thread.compact_boundary'),
  thread_id: ThreadId,
  trigger: z.string(),
  mode: z.string(),
  original_message_count: Count,
  compacted_message_count: Count,
  history_artifact_path: z.optional(z.string()),
  /** What the model sees from here on instead of all before (protocol/messages.ts); a resumed thread goes on with it. */
  messages: z.optional(z.array(z.looseObject({role: z.enum(['user', 'assistant', 'tool'])}))),
});

/** One submission: from a user message to the reply that ends it. Exactly one turn.completed or turn.failed follows. */
export const TurnStarted = z.looseObject({type: z.literal('turn.started'), thread_id: ThreadId, turn_id: TurnId});

export const TurnCompleted = z.looseObject({
  type: z.literal('turn.completed'),
  thread_id: ThreadId,
  turn_id: TurnId,
  usage: Usage,
  cost_usd: Cost,
  /** Requests to the model in this turn. */
  num_requests: Count,
  duration_ms: Count,
});

export const TurnFailed = z.looseObject({
  type: z.literal('turn.failed'),
  thread_id: ThreadId,
  turn_id: TurnId,
  outcome_code: OutcomeCode,
  message: z.string(),
  hint: z.optional(z.string()),
  usage: Usage,
  cost_usd: Cost,
  num_requests: Count,
  duration_ms: Count,
});

/** One request to a model, after it was answered. */
export const RequestCompleted = z.looseObject({
  type: z.literal('request.completed'),
  turn_id: TurnId,
  request_id: z.string(),
  model: z.string(),
  stop_reason: z.string(),
  usage: Usage,
  cost_usd: Cost,
  duration_ms: Count,
  retries: Count,
  /** The profile of the subagent that asked; its turn is the one that started it. Without it the thread itself asked. */
  agent: z.optional(z.string()),
});

export const ItemStarted = z.looseObject({type: z.literal('item.started'), turn_id: z.optional(TurnId), item: ThreadItem});
/** For hosts that show progress; not kept in the session log. `delta` is what was added to the text, output or arguments of the item. */
export const ItemUpdated = z.looseObject({
  type: z.literal('item.updated'),
  turn_id: z.optional(TurnId),
  item_id: z.string(),
  item_type: z.string(),
  delta: z.string(),
  /** Of a running tool: what it writes, or `progress` for people. */
  stream: z.optional(z.enum(['stdout', 'stderr', 'progress'])),
});
export const ItemCompleted = z.looseObject({type: z.literal('item.completed'), turn_id: z.optional(TurnId), item: ThreadItem});

export const PlanDelta = z.looseObject({
  type: z.literal('plan.delta'),
  thread_id: ThreadId,
  turn_id: TurnId,
  item_id: z.string(),
  delta: z.string(),
});

export const PermissionRequested = z.looseObject({
  type: z.literal('permission.requested'),
  turn_id: TurnId,
  tool_call_id: z.string(),
  tool_name: z.string(),
  subjects: z.array(z.string()),
  reason: z.string(),
  agent: z.optional(z.string()),
});

export const PermissionResolved = z.looseObject({
  type: z.literal('permission.resolved'),
  turn_id: TurnId,
  tool_call_id: z.string(),
  tool_name: z.string(),
  decision: z.enum(['allow', 'deny', 'cancelled']),
  /** What decided: `mode:<name>`, `rule:<text>`, `person`, `headless`. */
  decided_by: z.string(),
  rule: z.optional(z.string()),
  wait_ms: Count,
  agent: z.optional(z.string()),
});

/** A queued input was taken into the conversation. */
export const Interjected = z.looseObject({
  type: z.literal('interjected'),
  turn_id: TurnId,
  source: z.enum(['steer', 'follow_up']),
  input_id: z.string(),
});

export const ErrorEvent = z.looseObject({
  type: z.literal('error'),
  code: z.optional(z.string()),
  message: z.string(),
  hint: z.optional(z.string()),
});

export const KNOWN_EVENTS = [
  ThreadStarted,
  ThreadCompleted,
  CompactBoundary,
  TurnStarted,
  TurnCompleted,
  TurnFailed,
  RequestCompleted,
  ItemStarted,
  ItemUpdated,
  ItemCompleted,
  PlanDelta,
  PermissionRequested,
  PermissionResolved,
  Interjected,
  ErrorEvent,
] as const;

/** The one event contract of every host, discriminated by `type`. */
export const ThreadEvent = z.discriminatedUnion('type', KNOWN_EVENTS);
export type ThreadEvent = Known<z.infer<typeof ThreadEvent>>;

export type ThreadStarted = Known<z.infer<typeof ThreadStarted>>;
export type CompactBoundary = Known<z.infer<typeof CompactBoundary>>;
export type TurnCompleted = Known<z.infer<typeof TurnCompleted>>;
export type TurnFailed = Known<z.infer<typeof TurnFailed>>;
export type ThreadCompleted = Known<z.infer<typeof ThreadCompleted>>;
export type RequestCompleted = Known<z.infer<typeof RequestCompleted>>;
export type PermissionResolved = Known<z.infer<typeof PermissionResolved>>;
