import {describe, expect, it} from 'vitest';
import {plainText} from '../../../../src/hosts/tui/cells/line.ts';
import {lineWidth} from '../../../../src/hosts/tui/cells/wrap-line.ts';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState, type ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {bottomLines} from '../../../../src/hosts/tui/views/bottom-lines.ts';
import {helpLines} from '../../../../src/hosts/tui/views/help.ts';
import {queueLines} from '../../../../src/hosts/tui/views/panels.ts';
import {play} from '../model/play.ts';

const COMMANDS = [
  {name: 'cost', description: 'show token usage and cost', group: 'session'},
  {name: 'permissions', hint: '[add RULE | remove RULE]', description: 'show the permission rules', group: 'session'},
] as const;

function stateOf(columns: number, rows: number, more: Partial<ScreenState> = {}): ScreenState {
  const state = initialState({size: {columns, rows}, now: 0, appName: 'Fettle', folder: 'app', keymap: createKeymap().keymap});
  return {...state, commands: COMMANDS, ...more};
}

describe('help', () => {
  it.each([20, 40, 80])('names and what they do stand in columns, and nothing is cut (%i columns)', (columns) => {
    const lines = helpLines(stateOf(columns, 24));
    expect([lines.slice(-8).map(plainText), lines.every((line) => lineWidth(line) <= columns)]).toMatchSnapshot();
  });

  it('says where it is, and ends at its end', () => {
    const end = play(['?', ...Array.from({length: 20}, () => 'pagedown'), 'up'], stateOf(80, 12)).state;
    const rows = bottomLines(end).lines.map(plainText);
    const back = play(['pageup', 'pageup', 'pageup'], end).state;
    expect([rows.at(-2), bottomLines(back).lines.map(plainText)[1]]).toMatchSnapshot();
  });
});

describe('a queue that is longer than its room', () => {
  const QUEUE = ['a', 'b', 'c', 'd', 'e'];
  it.each<[number, number | undefined]>([
    [5, undefined],
    [3, undefined],
    [3, 4],
    [1, undefined],
    [1, 3],
    [0, 3],
  ])('room %i, chosen %s: the chosen one is seen, and how many are not', (room, queueAt) => {
    expect(queueLines(stateOf(60, 24, {queue: QUEUE, queueAt}), room).map(plainText)).toMatchSnapshot();
  });
});
