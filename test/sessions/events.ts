import type {ThreadEvent} from '../../src/protocol/events.ts';
import type {LoggedEvent} from '../../src/sessions/log-line.ts';

/** Short ways to write the events of a session. */
export const USAGE = {input_tokens: 100, cached_input_tokens: 40, cache_creation_tokens: 10, output_tokens: 20, reasoning_tokens: 5};

export function started(fields: {thread_id?: string; cwd?: string; resumed?: boolean} = {}): ThreadEvent {
  const base = {
    schema_version: '1.0.0',
    thread_id: 'thr_1',
    cwd: '/demo',
    model: 'script/demo',
    toolset: 'fettle',
    fettle_version: '0.1.0',
  };
  return {type: 'thread.started', ...base, ...fields};
}

export function turnStarted(turn = 'trn_1'): ThreadEvent {
  return {type: 'turn.started', thread_id: 'thr_1', turn_id: turn};
}

export function turnCompleted(turn = 'trn_1'): ThreadEvent {
  return {type: 'turn.completed', thread_id: 'thr_1', turn_id: turn, usage: USAGE, cost_usd: 0.5, num_requests: 1, duration_ms: 9};
}

export function turnFailed(outcome: 'cancelled' | 'provider_error' | 'turn_limit_reached', turn = 'trn_1'): ThreadEvent {
  const spent = {usage: USAGE, cost_usd: 0.5, num_requests: 1, duration_ms: 9};
  return {type: 'turn.failed', thread_id: 'thr_1', turn_id: turn, ...spent, outcome_code: outcome, message: 'It stopped.'};
}

export function user(text: string, id = 'u1'): ThreadEvent {
  return {type: 'item.completed', turn_id: 'trn_1', item: {id, type: 'user_message', text}};
}

export function text(request: string, said: string, id = `${request}-text`): ThreadEvent {
  return {type: 'item.completed', turn_id: 'trn_1', item: {id, request_id: request, type: 'agent_message', text: said}};
}

export function reasoning(request: string, thought: string, data?: unknown): ThreadEvent {
  const native = data === undefined ? {} : {native: {format: 'anthropic', data}};
  const item = {id: `${request}-reasoning`, request_id: request, type: 'reasoning' as const, text: thought, ...native};
  return {type: 'item.completed', turn_id: 'trn_1', item};
}

interface CallFields {
  readonly id: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly callId?: string;
}

function invocation(request: string, call: CallFields) {
  const {id, name = 'read', arguments: args = '{"path":"a.txt"}', callId = `call_${id}`} = call;
  return {id, request_id: request, type: 'tool_invocation' as const, tool_name: name, tool_call_id: callId, arguments: args};
}

export function callStarted(request: string, call: CallFields): ThreadEvent {
  return {type: 'item.started', turn_id: 'trn_1', item: {...invocation(request, call), status: 'in_progress'}};
}

export function callCompleted(request: string, call: CallFields): ThreadEvent {
  const item = {...invocation(request, call), status: 'completed' as const, outcome: 'success' as const, duration_ms: 3};
  return {type: 'item.completed', turn_id: 'trn_1', item};
}

export function output(request: string, call: CallFields, shown: string): ThreadEvent {
  const {id, name = 'read', callId = `call_${id}`} = call;
  const ids = {id: `${id}:output`, request_id: request, call_id: id, tool_call_id: callId, tool_name: name};
  return {
    type: 'item.completed',
    turn_id: 'trn_1',
    item: {...ids, type: 'tool_output', output: shown, is_error: false, summary: 'one line', status: 'completed'},
  };
}

export function answered(request: string, cost: number | null = 0.25): ThreadEvent {
  const common = {turn_id: 'trn_1', model: 'script/demo', stop_reason: 'end', usage: USAGE, duration_ms: 7, retries: 0};
  return {type: 'request.completed', request_id: request, cost_usd: cost, ...common};
}

/** An attempt that broke off after this much of its reply. */
export function broke(request: string, received?: string): ThreadEvent {
  const common = {turn_id: 'trn_1', model: 'script/demo', message: 'The stream broke.', usage: USAGE, cost_usd: 0.25};
  return {type: 'request.failed', request_id: request, ...common, ...(received === undefined ? {} : {received})};
}

export function compacted(messages?: readonly {role: 'user' | 'assistant' | 'tool'}[]): ThreadEvent {
  const counts = {original_message_count: 12, compacted_message_count: 1};
  const base = {type: 'thread.compact_boundary' as const, thread_id: 'thr_1', trigger: 'auto', mode: 'local', ...counts};
  return messages === undefined ? base : {...base, messages: [...messages]};
}

/** The system prompt and the tools of the next requests. */
export function frame(system: string, tools: readonly string[]): ThreadEvent {
  const parameters = {type: 'object', properties: {}};
  return {type: 'thread.frame', system, tools: tools.map((name) => ({name, description: `Does ${name}.`, parameters}))};
}

/** A turn with two parallel calls and an answer: every kind of item that a model makes. */
export function wholeTurn(): readonly ThreadEvent[] {
  const first = {id: 'c1'};
  const second = {id: 'c2', name: 'grep', arguments: '{"pattern":"x"}'};
  return [
    started(),
    turnStarted(),
    user('Fix it.'),
    reasoning('r1', 'Look first.', {signature: 's'}),
    text('r1', 'I look.'),
    callStarted('r1', first),
    callStarted('r1', second),
    answered('r1'),
    callCompleted('r1', second),
    output('r1', second, 'a.txt:1:x'),
    callCompleted('r1', first),
    output('r1', first, 'hello'),
    text('r2', 'Done.'),
    answered('r2'),
    turnCompleted(),
  ];
}

/** The events as a log holds them, one second apart. */
export function logged(events: readonly ThreadEvent[]): readonly LoggedEvent[] {
  let turn = 0;
  return events.map((event, index) => {
    if (event.type === 'turn.started') turn += 1;
    return {v: 1, seq: index + 1, ts: new Date(Date.UTC(2026, 0, 2, 3, 4, index)).toISOString(), turn, event};
  });
}
