import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {JsonObject} from '../../../src/base/json.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {createResponsesEmitter} from '../../../src/sessions/export/responses/emitter.ts';
import {checkResponseStream} from '../../checks/open-responses-check.ts';
import {anyLog} from '../random-log.ts';
import {
  answered,
  callCompleted,
  callStarted,
  compacted,
  output,
  started,
  text,
  turnCompleted,
  turnFailed,
  turnStarted,
  user,
} from '../events.ts';

function streamOf(events: readonly ThreadEvent[]): readonly JsonObject[] {
  const told: JsonObject[] = [];
  const emitter = createResponsesEmitter((event) => told.push(event));
  for (const event of events) emitter.take(event, 1_700_000_000_000);
  emitter.end();
  return told;
}

/** Type, and what tells events of a type apart. */
function brief(events: readonly JsonObject[]): readonly unknown[][] {
  return events.map((event) => {
    const {type, sequence_number: _, response, item, output_index: index, delta, text: whole} = event as Record<string, unknown>;
    const state = (response as {status?: string; id?: string} | undefined) ?? (item as {type?: string; status?: string} | undefined);
    const about =
      state === undefined
        ? [delta ?? whole]
        : ['id' in state && response !== undefined ? state.id : (state as {type?: string}).type, state.status];
    return [type, index, ...about].filter((part) => part !== undefined);
  });
}

function delta(id: string, said: string): ThreadEvent {
  return {type: 'item.updated', turn_id: 'trn_1', item_id: id, item_type: 'agent_message', delta: said};
}

const begun: ThreadEvent = {
  type: 'item.started',
  turn_id: 'trn_1',
  item: {id: 'r1-text', request_id: 'r1', type: 'agent_message', text: ''},
};
const retry: ThreadEvent = {type: 'item.completed', item: {id: 'h1', type: 'harness', event: 'model_retry', message: 'Again in 1 s.'}};

