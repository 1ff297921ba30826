import {describe, expect, it} from 'vitest';
import {boundedEntries, CLOSED, MOST_ENDED, OPENED} from '../../../../src/hosts/tui/agents/bounded-entries.ts';
import type {Subagent} from '../../../../src/hosts/tui/agents/subagent.ts';
import {statusWord} from '../../../../src/hosts/tui/agents/subagent.ts';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';
import type {Entry} from '../../../../src/hosts/tui/model/entry.ts';
import type {ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import type {ThreadEvent} from '../../../../src/protocol/events.ts';
import * as send from '../../../screen/events.ts';
import {play, type Move} from '../model/play.ts';

const eventsOf = (actions: readonly Action[]): readonly ThreadEvent[] =>
  actions.flatMap((action) => (action.type === 'event' ? [action.event] : []));
const agentLog = (id: string, actions: readonly Action[], isCut = false): Action => ({
  type: 'agentLog',
  id,
  log: {events: eventsOf(actions), isCut},
});
const agentOf = (state: ScreenState, id: string): Subagent | undefined => state.subagents.find((agent) => agent.id === id);
const shown = (entries: readonly Entry[] = []): readonly string[] =>
  entries.map((entry) => {
    if (entry.kind === 'tool') return `${entry.tool} ${entry.state}${entry.output === '' ? '' : `: ${entry.output}`}`;
    return entry.kind === 'banner' ? 'banner' : `${entry.kind}: ${entry.text}`;
  });
const standing = ({subagents}: ScreenState): readonly string[] => subagents.map((agent) => `${agent.id} ${statusWord(agent)}`);

const WORKER = [send.agent('w-1', 'running', 'Look')];
const DONE_CALL = [send.called('t1', 'read', {path: 'a'}), send.ran('t1', 'read', {path: 'a'}), send.output('t1', 'one')];

describe('what events tell of a subagent', () => {
  it('its conversation, its steps and its time are its own; the conversation of the thread has nothing of it', () => {
    const {state} = play([
      ...WORKER,
      ...send.byAgent('w-1', send.told('Look at it'), ...DONE_CALL, send.asked(100, 20), send.said('It is'), send.answered('It is there.')),
      5000,
      ...send.byAgent('w-1', send.asked(200, 5)),
      send.agent('w-1', 'completed', 'Look'),
    ]);
    expect([shown(agentOf(state, 'w-1')?.entries), agentOf(state, 'w-1')?.spent, state.entries]).toEqual([
      ['user: Look at it', 'read success: one', 'answer: It is there.'],
      {requests: 2, calls: 1, inputTokens: 300, outputTokens: 25, workedMs: 5000},
      [],
    ]);
  });

  it.each<[readonly Move[], string]>([
    [[send.agent('w-1', 'queued', 'Look')], 'queued'],
    [[...WORKER], 'running'],
    [[...WORKER, ...send.byAgent('w-1', send.requested('t1'))], 'waits for approval'],
    [[...WORKER, ...send.byAgent('w-1', send.requested('t1'), send.resolved('t1', 'allow', 'person'))], 'running'],
    [[send.agent('w-1', 'waiting', 'Look')], 'waits for approval'],
    [[...WORKER, send.agent('w-1', 'completed', 'Look')], 'done'],
    [[...WORKER, send.agent('w-1', 'failed', 'Look')], 'failed'],
    [[...WORKER, send.agent('w-1', 'closed', 'Look')], 'cancelled'],
    [[...WORKER, ...send.byAgent('w-1', send.requested('t1')), send.agent('w-1', 'closed', 'Look')], 'cancelled'],
  ])('how it stands %#: %s', (moves, word) => {
    expect(standing(play(moves).state)).toEqual([`w-1 ${word}`]);
  });

  it('what runs when it ends is cancelled, and a reply that is asked for again is final', () => {
    const {state} = play([
      ...WORKER,
      ...send.byAgent(
        'w-1',
        send.said('half'),
        send.harness('model_retry', {message: 'Again.'}),
        send.called('t1', 'bash', {command: 'x'}),
      ),
      send.agent('w-1', 'closed', 'Look'),
    ]);
    expect(shown(agentOf(state, 'w-1')?.entries)).toEqual(['answer: half', 'notice: Again.', 'bash cancelled']);
    expect(agentOf(state, 'w-1')?.entries[0]).toMatchObject({isFinal: true});
  });

  it('the list of the session is the order, with those of earlier turns', () => {
    const old = eventsOf([send.agent('w-0', 'failed', 'Old'), send.agent('w-1', 'running', 'Look')]);
    const agents = old.flatMap((event) => (event.type === 'agent.status' ? [event] : []));
    expect(standing(play([...WORKER, {type: 'agents', agents}]).state)).toEqual(['w-0 failed', 'w-1 running']);
  });

  it('another session has none of them', () => {
    expect(play([...WORKER, {type: 'switched', folder: 'x', info: {}}]).state.subagents).toEqual([]);
  });
});

describe('its log', () => {
  const LOGGED = [send.told('Look at it'), ...DONE_CALL, send.asked(10, 2), send.started({type: 'agent_message', id: 'a1', text: ''})];

  it('stands in front of what still arrives; nothing is told twice', () => {
    const {state} = play([
      ...WORKER,
      ...send.byAgent('w-1', ...LOGGED, send.harness('note', {message: 'A note.'}), send.said('half an ans')),
      'alt+a',
      agentLog('w-1', [...LOGGED, send.harness('note', {message: 'A note.'})]),
      ...send.byAgent('w-1', send.said('wer')),
    ]);
    expect(shown(agentOf(state, 'w-1')?.entries)).toEqual([
      'user: Look at it',
      'read success: one',
      'answer: half an answer',
      'notice: A note.',
    ]);
  });

  it('of one that has ended leaves nothing open, and tells what it used', () => {
    const {state} = play([
      send.agent('w-1', 'completed', 'Look'),
      'alt+a',
      agentLog('w-1', [...LOGGED, {...send.turnCompleted}, send.called('t2', 'bash', {command: 'x'})]),
    ]);
    expect(shown(agentOf(state, 'w-1')?.entries)).toEqual(['user: Look at it', 'read success: one', 'answer: ', 'bash cancelled']);
    expect(agentOf(state, 'w-1')?.spent).toEqual({requests: 1, calls: 1, inputTokens: 10, outputTokens: 2, workedMs: 1});
  });

  it('that is gone is said, and one that is cut too', () => {
    const gone = play([...WORKER, 'alt+a', {type: 'agentLog', id: 'w-1', log: undefined}]).state;
    const cut = play([...WORKER, 'alt+a', agentLog('w-1', [send.told('x')], true)]).state;
    expect([agentOf(gone, 'w-1')?.hasNoLog, agentOf(cut, 'w-1')?.isCut]).toEqual([true, true]);
  });
});

describe('what is kept of subagents', () => {
  const long = (at: number): Entry => ({kind: 'notice', level: 'info', text: `${at}`.padStart(1000, '.')});
  it.each<[string, readonly Entry[], number, number]>([
    ['nothing', [], 0, 0],
    ['few', Array.from({length: 5}, (_, at) => long(at)), 10, 5],
    ['many', Array.from({length: 20}, (_, at) => long(at)), 10, 10],
    ['long ones', Array.from({length: 9}, (_, at) => long(at)), 10, 9],
    ['too long ones', Array.from({length: 9}, (_, at) => ({...long(at), text: 'x'.repeat(6000)}) as Entry), 10, 1],
    ['one that is too long', [{kind: 'notice', level: 'info', text: 'x'.repeat(99_999)}], 10, 1],
  ])('%s', (_, entries, most, kept) => {
    const bounded = boundedEntries(entries, {entries: most, chars: 10_000});
    expect([bounded.entries, bounded.dropped]).toEqual([kept === 0 ? [] : entries.slice(-kept), entries.length - kept]);
  });

  /** Hundreds of calls in each of eight, with outputs of 5 KB. */
  const busy = (id: string, calls: number): readonly Action[] =>
    Array.from({length: calls}, (_, at) =>
      send.byAgent(
        id,
        send.called(`t${at}`, 'bash', {command: `${at}`}),
        send.ran(`t${at}`, 'bash', {}),
        send.output(`t${at}`, 'x'.repeat(5000)),
      ),
    ).flat();
  const charsOf = (agent: Subagent | undefined): number => JSON.stringify(agent?.entries ?? []).length;

  it('300 calls in each of 8 stay bounded; the one that is looked at has more, until it is left', () => {
    const ids = Array.from({length: 8}, (_, at) => `w-${at}`);
    const many = play(ids.flatMap((id) => [send.agent(id, 'running', 'Look'), ...busy(id, 300)])).state;
    const sizes = many.subagents.map((agent) => [agent.entries.length <= CLOSED.entries, charsOf(agent) < CLOSED.chars * 1.2, agent.isCut]);
    expect(sizes).toEqual(ids.map(() => [true, true, true]));
    const opened = play(['alt+a', ...busy('w-7', 300)], many).state;
    const left = play(['escape'], opened).state;
    const before = agentOf(many, 'w-7')?.entries.length ?? 0;
    expect(agentOf(opened, 'w-7')?.entries.length).toBe(before + 300);
    const counts = [left, play(['tab'], opened).state].map((state) => agentOf(state, 'w-7')?.entries.length);
    expect(counts).toEqual([before, before]);
    expect(agentOf(left, 'w-7')?.spent.calls).toBe(600);
  });

  it('of many that have ended only the newest keep something, and the one that is looked at', () => {
    const ids = Array.from({length: MOST_ENDED + 4}, (_, at) => `w-${at}`);
    const one = (id: string): readonly Action[] => [
      send.agent(id, 'running', 'Look'),
      ...send.byAgent(id, send.answered(`I am ${id}.`)),
      send.agent(id, 'completed', 'Look'),
    ];
    const {state} = play([...one('first'), 'alt+a', ...ids.flatMap(one)]);
    expect(state.subagents.map(({id, entries, isCut}) => [id, entries.length, isCut])).toEqual([
      ['first', 1, false],
      ...ids.map((id, at) => (at < 4 ? [id, 0, true] : [id, 1, false])),
    ]);
  });

  it('the rows that are shown stay where they are when the oldest entries go', () => {
    const entries = Array.from({length: OPENED.entries}, (_, at): Entry => ({
      kind: 'answer',
      id: `a${at}`,
      text: `answer ${at}`,
      isFinal: true,
    }));
    const {state} = play([...WORKER, 'alt+a']);
    const full: ScreenState = {...state, subagents: state.subagents.map((agent) => ({...agent, entries}))};
    const scrolled = play(['pageup', 'pageup'], full).state;
    const after = play(send.byAgent('w-1', send.answered('one more', 'b1'), send.answered('two more', 'b2')), scrolled).state;
    const at = ({overlay}: ScreenState): unknown => (overlay?.type === 'agent' ? overlay.from : undefined);
    const from = at(scrolled) as {entry: number; skip: number};
    expect(at(after)).toEqual({entry: from.entry - 2, skip: from.skip});
  });
});
