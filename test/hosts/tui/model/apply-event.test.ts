import {describe, expect, it} from 'vitest';
import * as send from '../../../screen/events.ts';
import {EMPTY, play, type Move} from './play.ts';

const entries = (moves: readonly Move[]) => play(moves).state.entries;
const tool = (origin: object) => ({
  kind: 'tool',
  id: 't1',
  callId: 't1:call',
  tool: 'bash',
  arguments: '{"command":"ls"}',
  startedAt: 0,
  output: '',
  ...origin,
});
const CALL = ['t1', 'bash', {command: 'ls'}] as const;

describe('the conversation', () => {
  it.each<[string, readonly Move[], readonly object[]]>([
    [
      'an answer arrives in pieces, and is whole in the end',
      [send.said('Hel'), send.said('lo'), send.answered('Hello.')],
      [{kind: 'answer', id: 'a1', text: 'Hello.', isFinal: true}],
    ],
    ['an answer that came at once', [send.answered('Hello.')], [{kind: 'answer', id: 'a1', text: 'Hello.', isFinal: true}]],
    [
      'one that was cut off stays, why is said once, and the next attempt is another one',
      [
        send.said('Hel'),
        send.requestFailed('aborted'),
        send.harness('model_retry', {message: 'aborted. Trying again'}),
        send.said('Hello.', 'a2'),
      ],
      [
        {kind: 'answer', id: 'a1', text: 'Hel', isFinal: true},
        {kind: 'notice', level: 'warning', text: 'aborted. Trying again'},
        {kind: 'answer', id: 'a2', text: 'Hello.', isFinal: false},
      ],
    ],
    [
      'what a command makes of what was typed is not shown again, what is steered is',
      [
        {type: 'submit', text: '/greet Bob'},
        send.completed({type: 'user_message', id: 'u1', text: 'Say hello to Bob.'}),
        send.completed({type: 'user_message', id: 'u2', text: 'louder', input_id: 'i1'}),
      ],
      [
        {kind: 'user', text: '/greet Bob'},
        {kind: 'user', text: 'louder', origin: 'steer'},
      ],
    ],
    ['an empty one is nothing', [send.answered(' \n')], []],
    [
      'thoughts, with their time',
      [send.thought('hm'), 3000, send.reasoned('hmm')],
      [{kind: 'reasoning', id: 'r1', text: 'hmm', isFinal: true, startedAt: 0, durationMs: 3000}],
    ],
    [
      'a call, its output while it runs, its end and what the model was shown',
      [
        send.called(...CALL),
        send.wrote('t1', 'a\n'),
        send.wrote('t1', 'b\n'),
        send.ran(...CALL),
        send.output('t1', 'a\nb\n', '2 rows\nmore'),
      ],
      [tool({state: 'success', durationMs: 1200, output: 'a\nb\n', summary: '2 rows'})],
    ],
    ['a call that was not seen to begin', [send.ran(...CALL, 'error')], [tool({state: 'error', durationMs: 1200})]],
    [
      'who decided it',
      [send.called(...CALL), send.resolved('t1', 'deny', 'rule', 'bash:ls')],
      [tool({state: 'running', decision: 'deny by rule, rule bash:ls'})],
    ],
    [
      'what has not come to its end with the turn',
      [send.called(...CALL), send.said('Hel'), 500, send.turnCompleted],
      [tool({state: 'cancelled', durationMs: 500}), {kind: 'answer', id: 'a1', text: 'Hel', isFinal: true}],
    ],
    [
      'a check of the work',
      [send.harness('verification_started', {command: 'npm test'}), 700, send.harness('verification_failed', {message: 'exit 1\nmore'})],
      [
        {
          kind: 'tool',
          id: '',
          callId: '',
          tool: 'check',
          arguments: '{"command":"npm test"}',
          state: 'error',
          startedAt: 0,
          output: '',
          durationMs: 700,
          summary: 'exit 1',
        },
      ],
    ],
    ['what the harness did', [send.harness('loop_detected')], [{kind: 'notice', level: 'warning', text: 'loop detected'}]],
  ])('%s', (_, moves, expected) => {
    expect(entries(moves)).toEqual(expected);
  });

  it.each<[string, readonly Move[], readonly string[]]>([
    ['by itself, with messages that went', [send.compacted(9, 3)], ['Conversation compacted: 9 messages to 3. The log keeps all of it.']],
    ['by itself, with none that went', [send.compacted(2, 2)], ['Conversation compacted. The log keeps all of it.']],
    ['by a command, which tells of it', [{type: 'submit', text: '/compact'}, send.compacted(9, 3)], []],
  ])('a conversation that was compacted %s', (_, moves, texts) => {
    expect(entries(moves).flatMap((entry) => (entry.kind === 'notice' ? [entry.text] : []))).toEqual(texts);
  });

  it('a prompt that was typed here stands there once, one from elsewhere is added', () => {
    const user = (text: string): Move => send.completed({type: 'user_message', id: text, text});
    expect(entries([{type: 'submit', text: 'go'}, user('go'), user('on')])).toEqual([
      {kind: 'user', text: 'go'},
      {kind: 'user', text: 'on'},
    ]);
  });

  it('an earlier conversation looks like the one that was', () => {
    const moves = [send.answered('one'), send.called(...CALL), send.ran(...CALL), send.output('t1', 'x')];
    const events = moves.flatMap((move) => (move.type === 'event' ? [move.event] : []));
    const end = {kind: 'notice', level: 'info', text: 'Resumed'};
    expect(entries([{type: 'replay', events}])).toEqual([...entries(moves), end]);
  });

  it('only the end of a long output is kept', () => {
    const [entry] = entries([send.called(...CALL), send.wrote('t1', `${'a'.repeat(20_000)}end`)]);
    expect(entry?.kind === 'tool' && [entry.output.length, entry.output.endsWith('end')]).toEqual([16 * 1024, true]);
  });

  it.each(['\x1b[2J', '\x1b]52;c;aGk=\x07', '\u202e'])('%j reaches no text', (hostile) => {
    const moves = [
      send.said(hostile),
      send.thought(hostile),
      send.called('t1', `bash${hostile}`, {}),
      send.wrote('t1', hostile),
      send.output('t2', hostile),
      send.todo([hostile, 'pending']),
      send.agent('w', 'running', hostile),
      send.agentCalled('w', `tool${hostile}`, {}),
    ];
    const {entries, todo, agents} = play(moves).state;
    expect(JSON.stringify({entries, todo, agents})).not.toContain(JSON.stringify(hostile).slice(1, -1));
  });
});

