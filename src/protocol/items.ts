import * as z from 'zod/mini';
import type {Known} from './known.ts';

const Status = z.enum(['in_progress', 'completed', 'failed']);

/**
 * How a tool call ended, finer than its status:
 * ran and worked · ran and failed · a rule or person refused · the arguments or name were wrong · stopped on request · answered by the loop guard.
 */
export const ToolOutcome = z.enum(['success', 'error', 'denied', 'invalid', 'cancelled', 'loop']);
export type ToolOutcome = z.infer<typeof ToolOutcome>;

/** Items of one model reply share `request_id`; without it an item did not come from a model. */
const base = {id: z.string(), request_id: z.optional(z.string())};
const native = z.optional(z.looseObject({format: z.string(), data: z.unknown()}));

export const UserMessageItem = z.looseObject({
  ...base,
  type: z.literal('user_message'),
  text: z.string(),
  /** `harness`: no person wrote it, the harness did: why an answer is not accepted, for one. */
  origin: z.optional(z.enum(['person', 'harness'])),
  /** The queued input that this is: with it that input is applied. */
  input_id: z.optional(z.string()),
});
export const AgentMessageItem = z.looseObject({...base, type: z.literal('agent_message'), text: z.string(), native});
export const ReasoningItem = z.looseObject({...base, type: z.literal('reasoning'), text: z.string(), native});
export const PlanItem = z.looseObject({...base, type: z.literal('plan'), text: z.string()});

export const ToolInvocationItem = z.looseObject({
  ...base,
  type: z.literal('tool_invocation'),
  tool_name: z.string(),
  tool_call_id: z.string(),
  /** As the model wrote them: JSON text. */
  arguments: z.string(),
  status: Status,
  outcome: z.optional(ToolOutcome),
  duration_ms: z.optional(z.number()),
  /** True: nothing was run, the result is that of an earlier call (`cacheKey` of the tool). */
  from_cache: z.optional(z.boolean()),
  native,
});

/** The result as the model saw it. Its id is `<id of the invocation>:output`. */
export const ToolOutputItem = z.looseObject({
  ...base,
  type: z.literal('tool_output'),
  call_id: z.string(),
  tool_call_id: z.string(),
  tool_name: z.string(),
  output: z.string(),
  is_error: z.boolean(),
  /** One line for people. */
  summary: z.optional(z.string()),
  /** The full output, if `output` is a shortened form. */
  spool_path: z.optional(z.string()),
  status: Status,
});

export const CommandExecutionItem = z.looseObject({
  ...base,
  type: z.literal('command_execution'),
  command: z.string(),
  aggregated_output: z.string(),
  exit_code: z.optional(z.nullable(z.number())),
  /** The limit for which the command was ended. */
  ended_by: z.optional(z.enum(['memory', 'disk'])),
  status: Status,
});

export const FileChangeItem = z.looseObject({
  ...base,
  type: z.literal('file_change'),
  changes: z.array(z.looseObject({path: z.string(), kind: z.enum(['add', 'delete', 'update'])})),
  status: Status,
});

export const McpToolCallItem = z.looseObject({
  ...base,
  type: z.literal('mcp_tool_call'),
  tool_name: z.string(),
  arguments: z.optional(z.string()),
  result: z.optional(z.unknown()),
  status: Status,
});

export const WebSearchItem = z.looseObject({...base, type: z.literal('web_search'), query: z.string()});

/** An action of the harness itself: a retry, a stall, a verification, a limit that came near. */
export const HarnessItem = z.looseObject({
  ...base,
  type: z.literal('harness'),
  event: z.string(),
  message: z.optional(z.string()),
  /** `call_in_text`: the reply as the model wrote it. */
  received: z.optional(z.string()),
  command: z.optional(z.string()),
  path: z.optional(z.string()),
  exit_code: z.optional(z.nullable(z.number())),
});

/** The whole task list of the thread, after each change. The last one is the current list. */
export const TodoListItem = z.looseObject({
  ...base,
  type: z.literal('todo_list'),
  items: z.array(
    z.looseObject({
      id: z.string(),
      content: z.string(),
      status: z.enum(['pending', 'in_progress', 'completed', 'cancelled', 'blocked']),
      priority: z.enum(['low', 'medium', 'high']),
      /** Paths that it is about. */
      files: z.optional(z.array(z.string())),
      /** The criterion for the item to be done. */
      outcome: z.optional(z.string()),
      /** Commands that must exit with 0. */
      verify: z.optional(z.array(z.string())),
      /** True if it belongs to a plan or to the findings of an evaluation: it stays in the list until it is done. */
      pinned: z.optional(z.boolean()),
    }),
  ),
});

/**
 * An action in the editor, for a front end that shows one (zblade tool calls › Editor and UI Interaction Tools). Lines and columns from 1.
 */
export const EditorActionItem = z.looseObject({
  ...base,
  type: z.literal('editor_action'),
  action: z.enum(['open_file', 'goto_line', 'get_selection', 'replace_selection', 'insert_at_cursor']),
  path: z.optional(z.string()),
  line: z.optional(z.number()),
  column: z.optional(z.number()),
  content: z.optional(z.string()),
  selection: z.optional(z.string()),
});

export const ErrorItem = z.looseObject({...base, type: z.literal('error'), message: z.string()});

export const KNOWN_ITEMS = [
  UserMessageItem,
  AgentMessageItem,
  ReasoningItem,
  PlanItem,
  ToolInvocationItem,
  ToolOutputItem,
  CommandExecutionItem,
  FileChangeItem,
  McpToolCallItem,
  WebSearchItem,
  HarnessItem,
  TodoListItem,
  EditorActionItem,
  ErrorItem,
] as const;

/** An item, discriminated by `type`. Unknown fields are preserved. */
export const ThreadItem = z.discriminatedUnion('type', KNOWN_ITEMS);
export type ThreadItem = Known<z.infer<typeof ThreadItem>>;

export type UserMessageItem = Known<z.infer<typeof UserMessageItem>>;
export type AgentMessageItem = Known<z.infer<typeof AgentMessageItem>>;
export type ReasoningItem = Known<z.infer<typeof ReasoningItem>>;
export type ToolInvocationItem = Known<z.infer<typeof ToolInvocationItem>>;
export type ToolOutputItem = Known<z.infer<typeof ToolOutputItem>>;
export type CommandExecutionItem = Known<z.infer<typeof CommandExecutionItem>>;
export type FileChangeItem = Known<z.infer<typeof FileChangeItem>>;
export type HarnessItem = Known<z.infer<typeof HarnessItem>>;
export type TodoListItem = Known<z.infer<typeof TodoListItem>>;
export type EditorActionItem = Known<z.infer<typeof EditorActionItem>>;
