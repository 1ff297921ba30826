import * as fc from 'fast-check';
import {createSessionMemory} from '../../../src/context/memory/session-memory.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {createHistory} from '../../../src/sessions/history.ts';
import {
  answered,
  callCompleted,
  callStarted,
  compacted,
  output,
  reasoning,
  started,
  text,
  turnCompleted,
  turnStarted,
  user,
} from '../events.ts';

export type Step =
  | {readonly kind: 'turn' | 'reply' | 'compaction' | 'strange compaction' | 'question' | 'answer'}
  | {readonly kind: 'change' | 'rewinding'; readonly which: number};

/** What may happen in a long session. */
export const anySteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {weight: 4, arbitrary: fc.record({kind: fc.constantFrom('turn' as const, 'reply' as const)})},
    {weight: 2, arbitrary: fc.record({kind: fc.constantFrom('compaction' as const, 'question' as const, 'answer' as const)})},
    {weight: 1, arbitrary: fc.constant({kind: 'strange compaction' as const})},
    {weight: 2, arbitrary: fc.record({kind: fc.constantFrom('change' as const, 'rewinding' as const), which: fc.nat()})},
  ),
  {maxLength: 30},
);

/** The events of these steps: a rewinding goes to a point that the conversation reaches, a compaction carries what the memory was. */
export function eventsOf(steps: readonly Step[]): readonly ThreadEvent[] {
  const [history, memory] = [createHistory(), createSessionMemory('thr_1')];
  const events: ThreadEvent[] = [];
  const points: string[] = [];
  const asked: string[] = [];
  const put = (event: ThreadEvent): void => {
    events.push(event);
    history.apply(event);
    memory.observe(event);
  };
  put(started());
  for (const [at, step] of steps.entries()) for (const event of eventsOfStep(step, at)) put(event);
  return events;

  function eventsOfStep(step: Step, at: number): readonly ThreadEvent[] {
    switch (step.kind) {
      case 'turn':
        points.push(`trn_${at}`);
        return [turnStarted(`trn_${at}`), user(`Task ${at}.`, `u${at}`)];
      case 'reply':
        return replyWithCalls(`r${at}`);
      case 'compaction':
      case 'strange compaction': {
        const boundary = compacted([{role: 'user', text: `Shortened ${at}.`} as {role: 'user'}]);
        const strange = {...memory.envelope(), schema_version: 99};
        return [{...boundary, memory: step.kind === 'compaction' ? memory.envelope() : strange} as ThreadEvent];
      }
      case 'answer': {
        const input = asked.shift();
        const item = {id: `a${at}`, type: 'user_message' as const, text: 'As queued.', input_id: input};
        return input === undefined ? [] : [{type: 'item.completed', item}];
      }
      case 'question':
        asked.push(`in${at}`);
        return [
          {type: 'input.queued', thread_id: 'thr_1', input_id: `in${at}`, kind: 'follow_up', text: `Input ${at}`},
          {type: 'memory.noted', thread_id: 'thr_1', facts: [{fact: `fact ${at}`, source: 'x'}], run_id: `run${at}`},
          turnCompleted(`trn_${at}`),
        ];
      case 'change': {
        const changes = [{path: `f${step.which % 5}.ts`, kind: 'update' as const}];
        const todo = {id: '1', content: `Do ${at}`, status: 'pending', priority: 'low'} as const;
        return [
          {type: 'item.completed', item: {id: `c${at}`, type: 'file_change', changes, status: 'completed'}},
          {type: 'item.completed', item: {id: `t${at}`, type: 'todo_list', items: [todo]}},
        ];
      }
      case 'rewinding': {
        const reached = points.filter((id) => history.reaches(id));
        const to = reached[step.which % Math.max(1, reached.length)];
        if (to === undefined) return [];
        points.push(`chk_${at}`);
        return [{type: 'thread.rewound', thread_id: 'thr_1', to, checkpoint_id: `chk_${at}`}];
      }
    }
  }
}

/** Every point that a log names. */
export function pointsOf(events: readonly ThreadEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === 'turn.started') return [event.turn_id];
    return event.type === 'thread.rewound' ? [event.checkpoint_id] : [];
  });
}

function replyWithCalls(request: string): readonly ThreadEvent[] {
  const call = {id: `${request}-c`};
  return [
    reasoning(request, 'Hm.'),
    text(request, `Said in ${request}.`),
    callStarted(request, call),
    answered(request),
    callCompleted(request, call),
    output(request, call, `shown in ${request} `.repeat(5)),
  ];
}
