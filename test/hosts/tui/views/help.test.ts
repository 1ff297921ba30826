import {describe, expect, it} from 'vitest';
import {plainText} from '../../../../src/hosts/tui/cells/line.ts';
import {KEY_ACTIONS} from '../../../../src/hosts/tui/keys/key-actions.ts';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {helpLines} from '../../../../src/hosts/tui/views/help.ts';

const size = {columns: 200, rows: 50};
const helpOf = (keys: Readonly<Record<string, readonly string[]>> = {}) =>
  helpLines({commands: [], keymap: createKeymap(keys).keymap, size}).map(plainText);
const row = (name: string, does: string): string => `  ${name.padEnd(22)} ${does}`;

describe('helpLines', () => {
  it('has a row for every action of the table, as the table tells it', () => {
    expect(Object.values(KEY_ACTIONS).filter(({does}) => helpOf().filter((line) => line.slice(25) === does).length !== 1)).toEqual([]);
  });

  it('shows the keys that are bound, and leaves out what has none', () => {
    const {searchHistory, expand} = KEY_ACTIONS;
    const lines = helpOf({searchHistory: ['alt+r', 'pgup', 'f5'], expand: []});
    expect(lines).toContain(row('Alt-R, PgUp', searchHistory.does));
    expect(lines.filter((line) => line.includes(expand.does))).toEqual([]);
  });

  it.each([
    ['ctrl+_', 'Ctrl-_'],
    ['+', '+'],
    ['ctrl++', 'Ctrl-+'],
    ['escape', 'Esc'],
  ])('shows %s as %s', (key, name) => {
    expect(helpOf({redo: [key]})).toContain(row(name, KEY_ACTIONS.redo.does));
  });
});
