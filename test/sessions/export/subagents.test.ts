import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {exportSession} from '../../../src/sessions/export/export-session.ts';
import {encodeLine} from '../../../src/sessions/log-line.ts';
import {check} from '../../checks/atif-check.mjs';
import {scratch} from '../../support/scratch.ts';
import {answered, callCompleted, callStarted, logged, output, started, text, turnCompleted, turnStarted, user} from '../events.ts';

function status(child: string, task: string, state: 'running' | 'completed'): ThreadEvent {
  const agent = {agent_id: `agent-${child}`, agent: 'explore', child_thread_id: child, run_id: `run_${child}`, task};
  return {type: 'agent.status', thread_id: 'thr_1', status: state, ...agent};
}

function call(id: string, task: string) {
  return {id, name: 'task', arguments: JSON.stringify({agent: 'explore', task})};
}

const lines = (events: readonly ThreadEvent[]): string => logged(events).map(encodeLine).join('');

/** Two subagents that one reply started; the second starts one of its own, whose log was deleted. */
const PARENT = [
  started(),
  user('Look around.'),
  callStarted('r1', call('c1', 'find a')),
  callStarted('r1', call('c2', 'find b')),
  answered('r1'),
  status('thr_a', 'find a', 'running'),
  status('thr_b', 'find b', 'running'),
  status('thr_b', 'find b', 'completed'),
  callCompleted('r1', call('c1', 'find a')),
  output('r1', call('c1', 'find a'), 'a is here'),
  callCompleted('r1', call('c2', 'find b')),
  output('r1', call('c2', 'find b'), 'b is there'),
];

