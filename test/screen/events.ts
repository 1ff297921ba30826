import type {ApprovalQuestion, UserQuestion} from '../../src/hosts/tui/host-adapter.ts';
import type {Action} from '../../src/hosts/tui/model/action.ts';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import type {HarnessItem, ThreadItem, ToolOutcome} from '../../src/protocol/items.ts';
import {NO_USAGE} from '../../src/protocol/usage.ts';

/** Events as an agent sends them, in few words; each is an action for the screen. */
const event = (event: ThreadEvent): Action => ({type: 'event', event});
export const started = (item: ThreadItem): Action => event({type: 'item.started', item});
export const completed = (item: ThreadItem): Action => event({type: 'item.completed', item});

/** A piece of the answer that arrives. */
export const said = (delta: string, id = 'a1'): Action => event({type: 'item.updated', item_id: id, item_type: 'agent_message', delta});
export const answered = (text: string, id = 'a1'): Action => completed({type: 'agent_message', id, text});
export const thought = (delta: string, id = 'r1'): Action => event({type: 'item.updated', item_id: id, item_type: 'reasoning', delta});
export const reasoned = (text: string, id = 'r1'): Action => completed({type: 'reasoning', id, text});

const call = (id: string, tool: string, input: unknown) =>
  ({
    type: 'tool_invocation',
    id,
    tool_name: tool,
    tool_call_id: `${id}:call`,
    arguments: typeof input === 'string' ? input : JSON.stringify(input),
  }) as const;
export const called = (id: string, tool: string, input: unknown): Action => started({...call(id, tool, input), status: 'in_progress'});
/** A piece of what a running tool writes. */
export const wrote = (id: string, delta: string): Action =>
  event({type: 'item.updated', item_id: id, item_type: 'tool_invocation', delta, stream: 'stdout'});
export const ran = (id: string, tool: string, input: unknown, outcome: ToolOutcome = 'success'): Action =>
  completed({...call(id, tool, input), status: outcome === 'success' ? 'completed' : 'failed', outcome, duration_ms: 1200});
export const output = (id: string, text: string, summary?: string): Action =>
  completed({
    type: 'tool_output',
    id: `${id}:output`,
    call_id: id,
    tool_call_id: `${id}:call`,
    tool_name: 'tool',
    output: text,
    is_error: false,
    status: 'completed',
    ...(summary === undefined ? {} : {summary}),
  });

export const todo = (...items: readonly (readonly [content: string, status: 'pending' | 'in_progress' | 'completed'])[]): Action =>
  completed({
    type: 'todo_list',
    id: 'todo',
    items: items.map(([content, status], at) => ({id: String(at), content, status, priority: 'medium' as const})),
  });
export const harness = (event: string, given: Partial<HarnessItem> = {}): Action =>
  completed({type: 'harness', id: `h-${event}`, event, ...given});
export const compacted = (from: number, to: number): Action =>
  event({
    type: 'thread.compact_boundary',
    thread_id: 't',
    trigger: 'auto',
    mode: 'local',
    original_message_count: from,
    compacted_message_count: to,
  });
/** An attempt that is paid for and failed. */
export const requestFailed = (message: string): Action =>
  event({type: 'request.failed', turn_id: 'turn', request_id: 'req', model: 'm', message, usage: NO_USAGE, cost_usd: null});
export const agent = (id: string, status: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'closed', task: string): Action =>
  event({type: 'agent.status', thread_id: 't', agent_id: id, agent: 'worker', child_thread_id: `t-${id}`, status, run_id: 'run', task});
export const agentCalled = (id: string, tool: string, input: unknown): Action =>
  event({
    type: 'agent.event',
    thread_id: 't',
    agent_id: id,
    agent: 'worker',
    event: Object.assign({type: 'item.started'}, {item: {...call('x', tool, input), status: 'in_progress'}}),
  });
export const resolved = (id: string, decision: 'allow' | 'deny', by: string, rule?: string): Action =>
  event({
    type: 'permission.resolved',
    turn_id: 'turn',
    tool_call_id: `${id}:call`,
    tool_name: 'bash',
    decision,
    decided_by: by,
    wait_ms: 0,
    ...(rule === undefined ? {} : {rule}),
  });
export const turnCompleted: Action = event({
  type: 'turn.completed',
  thread_id: 't',
  turn_id: 'turn',
  usage: NO_USAGE,
  cost_usd: null,
  num_requests: 1,
  duration_ms: 1,
});

export const ended = (outcome: 'success' | 'failed' | 'cancelled' | 'limit' = 'success', ...lines: readonly string[]): Action => ({
  type: 'ended',
  ending: {outcome, lines},
});
export const approval = (given: Partial<ApprovalQuestion> = {}): Action => ({
  type: 'approval',
  question: {
    id: 'q1',
    tool: 'bash',
    reason: 'No rule allows it.',
    subject: [{text: 'rm -rf build', risky: true}, {text: ' && make'}],
    diffs: [],
    rules: [{rule: 'bash:make *', meaning: 'every make'}],
    ...given,
  },
});
export const questions = (...given: readonly Partial<UserQuestion>[]): Action => ({
  type: 'questions',
  id: 'q2',
  questions: given.map((one) => ({
    header: 'Colour',
    question: 'Which colour?',
    options: [
      {label: 'Red', description: 'like a rose'},
      {label: 'Blue', description: ''},
    ],
    multiple: false,
    ...one,
  })),
});

/** The same, done by a subagent: what it does is an event of its own, requests and permissions are told with its id. */
export function byAgent(id: string, ...actions: readonly Action[]): readonly Action[] {
  return actions.map((action): Action => {
    if (action.type !== 'event') return action;
    const {event: own} = action;
    if (own.type.startsWith('request.') || own.type.startsWith('permission.'))
      return event({...own, agent: 'worker', agent_id: id} as ThreadEvent);
    return event({type: 'agent.event', thread_id: 't', agent_id: id, agent: 'worker', event: own});
  });
}
export const asked = (inputTokens: number, outputTokens: number): Action =>
  event({
    type: 'request.completed',
    turn_id: 'turn',
    request_id: 'r',
    model: 'm',
    stop_reason: 'end',
    usage: {...NO_USAGE, input_tokens: inputTokens, output_tokens: outputTokens},
    cost_usd: null,
    duration_ms: 1,
    retries: 0,
  });
export const requested = (id: string): Action =>
  event({type: 'permission.requested', turn_id: 'turn', tool_call_id: `${id}:call`, tool_name: 'bash', subjects: [], reason: ''});
/** The first message of a conversation. */
export const told = (text: string): Action => completed({type: 'user_message', id: 'u1', text});
