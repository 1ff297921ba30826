/** Events at which hooks can run (vtcode architecture › lifecycle hooks; Claude Code › hooks), by the name in Fettle's files. */
export type HookEvent = keyof typeof HOOK_EVENTS;

export interface HookEventFacts {
  /** The name in Claude Code; `hook_event_name` on stdin. */
  readonly theirs: string;
  /** The field that a matcher is compared with; absent if the event has none. */
  readonly matches?: string;
  /** Fields on stdin besides those that all events share. */
  readonly fields: readonly string[];
  /** Effect of a block (exit code 2, or a decision that denies); absent: the reason is only shown. */
  readonly block?: string;
  /** True if a hook that times out or gives an unreadable answer counts as a denial. */
  readonly failsClosed?: boolean;
  /** Plain text on stdout is context for the model. */
  readonly plainContext?: boolean;
}

const TOOL = 'the name of the tool';

export const HOOK_EVENTS = {
  session_start: {theirs: 'SessionStart', matches: 'the source', fields: ['source (startup, resume, compact)'], plainContext: true},
  session_end: {theirs: 'SessionEnd', matches: 'the reason', fields: ['reason (completed, cancelled, error, exit)']},
  user_prompt_submit: {
    theirs: 'UserPromptSubmit',
    fields: ['turn_id', 'prompt'],
    block: 'the prompt does not reach the model; the turn ends as denied',
    failsClosed: true,
    plainContext: true,
  },
  pre_tool_use: {
    theirs: 'PreToolUse',
    matches: TOOL,
    fields: ['tool_name', 'tool_input', 'tool_use_id'],
    block: 'the call is denied, whatever other hooks and rules say',
    failsClosed: true,
  },
  post_tool_use: {
    theirs: 'PostToolUse',
    matches: TOOL,
    fields: ['tool_name', 'tool_input', 'tool_use_id', 'tool_response', 'duration_ms'],
    block: 'the reason is added to the result that the model reads',
  },
  post_tool_use_failure: {
    theirs: 'PostToolUseFailure',
    matches: TOOL,
    fields: ['tool_name', 'tool_input', 'tool_use_id', 'error', 'duration_ms'],
    block: 'the reason is added to the result that the model reads',
  },
  permission_request: {
    theirs: 'PermissionRequest',
    matches: TOOL,
    fields: ['tool_name', 'tool_input', 'tool_use_id', 'reason', 'subjects', 'permission_suggestions'],
    block: 'the call is denied; nobody is asked',
    failsClosed: true,
  },
  pre_compact: {
    theirs: 'PreCompact',
    matches: 'the trigger',
    fields: ['trigger (manual, auto)', 'custom_instructions'],
    block: 'the conversation is not shortened, unless it no longer fits',
  },
  post_compact: {theirs: 'PostCompact', matches: 'the trigger', fields: ['trigger', 'mode', 'tokens_before', 'tokens_after']},
  stop: {
    theirs: 'Stop',
    fields: ['turn_id', 'stop_hook_active', 'last_assistant_message'],
    block: 'the reason goes to the model, and the turn goes on; at most 5 times',
  },
  subagent_start: {
    theirs: 'SubagentStart',
    matches: 'the name of the agent',
    fields: ['agent_id', 'agent_type', 'prompt'],
    block: 'the agent is not started',
    plainContext: true,
  },
  subagent_stop: {
    theirs: 'SubagentStop',
    matches: 'the name of the agent',
    fields: ['agent_id', 'agent_type', 'status (completed, stopped)', 'last_assistant_message', 'stop_hook_active'],
    block: 'the reason is added to what the agent answered',
  },
  notification: {
    theirs: 'Notification',
    matches: 'the type',
    fields: ['notification_type (permission_prompt, question, idle_prompt)', 'title', 'message'],
  },
} as const satisfies Readonly<Record<string, HookEventFacts>>;

/** Resolves the name of an event, in either notation. */
export function hookEventNamed(name: string): HookEvent | undefined {
  const wanted = name.replaceAll('_', '').toLowerCase();
  return (Object.keys(HOOK_EVENTS) as HookEvent[]).find((event) => HOOK_EVENTS[event].theirs.toLowerCase() === wanted);
}

export function factsOf(event: HookEvent): HookEventFacts {
  return HOOK_EVENTS[event];
}