describe('beside the conversation', () => {
  it('tasks, as they stand now', () => {
    expect(play([send.todo(['a', 'pending']), send.todo(['a\nb', 'completed'], ['c', 'in_progress'])]).state.todo).toEqual([
      {text: 'a b', status: 'completed'},
      {text: 'c', status: 'in_progress'},
    ]);
  });

  it('subagents with what they do, until they have ended', () => {
    const {agents} = play([
      send.agent('w1', 'running', 'look'),
      send.agent('w2', 'running', 'build'),
      send.agentCalled('w1', 'bash', {command: 'ls'}),
      send.agent('w2', 'completed', 'build'),
    ]).state;
    expect(agents).toEqual([{id: 'w1', profile: 'worker', status: 'running', task: 'look', doing: 'bash {"command":"ls"}'}]);
  });

  it('the task of a command can be steered like any turn', () => {
    const begun: Move = {type: 'event', event: {type: 'turn.started', thread_id: 't', turn_id: 'turn'}};
    const {state, effects} = play([{type: 'submit', text: '/greet Bob'}, begun, 'x', 'ctrl+s']);
    expect([state.work?.what, effects.at(-1)]).toEqual(['turn', {type: 'steer', text: 'x'}]);
  });

  it('each event says that the turn is not stalled', () => {
    expect(play([{type: 'submit', text: 'go'}, 9000, send.said('x')]).state.work).toEqual({
      startedAt: 0,
      heardAt: 9000,
      isCancelling: false,
      what: 'turn',
    });
  });

  it('an unknown event changes nothing', () => {
    const event = {type: 'of.tomorrow'} as unknown as Parameters<typeof send.started>[0];
    expect(play([{type: 'event', event: event as never}]).state).toEqual(EMPTY);
  });
});