describe('subagents in exports', () => {
  it.each(['html', 'markdown'] as const)(
    '%s: each once, behind the call that started it; one that no call started is the last',
    async (format) => {
      const worker = (id: string, said: string): readonly ThreadEvent[] => [
        {...started({thread_id: id}), parent_thread_id: 'thr_1', agent: 'explore'} as ThreadEvent,
        user(`order for ${id}`),
        text(`x-${id}`, said),
        answered(`x-${id}`),
      ];
      const root = await scratch({
        'sessions/2026-01-02/thr_1.jsonl': lines([...PARENT, text('r2', 'All found.'), status('thr_c', 'check', 'running')]),
        'sessions/2026-01-02/thr_a.jsonl': lines(worker('thr_a', '- a is here')),
        'sessions/2026-01-03/thr_b.jsonl': lines([...worker('thr_b', 'b is there'), status('thr_d', 'more', 'running')]),
        'sessions/2026-01-03/thr_c.jsonl': lines(worker('thr_c', 'checked')),
        'sessions/2026-01-03/thr_d.jsonl': lines(worker('thr_d', 'deeper')),
      });
      const page = await exportSession(join(root, 'sessions/2026-01-02/thr_1.jsonl'), format);
      const shown = page.replaceAll('&#95;', '_').match(/Subagent agent-thr_\w|order for thr_\w|call_c\d|All found\./g);
      expect(shown).toEqual([
        'Subagent agent-thr_a',
        'order for thr_a',
        'Subagent agent-thr_b',
        'order for thr_b',
        'Subagent agent-thr_d',
        'order for thr_d',
        'All found.',
        'Subagent agent-thr_c',
        'order for thr_c',
      ]);
      expect(page).toContain(
        format === 'html'
          ? '<summary>Subagent agent-thr_a (explore, script/demo): interrupted, 1 request</summary><section class="user"><h2>Task</h2>'
          : '<summary>Subagent agent-thr&#95;a (explore, script/demo): interrupted, 1 request</summary>\n\n### Task\n\norder for thr_a',
      );
    },
  );

  it('ATIF: embedded, and the results of the calls that started them refer to them (RFC 0001, v1.7)', async () => {
    const root = await scratch({
      'sessions/2026-01-02/thr_1.jsonl': lines(PARENT),
      'sessions/2026-01-02/thr_a.jsonl': lines([started({thread_id: 'thr_a'}), user('find a'), text('x1', 'a is here'), answered('x1')]),
      'sessions/2026-01-03/thr_b.jsonl': lines([
        started({thread_id: 'thr_b'}),
        user('find b'),
        status('thr_gone', 'more', 'running'),
        status('thr_1', 'back', 'running'),
      ]),
    });
    const atif = JSON.parse(await exportSession(join(root, 'sessions/2026-01-02/thr_1.jsonl'), 'atif')) as {
      steps: {observation?: {results: {source_call_id: string; subagent_trajectory_ref?: unknown}[]}}[];
      subagent_trajectories: {trajectory_id: string; steps: {message: string}[]}[];
    };
    expect(check(atif)).toEqual([]);
    expect(atif.steps[1]?.observation?.results.map(({source_call_id: id, subagent_trajectory_ref: ref}) => [id, ref])).toEqual([
      ['call_c1', [{trajectory_id: 'thr_a'}]],
      ['call_c2', [{trajectory_id: 'thr_b'}]],
    ]);
    expect(atif.subagent_trajectories.map(({trajectory_id: id, steps}) => [id, steps.map(({message}) => message)])).toEqual([
      ['thr_a', ['find a', 'a is here']],
      ['thr_b', ['find b']],
    ]);
  });

  it('an event that is not as it must be is left out of every form but jsonl', async () => {
    const broken = [
      ...logged([user('Hello.')]),
      {v: 1, seq: 2, ts: 'x', turn: 0, event: {type: 'turn.failed', turn_id: 3}},
      {v: 1, seq: 3, ts: 'x', turn: 0, event: {type: 'new.thing'}},
    ];
    const root = await scratch({'s/d/thr_1.jsonl': broken.map((line) => `${JSON.stringify(line)}\n`).join('')});
    const file = join(root, 's/d/thr_1.jsonl');
    expect(check(JSON.parse(await exportSession(file, 'atif')))).toEqual([]);
    expect((await exportSession(file, 'jsonl')).trimEnd().split('\n')).toHaveLength(3);
  });

  it('Open Responses: behind the responses of the thread, each in a chain of its own that says whose it is', async () => {
    const worker = (id: string, agent?: string): ThreadEvent =>
      ({...started({thread_id: id}), parent_thread_id: 'thr_1', agent}) as ThreadEvent;
    const turn = (id: string): ThreadEvent[] => [turnStarted(`trn_${id}`), user('find'), turnCompleted(`trn_${id}`)];
    const root = await scratch({
      'sessions/2026-01-02/thr_1.jsonl': lines([...PARENT.slice(0, 1), turnStarted(), ...PARENT.slice(1), turnCompleted()]),
      'sessions/2026-01-02/thr_a.jsonl': lines([worker('thr_a', 'explore'), ...turn('a1'), ...turn('a2')]),
      'sessions/2026-01-03/thr_b.jsonl': lines([worker('thr_b'), ...turn('b1')]),
    });
    const text = await exportSession(join(root, 'sessions/2026-01-02/thr_1.jsonl'), 'open-responses');
    const all = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as {id: string; previous_response_id: string | null; metadata: object});
    expect(all.map(({id, previous_response_id: previous, metadata}) => [id, previous, metadata])).toEqual([
      ['resp_trn_1', null, {thread_id: 'thr_1', turn_id: 'trn_1'}],
      ['resp_trn_a1', null, {thread_id: 'thr_a', turn_id: 'trn_a1', parent_thread_id: 'thr_1', agent: 'explore'}],
      ['resp_trn_a2', 'resp_trn_a1', {thread_id: 'thr_a', turn_id: 'trn_a2', parent_thread_id: 'thr_1', agent: 'explore'}],
      ['resp_trn_b1', null, {thread_id: 'thr_b', turn_id: 'trn_b1', parent_thread_id: 'thr_1', agent: 'subagent'}],
    ]);
  });
});
