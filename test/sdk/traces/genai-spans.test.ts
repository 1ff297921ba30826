import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {createGenAiSpans} from '../../../src/sdk/traces/genai-spans.ts';
import {parentFrom, type TraceSpan} from '../../../src/sdk/traces/span.ts';
import {answered, callCompleted, callStarted, started, text, turnCompleted, turnFailed, turnStarted, user} from '../../sessions/events.ts';

function spansOf(events: readonly ThreadEvent[], content = false): readonly TraceSpan[] {
  const spans: TraceSpan[] = [];
  let next = 0;
  const made = createGenAiSpans({
    content,
    onSpan: (span) => spans.push(span),
    now: () => 1000,
    newId: (bytes) => String((next += 1)).padStart(bytes * 2, '0'),
    parent: undefined,
    agent: 'fettle',
  });
  for (const event of events) made.observe(event);
  return spans;
}

function ofAgent(event: ThreadEvent): ThreadEvent {
  return {type: 'agent.event', thread_id: 'thr_1', agent_id: 'worker-1', agent: 'worker', event};
}

/** A request of an agent, as its thread tells it. */
function askedBy(agent: string, request: string): ThreadEvent {
  return {...answered(request), agent} as ThreadEvent;
}

/** Name, own id and that of the parent. */
function tree(spans: readonly TraceSpan[]): unknown[] {
  return spans.map(({name, spanId, parentSpanId}) => [name, Number(spanId), parentSpanId && Number(parentSpanId)]);
}

function role(name: 'planner' | 'evaluator', status: 'running' | 'completed' | 'failed'): ThreadEvent {
  const ids = {agent_id: `${name}-1`, agent: name, child_thread_id: `thr_${name}`, run_id: 'run_1'};
  return {type: 'agent.status', thread_id: 'thr_1', ...ids, status, task: 'It.', role: name};
}

describe('GenAI spans', () => {
  it('the requests of subagents are in their turns, also of two with one profile, with what they were asked (content)', () => {
    const of = (id: string, event: ThreadEvent): ThreadEvent => ({
      type: 'agent.event',
      thread_id: 'thr_1',
      agent_id: id,
      agent: 'worker',
      event,
    });
    const spans = spansOf(
      [
        started(),
        turnStarted(),
        user('For the thread.'),
        ...['worker-1', 'worker-2'].flatMap((id) => [of(id, started({thread_id: `thr_${id}`})), of(id, turnStarted(`trn_${id}`))]),
        of('worker-1', user('For one.')),
        of('worker-2', user('For two.')),
        of('worker-2', text('r2', 'Two.')),
        of('worker-1', text('r1', 'One.')),
        askedBy('worker', 'r1'),
        askedBy('worker', 'r2'),
        ...['worker-1', 'worker-2'].map((id) => of(id, turnCompleted(`trn_${id}`))),
        turnCompleted(),
      ],
      true,
    );
    expect(tree(spans)).toEqual([
      ['chat demo', 5, 3],
      ['chat demo', 6, 4],
      ['invoke_agent worker', 3, 2],
      ['invoke_agent worker', 4, 2],
      ['invoke_agent fettle', 2, undefined],
    ]);
    expect(spans.slice(0, 2).map(({attributes}) => [attributes['gen_ai.conversation.id'], attributes['gen_ai.input.messages']])).toEqual([
      ['thr_worker-1', '[{"role":"user","parts":[{"type":"text","content":"For one."}]}]'],
      ['thr_worker-2', '[{"role":"user","parts":[{"type":"text","content":"For two."}]}]'],
    ]);
  });

  it('planner and evaluator are agents with spans of their own; nothing of the thread is given as theirs', () => {
    const spans = spansOf(
      [
        started(),
        turnStarted(),
        user('It.'),
        role('planner', 'running'),
        askedBy('planner', 'r1'),
        askedBy('planner', 'r2'),
        role('planner', 'completed'),
        role('evaluator', 'running'),
        role('evaluator', 'failed'),
        turnCompleted(),
      ],
      true,
    );
    expect(tree(spans)).toEqual([
      ['chat demo', 4, 3],
      ['chat demo', 5, 3],
      ['invoke_agent planner', 3, 2],
      ['invoke_agent evaluator', 6, 2],
      ['invoke_agent fettle', 2, undefined],
    ]);
    expect(
      spans.map(({attributes, isError}) => [attributes['gen_ai.conversation.id'], attributes['gen_ai.input.messages'], isError]),
    ).toEqual([
      ['thr_planner', undefined, false],
      ['thr_planner', undefined, false],
      ['thr_planner', undefined, false],
      ['thr_evaluator', undefined, true],
      ['thr_1', undefined, false],
    ]);
    expect(spans[2]?.attributes).toMatchObject({
      'gen_ai.agent.name': 'planner',
      'gen_ai.request.model': 'demo',
      'gen_ai.usage.input_tokens': 200,
      'fettle.requests': 2,
      'fettle.cost_usd': 0.5,
    });
  });

  it('the turns of a subagent hang in the turn that started it, with what they did', () => {
    const spans = spansOf([
      started(),
      turnStarted(),
      ofAgent(started({thread_id: 'thr_2'})),
      ofAgent(turnStarted('trn_2')),
      ofAgent(answered('r9')),
      ofAgent(turnCompleted('trn_2')),
      turnCompleted(),
    ]);
    expect(
      spans.map(({name, traceId, spanId, parentSpanId}) => [name, Number(traceId), Number(spanId), parentSpanId && Number(parentSpanId)]),
    ).toEqual([
      ['chat demo', 1, 4, 3],
      ['invoke_agent worker', 1, 3, 2],
      ['invoke_agent fettle', 1, 2, undefined],
    ]);
    expect(spans[1]?.attributes['gen_ai.conversation.id']).toBe('thr_2');
  });

  it('a turn that was cancelled in a call has both spans, and says how it ended', () => {
    const call = {id: 'c1', name: 'bash'};
    const spans = spansOf([started(), turnStarted(), callStarted('r1', call), turnFailed('cancelled')]);
    expect(spans.map(({name, isError, attributes}) => [name, isError, attributes['error.type'], attributes['error.message']])).toEqual([
      ['execute_tool bash', false, undefined, undefined],
      ['invoke_agent fettle', true, 'cancelled', undefined],
    ]);
  });

  it('nothing outside of a turn is a span, and a log that begins anywhere makes none that is broken', () => {
    expect(spansOf([answered('r1'), callCompleted('r1', {id: 'c1'}), turnCompleted()])).toEqual([]);
  });

  it.each([
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', {traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331'}],
    ['00-00000000000000000000000000000000-b7ad6b7169203331-01', undefined],
    ['nonsense', undefined],
    [undefined, undefined],
  ])('traceparent %s (W3C Trace Context)', (header, parent) => {
    expect(parentFrom(header)).toEqual(parent);
  });
});
