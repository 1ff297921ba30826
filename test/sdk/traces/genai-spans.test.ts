import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {createGenAiSpans} from '../../../src/sdk/traces/genai-spans.ts';
import {parentFrom, type Span} from '../../../src/sdk/traces/span.ts';
import {answered, callCompleted, callStarted, started, turnCompleted, turnFailed, turnStarted} from '../../sessions/events.ts';

function spansOf(events: readonly ThreadEvent[]): readonly Span[] {
  const spans: Span[] = [];
  let next = 0;
  const made = createGenAiSpans({
    content: false,
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

describe('GenAI spans', () => {
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
