import * as z from 'zod/mini';
import type {Known} from './known.ts';
import {ThreadItem} from './items.ts';
import {Asker, RequestCompleted, RequestFailed} from './request-events.ts';
import {Usage} from './usage.ts';

/** The end of a thread, in a word. `exit-code.ts` maps each to the exit code of the command line. */
export const OutcomeCode = z.enum([
  'success',
  'failed',
  'request_too_large',
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

/** Cost in US dollars; null if the catalogue has no price for the model. */
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
  /** Set where `auto` chose: the reason, and the id under which its outcome is learned (absent while learning is frozen). */
  model_choice: z.optional(z.looseObject({why: z.string(), choice: z.optional(z.string())})),
  toolset_choice: z.optional(z.looseObject({why: z.string(), choice: z.optional(z.string())})),
  edit_choice: z.optional(z.looseObject({dialect: z.string(), why: z.string(), choice: z.optional(z.string())})),
  /** The thread that this one is a copy of. */
  forked_from: z.optional(ThreadId),
  /** The thread that started a subagent, and its profile. */
  parent_thread_id: z.optional(ThreadId),
  agent: z.optional(z.string()),
});

/** The last event of a run: one submission of a headless command, or the end of an interactive session. */
export const ThreadCompleted = z.looseObject({
  type: z.literal('thread.completed'),
  thread_id: ThreadId,
  subtype: z.enum(['success', 'error_max_turns', 'error_max_budget_usd', 'error_during_execution', 'cancelled']),
  outcome_code: OutcomeCode,
  result: z.optional(z.string()),
  stop_reason: z.optional(z.string()),
  /** True if every command that was named to verify the work has exited with 0 after the last change; `none`: none was named. */
  verified: z.optional(z.union([z.boolean(), z.literal('none')])),
  /** The commands that were named to verify the work, with how the newest run of each ended. */
  checks: z.optional(
    z.array(
      z.looseObject({
        command: z.string(),
        named_by: z.enum(['person', 'model']),
        /** `not_run`: another one did not pass before, or the run ended first. */
        state: z.enum(['passed', 'failed', 'timed_out', 'denied', 'cancelled', 'not_run']),
        exit_code: z.nullable(z.number()),
        /** True if the command ends with 0 in any case, so that it proves nothing. */
        always_passes: z.optional(z.boolean()),
      }),
    ),
  ),
  /** Files that a check depends on and that the run itself has changed: tests, scripts, configurations. */
  check_changes: z.optional(
    z.array(
      z.looseObject({
        path: z.string(),
        change: z.enum(['created', 'changed', 'deleted']),
        /** The reason why the file counts: `script "test" of npm test`, `test`, `vitest configuration`. */
        reason: z.string(),
      }),
    ),
  ),
  /** True if it is not known which ones: the folder could not be compared with how it was before the run. */
  check_changes_unknown: z.optional(z.boolean()),
  /** Items of the task list that were not completed: still open, cancelled, or taken out of the list before they were. */
  open_tasks: z.optional(
    z.array(z.looseObject({content: z.string(), status: z.enum(['pending', 'in_progress', 'blocked', 'cancelled', 'removed'])})),
  ),
  /** Calls that were denied in the run, with a rule or mode that would have allowed each. */
  denied: z.optional(
    z.array(
      z.looseObject({
        tool_name: z.string(),
        /** `rule:<text>`, `mode:<name>`, `person`, `headless`, `hook`. */
        decided_by: z.string(),
        rule: z.optional(z.string()),
        allow_rules: z.optional(z.array(z.string())),
        allow_mode: z.optional(z.string()),
      }),
    ),
  ),
  /** Subagents whose newest order did not come to its end. */
  failed_agents: z.optional(z.array(z.looseObject({agent_id: z.string(), message: z.optional(z.string())}))),
  /** The output limit of the model cut its last reply: its text or calls are incomplete. */
  reply_cut: z.optional(z.boolean()),
  /** Verdict of the evaluator, if there is one; `not_evaluated`: its answer could not be understood. */
  evaluation: z.optional(z.enum(['passed', 'failed', 'not_evaluated'])),
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
  /** The messages that replace all earlier ones for the model (protocol/messages.ts); a resumed thread continues with them. */
  messages: z.optional(z.array(z.looseObject({role: z.enum(['user', 'assistant', 'tool'])}))),
  /** The working memory at this point (`SessionMemoryEnvelope`). */
  memory: z.optional(z.unknown()),
});