describe('a stream of Open Responses events (specification 2026-04-24)', () => {
  it('text is told as it arrives, calls when they are whole', () => {
    const call = {id: 'c1'};
    const events = [
      started(),
      turnStarted(),
      user('Go.'),
      begun,
      delta('r1-text', 'I '),
      delta('r1-text', 'look.'),
      text('r1', 'I look.'),
      callStarted('r1', call),
      answered('r1'),
      callCompleted('r1', call),
      output('r1', call, 'hello'),
      text('r2', 'Done.'),
      answered('r2'),
      turnCompleted(),
    ];
    const told = streamOf(events);
    expect(checkResponseStream(told)).toEqual([]);
    expect(brief(told)).toEqual([
      ['response.created', 'resp_trn_1', 'in_progress'],
      ['response.in_progress', 'resp_trn_1', 'in_progress'],
      ['response.output_item.added', 0, 'message', 'in_progress'],
      ['response.output_item.done', 0, 'message', 'completed'],
      ['response.output_item.added', 1, 'message', 'in_progress'],
      ['response.content_part.added', 1],
      ['response.output_text.delta', 1, 'I '],
      ['response.output_text.delta', 1, 'look.'],
      ['response.output_item.added', 2, 'function_call', 'in_progress'],
      ['response.function_call_arguments.delta', 2, '{"path":"a.txt"}'],
      ['response.function_call_arguments.done', 2],
      ['response.output_item.done', 2, 'function_call', 'completed'],
      ['response.output_text.done', 1, 'I look.'],
      ['response.content_part.done', 1],
      ['response.output_item.done', 1, 'message', 'completed'],
      ['response.output_item.added', 3, 'function_call_output', 'in_progress'],
      ['response.output_item.done', 3, 'function_call_output', 'completed'],
      ['response.output_item.added', 4, 'message', 'in_progress'],
      ['response.content_part.added', 4],
      ['response.output_text.delta', 4, 'Done.'],
      ['response.output_text.done', 4, 'Done.'],
      ['response.content_part.done', 4],
      ['response.output_item.done', 4, 'message', 'completed'],
      ['response.completed', 'resp_trn_1', 'completed'],
    ]);
    expect(told.filter(({type}) => type === 'response.output_item.done').map(({item}) => (item as JsonObject)['phase'])).toEqual([
      undefined,
      undefined,
      'commentary',
      undefined,
      'final_answer',
    ]);
  });

  it('text that a retry voids ends its response as incomplete ("an incomplete item MUST be the last item emitted")', () => {
    const told = streamOf([
      turnStarted(),
      begun,
      delta('r1-text', 'Half'),
      retry,
      text('r1', 'Whole.', 'other'),
      answered('r1'),
      turnCompleted(),
    ]);
    expect(checkResponseStream(told)).toEqual([]);
    const ends = told
      .filter(({type}) => type === 'response.incomplete' || type === 'response.completed')
      .map(({response}) => response as JsonObject);
    expect(ends.map(({id, previous_response_id: previous, incomplete_details: why}) => [id, previous, why])).toEqual([
      ['resp_trn_1', null, {reason: 'retried'}],
      ['resp_trn_1_2', 'resp_trn_1', null],
    ]);
  });

  it('a retry before anything was said leaves no trace but the item of the harness', () => {
    const told = streamOf([turnStarted(), begun, retry, text('r1', 'Whole.', 'other'), answered('r1'), turnCompleted()]);
    expect(brief(told).filter(([type]) => type === 'response.output_item.done')).toEqual([
      ['response.output_item.done', 0, 'fettle:harness', 'completed'],
      ['response.output_item.done', 1, 'message', 'completed'],
    ]);
  });

  it.each([
    ['cancelled', {reason: 'cancelled'}, null],
    ['provider_error', {reason: 'provider_error'}, {code: 'provider_error', message: 'It stopped.'}],
  ] as const)('%s in the middle of a text: incomplete, and why', (outcome, incomplete_details, error) => {
    const told = streamOf([turnStarted(), begun, delta('r1-text', 'Half'), turnFailed(outcome)]);
    expect(checkResponseStream(told)).toEqual([]);
    expect(told.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: {incomplete_details, error, output: [{status: 'incomplete'}]},
    });
  });

  it('a failure between texts is failed', () => {
    const told = streamOf([turnStarted(), user('Go.'), turnFailed('provider_error')]);
    expect(told.at(-1)).toMatchObject({type: 'response.failed', response: {error: {code: 'provider_error'}}});
  });

  it('what has no form in the specification stands under our prefix; what the harness says is a developer message', () => {
    const told = streamOf([
      turnStarted(),
      {type: 'item.completed', turn_id: 'trn_1', item: {id: 'u', type: 'user_message', text: 'Not done yet.', origin: 'harness'}},
      {
        type: 'item.completed',
        turn_id: 'trn_1',
        item: {id: 'f', type: 'file_change', changes: [{path: 'a', kind: 'update'}], status: 'failed'},
      },
      compacted(),
      turnCompleted(),
    ]);
    expect(checkResponseStream(told)).toEqual([]);
    expect((told.at(-1)?.['response'] as JsonObject | undefined)?.['output']).toEqual([
      {type: 'message', id: 'u', status: 'completed', role: 'developer', content: [{type: 'input_text', text: 'Not done yet.'}]},
      {type: 'fettle:file_change', id: 'f', status: 'completed', changes: [{path: 'a', kind: 'update'}]},
      {
        type: 'fettle:compaction',
        id: 'compaction_2',
        status: 'completed',
        trigger: 'auto',
        mode: 'local',
        original_message_count: 12,
        compacted_message_count: 1,
      },
    ]);
  });

  it('after a rewinding the chain goes on from before it', () => {
    const turn = (id: string): ThreadEvent[] => [turnStarted(id), turnCompleted(id)];
    const rewound: ThreadEvent = {type: 'thread.rewound', thread_id: 'thr_1', to: 't2', checkpoint_id: 'chk_1'};
    const undone: ThreadEvent = {type: 'thread.rewound', thread_id: 'thr_1', to: 'chk_1', checkpoint_id: 'chk_2'};
    const told = streamOf([...turn('t1'), ...turn('t2'), rewound, ...turn('t3'), undone, ...turn('t4')]);
    const ends = told.filter(({type}) => type === 'response.completed').map(({response}) => response as JsonObject);
    expect(ends.map(({id, previous_response_id: previous}) => [id, previous])).toEqual([
      ['resp_t1', null],
      ['resp_t2', 'resp_t1'],
      ['resp_t3', 'resp_t1'],
      ['resp_t4', 'resp_t2'],
    ]);
  });

  it('any events in any order make a valid stream', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        expect(checkResponseStream(streamOf(log.map(({event}) => event)))).toEqual([]);
      }),
      {numRuns: 1000},
    );
  });
});
