import {describe, expect, it} from 'vitest';
import type {DueTurn} from '../../../../src/hosts/tui/host-adapter.ts';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';
import {EMPTY, play} from './play.ts';

const due: Action = {type: 'due'};
const ended: Action = {type: 'ended', ending: {outcome: 'success', lines: []}};
const turn = (over: Partial<DueTurn> = {}): Action => ({
  type: 'dueTurn',
  turn: {notice: 'Scheduled task 1a2b3c4d is due: check', prompt: 'check', hasMore: false, ...over},
});
const takes = (moves: readonly (string | Action)[]): number => play(moves).effects.filter(({type}) => type === 'takeDue').length;

describe('a task that is due (issue: "injected only at the idle boundary")', () => {
  it('is asked for at once where nothing runs', () => {
    expect(play([due]).effects).toEqual([{type: 'takeDue'}]);
  });

  it('begins as a turn of its own: a notice, its prompt, and the line that is being typed stays', () => {
    const {state, effects} = play(['h', 'a', 'l', 'f', due, turn()]);
    expect([state.entries, state.editor.text, state.work?.what, effects.slice(-1)]).toEqual([
      [
        {kind: 'notice', level: 'info', text: 'Scheduled task 1a2b3c4d is due: check'},
        {kind: 'user', text: 'check', origin: 'scheduled'},
      ],
      'half',
      'turn',
      [{type: 'submit', text: 'check', origin: 'scheduled'}],
    ]);
  });

  it('waits for the end of a turn', () => {
    const busy = [{type: 'submit', text: 'go'}, due] as const;
    expect([takes(busy), takes([...busy, ended])]).toEqual([0, 1]);
  });

  it('waits for what was typed ahead', () => {
    const moves = [{type: 'submit', text: 'go'}, due, 'n', 'e', 'x', 't', 'enter', ended] as const;
    expect([takes(moves), takes([...moves, ended])]).toEqual([0, 1]);
  });

  it('waits until the session is open, and for a choice that is being made', () => {
    const opening = play([due], {...EMPTY, isOpening: true});
    const pick: Action = {type: 'pick', title: 'Which?', command: 'model', items: [{value: 'a', label: 'a'}]};
    expect([opening.effects, play([{type: 'commands', commands: []}], opening.state).effects]).toEqual([[], [{type: 'takeDue'}]]);
    expect([takes([pick, due]), takes([pick, due, 'escape'])]).toEqual([0, 1]);
  });

  it('that was cancelled meanwhile changes nothing', () => {
    expect(play([due, {type: 'dueTurn', turn: undefined}]).state.entries).toEqual([]);
  });

  it('another one that is due comes after it', () => {
    expect([takes([due, turn({hasMore: true})]), takes([due, turn({hasMore: true}), ended])]).toEqual([1, 2]);
  });

  it('a reminder is a notice that rings, and begins no turn', () => {
    const {state, effects} = play([due, turn({notice: 'Reminder: stand up', prompt: undefined})]);
    expect([state.work, state.entries, effects.slice(-1)]).toEqual([
      undefined,
      [{kind: 'notice', level: 'info', text: 'Reminder: stand up'}],
      [{type: 'notify', kind: 'turn_ended', text: 'Reminder: stand up'}],
    ]);
  });

  it('Ctrl-C ends its turn, as any other', () => {
    expect(play([due, turn(), 'ctrl+c']).effects.slice(-1)).toEqual([{type: 'cancel'}]);
  });

  it('a prompt of a task is none of the screen: a slash is resolved by the session', () => {
    expect(play([due, turn({prompt: '/theme dark'})]).effects.slice(-1)).toEqual([
      {type: 'submit', text: '/theme dark', origin: 'scheduled'},
    ]);
  });
});