/** System prompt and tools of the requests that follow, only in the log: before the first one, and when they differ. Earlier versions lack it. */
export const ThreadFrame = z.looseObject({
  type: z.literal('thread.frame'),
  system: z.string(),
  /** `parameters` is a JSON Schema. */
  tools: z.array(z.looseObject({name: z.string(), description: z.string(), parameters: z.unknown()})),
  /** Tools whose parameters were too large to be stored. */
  shortened_tools: z.optional(Count),
});

/** The approval mode changed while the thread runs: a person accepted a plan. */
export const ModeChanged = z.looseObject({
  type: z.literal('mode.changed'),
  thread_id: ThreadId,
  from: z.string(),
  to: z.string(),
});

/** A memory that must outlive the messages it comes from: facts, constraints, open questions, findings of a subagent. */
export const MemoryNoted = z.looseObject({
  type: z.literal('memory.noted'),
  thread_id: ThreadId,
  /** Summary of messages that are no longer shown; replaces the previous one. */
  summary: z.optional(z.string()),
  facts: z.optional(z.array(z.looseObject({fact: z.string(), source: z.string()}))),
  constraints: z.optional(z.array(z.string())),
  open_questions: z.optional(z.array(z.string())),
  touched_files: z.optional(z.array(z.string())),
  /** The run of a subagent that `delegated` comes from (`agent.status`): it is noted once. */
  run_id: z.optional(z.string()),
  delegated: z.optional(
    z.looseObject({
      agent: z.string(),
      summary: z.string(),
      facts: z.array(z.string()),
      touched_files: z.array(z.string()),
      open_questions: z.array(z.string()),
      verification: z.array(z.string()),
    }),
  ),
});

/** The conversation continues from an earlier point: later messages are no longer shown to the model. The log keeps them. */
export const ThreadRewound = z.looseObject({
  type: z.literal('thread.rewound'),
  thread_id: ThreadId,
  /** The turn before whose start it goes on; or the `checkpoint_id` of an earlier rewinding, which is taken back. */
  to: z.string(),
  /** The checkpoint that this rewinding is. */
  checkpoint_id: z.string(),
});

