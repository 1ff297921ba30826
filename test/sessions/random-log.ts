import * as fc from 'fast-check';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import type {LoggedEvent} from '../../src/sessions/log-line.ts';
import {
  answered,
  broke,
  callCompleted,
  callStarted,
  compacted,
  frame,
  output,
  reasoning,
  started,
  text,
  turnCompleted,
  turnFailed,
  turnStarted,
  user,
} from './events.ts';

const request = fc.constantFrom('r1', 'r2', 'r3');
const call = fc.record({id: fc.constantFrom('c1', 'c2', 'c3'), callId: fc.constantFrom('x', 'y', '', 'c1')});
const turn = fc.constantFrom('trn_1', 'trn_2');

function begun(r: string, type: 'agent_message' | 'reasoning'): ThreadEvent {
  return {
    type: 'item.started',
    turn_id: 'trn_1',
    item: {id: `${r}-${type === 'reasoning' ? type : 'text'}`, request_id: r, type, text: ''},
  };
}

function grown(r: string, type: 'agent_message' | 'reasoning', delta: string): ThreadEvent {
  const id = `${r}-${type === 'reasoning' ? type : 'text'}`;
  return {type: 'item.updated', turn_id: 'trn_1', item_id: id, item_type: type, delta};
}

function agentStatus(child: string): ThreadEvent {
  const agent = {agent_id: 'worker-1', agent: 'worker', child_thread_id: child, run_id: 'run_1', task: 'x'};
  return {type: 'agent.status', thread_id: 'thr_1', status: 'completed', ...agent};
}

function odd(r: string, tokens: number): ThreadEvent {
  const usage = {
    input_tokens: tokens,
    cached_input_tokens: -tokens,
    cache_creation_tokens: 0.5,
    output_tokens: tokens * 1e300,
    reasoning_tokens: 1,
  };
  return {...answered(r), usage} as ThreadEvent;
}

const part = fc.oneof(
  fc.string().map((said) => ({type: 'text', text: said})),
  fc.tuple(call, fc.json()).map(([{callId}, args]) => ({type: 'tool_call', id: callId, name: 'read', arguments: args})),
  fc.constant({type: 'tool_call'}),
);
/** A message as the reader of logs lets it pass. */
const anyMessage = fc.oneof(
  fc.string().map((said) => ({role: 'user' as const, text: said})),
  fc.array(part).map((parts) => ({role: 'assistant' as const, parts})),
  fc.array(call).map((calls) => ({role: 'tool' as const, results: calls.map(({callId}) => ({callId, text: 'x'}))})),
);

const kind = fc.constantFrom('agent_message' as const, 'reasoning' as const);

/** Any event of a log, whether it makes sense there or not. */
export const anyEvent: fc.Arbitrary<ThreadEvent> = fc.oneof(
  fc.string().map((said) => user(said)),
  fc.tuple(request, fc.string()).map(([r, said]) => text(r, said)),
  fc.tuple(request, fc.string()).map(([r, said]) => reasoning(r, said)),
  fc.tuple(request, kind).map(([r, type]) => begun(r, type)),
  fc.tuple(request, kind, fc.string()).map(([r, type, delta]) => grown(r, type, delta)),
  fc.tuple(request, call, fc.json()).map(([r, c, args]) => callStarted(r, {...c, arguments: args})),
  fc.tuple(request, call, fc.string()).map(([r, c, args]) => callCompleted(r, {...c, arguments: args})),
  fc.tuple(request, call, fc.string()).map(([r, c, shown]) => output(r, c, shown)),
  request.map((r) => answered(r)),
  fc.tuple(request, fc.option(fc.string(), {nil: undefined})).map(([r, received]) => broke(r, received)),
  fc.tuple(request, fc.double({noNaN: true, noDefaultInfinity: true})).map(([r, tokens]) => odd(r, tokens)),
  fc.constantFrom('thr_1', 'thr_2', 'thr_3').map(agentStatus),
  fc.tuple(fc.string(), fc.uniqueArray(fc.string())).map(([system, names]) => frame(system, names)),
  fc.array(anyMessage).map((messages) => compacted(messages)),
  turn.map((t) => turnStarted(t)),
  turn.map((t) => turnCompleted(t)),
  turn.map((t) => turnFailed('provider_error', t)),
  turn.map((t) => turnFailed('cancelled', t)),
  fc
    .tuple(fc.constantFrom('trn_1', 'trn_2', 'chk_1', 'no'), fc.constantFrom('chk_1', 'chk_2'))
    .map(([to, id]): ThreadEvent => ({type: 'thread.rewound', thread_id: 'thr_1', to, checkpoint_id: id})),
  fc.constant<ThreadEvent>({
    type: 'item.completed',
    turn_id: 'trn_1',
    item: {id: 'h', type: 'harness', event: 'model_retry', message: 'x'},
  }),
  fc.constantFrom(started(), compacted()),
);

/** A log of such events; the time of a line may be anything. */
export const anyLog: fc.Arbitrary<readonly LoggedEvent[]> = fc
  .array(
    fc.tuple(anyEvent, fc.oneof({weight: 9, arbitrary: fc.constant('2026-01-02T03:04:05.678Z')}, {weight: 1, arbitrary: fc.string()})),
    {
      maxLength: 25,
    },
  )
  .map((lines) => lines.map(([event, ts], index) => ({v: 1, seq: index + 1, ts, turn: 0, event})));
