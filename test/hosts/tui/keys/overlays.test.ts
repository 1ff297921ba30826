import {describe, expect, it} from 'vitest';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';
import {EMPTY, play, typed, type Move} from '../model/play.ts';

const PICK: Action = {
  type: 'pick',
  title: 'Models',
  command: 'model',
  items: ['small', 'large', 'huge'].map((value) => ({value, label: value, detail: `the ${value} one`})),
};
const effects = (moves: readonly Move[]) => play(moves).effects;
const chosen = (value: string) => [{type: 'command', name: 'model', typed: value}];

describe('a picker', () => {
  it.each<[string, readonly Move[], string]>([
    ['Enter takes the first', ['enter'], 'small'],
    ['arrows move', ['down', 'down', 'up', 'enter'], 'large'],
    ['not beyond the end', ['pagedown', 'down', 'enter'], 'huge'],
    ['words are searched for, also in the details', [...typed('one hu'), 'enter'], 'huge'],
    ['Backspace takes a character of the search away', [...typed('hx'), 'backspace', 'enter'], 'huge'],
  ])('%s', (_, moves, value) => {
    const {state, effects} = play([PICK, ...moves]);
    expect([state.overlay, state.work?.what, effects]).toEqual([undefined, 'command', chosen(value)]);
  });

  it('begins on what holds now', () => {
    const at = (current: string | undefined) => play([{...PICK, current}]).state.overlay;
    expect([at('huge'), at('gone'), at(undefined)]).toMatchObject([{at: 2}, {at: 0}, {at: 0}]);
  });

  it('takes nothing where nothing fits, and a picture back as a whole', () => {
    expect(effects([PICK, ...typed('zzz'), 'enter'])).toEqual([]);
    expect(play([PICK, '👍🏽', 'backspace']).state.overlay).toMatchObject({query: ''});
  });

  it('queues its command while something runs', () => {
    const {state, effects} = play([PICK, {type: 'submit', text: 'go'}, 'enter']);
    expect([state.queue, effects]).toEqual([['/model small'], [{type: 'submit', text: 'go'}]]);
  });
});

describe('every overlay', () => {
  it.each<[string, readonly Move[]]>([
    ['help', ['?']],
    ['picker', [PICK]],
    ['history search', ['ctrl+r', 'o']],
    ['pager', ['ctrl+o']],
  ])('%s is left with Esc and with Ctrl-C, which then leaves nothing else', (_, moves) => {
    expect(play(moves).state.overlay).not.toBe(undefined);
    expect(play([...moves, 'escape'])).toMatchObject({state: {editor: EMPTY.editor}, effects: []});
    for (const key of ['escape', 'ctrl+c']) expect(play([...moves, key]).state.overlay).toBe(undefined);
  });

  it('? is a character behind others', () => {
    const {state} = play(typed('a?'));
    expect([state.overlay, state.editor.text]).toEqual([undefined, 'a?']);
  });
});