/** The changes of a turn to the workspace were saved and can be undone. */
export const CheckpointCompleted = z.looseObject({
  type: z.literal('checkpoint.completed'),
  thread_id: ThreadId,
  turn_id: TurnId,
  /** Absent if nothing could be stored. */
  checkpoint_id: z.optional(z.string()),
  /** Entries that are different in the end. */
  changed: Count,
  /** Changes that cannot be undone, one line each. */
  notes: z.array(z.string()),
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

export const ItemStarted = z.looseObject({type: z.literal('item.started'), turn_id: z.optional(TurnId), item: ThreadItem});
/** For hosts that show progress; not kept in the session log. `delta` is the addition to the text, output or arguments of the item. */
export const ItemUpdated = z.looseObject({
  type: z.literal('item.updated'),
  turn_id: z.optional(TurnId),
  item_id: z.string(),
  item_type: z.string(),
  delta: z.string(),
  /** The stream of a running tool: its output, or `progress` for people. */
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
  ...Asker,
});

export const PermissionResolved = z.looseObject({
  type: z.literal('permission.resolved'),
  turn_id: TurnId,
  tool_call_id: z.string(),
  tool_name: z.string(),
  decision: z.enum(['allow', 'deny', 'cancelled']),
  /** A person allowed only some of the changes; the result of the call says which not. */
  partial: z.optional(z.literal(true)),
  /** Source of the decision: `mode:<name>`, `rule:<text>`, `person`, `headless`. */
  decided_by: z.string(),
  rule: z.optional(z.string()),
  /** The rules, and the mildest mode, that would have allowed a denied call. */
  allow_rules: z.optional(z.array(z.string())),
  allow_mode: z.optional(z.string()),
  wait_ms: Count,
  ...Asker,
});

/** An input was accepted while a turn ran: from here on it is applied exactly once, also after a crash. */
export const InputQueued = z.looseObject({
  type: z.literal('input.queued'),
  thread_id: ThreadId,
  input_id: z.string(),
  kind: z.enum(['steer', 'follow_up']),
  text: z.string(),
});

/** A queued input joins the conversation: as the user message that follows this event and has its id. */
export const Interjected = z.looseObject({
  type: z.literal('interjected'),
  turn_id: TurnId,
  source: z.enum(['steer', 'follow_up']),
  input_id: z.string(),
});

/** The status of a subagent of this thread. Its conversation has a log of its own: `child_thread_id`. */
export const AgentStatusChanged = z.looseObject({
  type: z.literal('agent.status'),
  thread_id: ThreadId,
  /** The id of the subagent in the thread: `worker-1`. */
  agent_id: z.string(),
  /** Its profile. */
  agent: z.string(),
  child_thread_id: ThreadId,
  /** `waiting`: for a person. `failed`: it did not come to its end, `message` says why. */
  status: z.enum(['queued', 'running', 'waiting', 'completed', 'failed', 'closed']),
  /** Each task that it receives is a run. */
  run_id: z.string(),
  /** The beginning of its task. */
  task: z.string(),
  /** Absent: it works beside the thread. `task`: a call waits for its answer. `planner`, `evaluator`: the harness asks it. */
  role: z.optional(z.enum(['task', 'planner', 'evaluator'])),
  /** The call of the thread that began this run; absent if none did. */
  tool_call_id: z.optional(z.string()),
  message: z.optional(z.string()),
  /** The last answer of the subagent, with `completed` and `failed`. */
  response: z.optional(z.string()),
});

/** A step of a subagent as it happens: for hosts, not stored in the log of this thread. */
export const AgentEvent = z.looseObject({
  type: z.literal('agent.event'),
  thread_id: ThreadId,
  agent_id: z.string(),
  agent: z.string(),
  /** An event of its thread. */
  event: z.looseObject({type: z.string()}),
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
  ThreadFrame,
  ModeChanged,
  MemoryNoted,
  ThreadRewound,
  CheckpointCompleted,
  TurnStarted,
  TurnCompleted,
  TurnFailed,
  RequestCompleted,
  RequestFailed,
  ItemStarted,
  ItemUpdated,
  ItemCompleted,
  PlanDelta,
  PermissionRequested,
  PermissionResolved,
  InputQueued,
  Interjected,
  AgentStatusChanged,
  AgentEvent,
  ErrorEvent,
] as const;

/** The one event contract of every host, discriminated by `type`. */
export const ThreadEvent = z.discriminatedUnion('type', KNOWN_EVENTS);
export type ThreadEvent = Known<z.infer<typeof ThreadEvent>>;

export type ThreadStarted = Known<z.infer<typeof ThreadStarted>>;
export type CompactBoundary = Known<z.infer<typeof CompactBoundary>>;
export type ThreadFrame = Known<z.infer<typeof ThreadFrame>>;
export type MemoryNoted = Known<z.infer<typeof MemoryNoted>>;
export type ThreadRewound = Known<z.infer<typeof ThreadRewound>>;
export type TurnCompleted = Known<z.infer<typeof TurnCompleted>>;
export type TurnFailed = Known<z.infer<typeof TurnFailed>>;
export type ThreadCompleted = Known<z.infer<typeof ThreadCompleted>>;
export type PermissionResolved = Known<z.infer<typeof PermissionResolved>>;
export type AgentStatusChanged = Known<z.infer<typeof AgentStatusChanged>>;
