import {describe, expect, it} from 'vitest';
import {editActionOf, KEY_ACTIONS} from '../../../../src/hosts/tui/keys/key-actions.ts';
import {keyNameOf} from '../../../../src/hosts/tui/keys/key-name.ts';
import {actionOf, createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';

const DEFAULT = createKeymap();
const press = (name: string, keymap = DEFAULT.keymap, isEmpty = false) => actionOf(keymap, {type: 'key', name}, {isEmpty});

describe('the keys by default', () => {
  it('have one action each, and every action has a key', () => {
    const keys = Object.values(KEY_ACTIONS).flatMap(({keys}) => keys);
    expect(DEFAULT.problems).toEqual([]);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => keyNameOf(key) !== key)).toEqual([]);
  });

  it.each([
    ['ctrl+a', 'lineStart'],
    ['alt+backspace', 'cutWordLeft'],
    ['ctrl+_', 'undo'],
    ['enter', 'submit'],
    ['shift+enter', 'newline'],
    ['ctrl+j', 'newline'],
    ['shift+tab', 'nextMode'],
    ['esc', 'cancel'],
    ['pageUp', 'pageUp'],
    ['ctrl+g', 'externalEditor'],
    ['f7', undefined],
  ])('%s: %s', (key, action) => {
    expect(press(key)).toBe(action);
  });

  it('a printable character acts only in an empty editor, a paste never', () => {
    const question = {type: 'key', name: '?', text: '?'} as const;
    expect([false, true].map((isEmpty) => actionOf(DEFAULT.keymap, question, {isEmpty}))).toEqual([undefined, 'help']);
    expect(actionOf(DEFAULT.keymap, {type: 'paste', text: '?'}, {isEmpty: true})).toBe(undefined);
  });

  it('become actions of the editor', () => {
    expect([editActionOf('up', 40), editActionOf('cutLineEnd', 40), editActionOf('submit', 40)]).toEqual([
      {type: 'vertical', by: -1, width: 40},
      {type: 'cut', what: 'lineEnd'},
      undefined,
    ]);
  });
});

describe('bindings of a person', () => {
  it('take the place of the default keys, and take keys from others', () => {
    const {keymap, problems} = createKeymap({submit: ['Ctrl+Enter'], newline: ['enter'], help: []});
    expect(problems).toEqual([]);
    expect(['ctrl+enter', 'enter', 'shift+enter', '?'].map((key) => press(key, keymap, true))).toEqual([
      'submit',
      'newline',
      undefined,
      undefined,
    ]);
  });

  it('what is wrong with them is reported, and the rest counts', () => {
    const {keymap, problems} = createKeymap({
      sumbit: ['f1'],
      undo: ['ctrl+z', 'hyper+x', 'f99', ''],
      redo: ['CTRL+Z', 'f2'],
      toString: ['f3'],
    });
    expect(problems).toEqual([
      {type: 'unknown_action', action: 'sumbit', nearest: 'submit'},
      {type: 'unknown_key', action: 'undo', key: 'hyper+x'},
      {type: 'unknown_key', action: 'undo', key: 'f99'},
      {type: 'unknown_key', action: 'undo', key: ''},
      {type: 'conflict', key: 'ctrl+z', actions: ['undo', 'redo']},
      {type: 'unknown_action', action: 'toString', nearest: undefined},
      {type: 'unreachable', action: 'suspend'},
    ]);
    expect([press('ctrl+z', keymap), press('f2', keymap), press('enter', keymap)]).toEqual(['undo', 'redo', 'submit']);
  });
});

describe('keyNameOf', () => {
  it.each([
    ['shift+ctrl+A', 'ctrl+shift+a'],
    ['Option+Left', 'alt+left'],
    ['ctrl++', 'ctrl++'],
    ['+', '+'],
    ['A', 'A'],
    [' ', 'space'],
    ['é', 'é'],
    ['PgDn', 'pagedown'],
    ['ctrl+', undefined],
    ['word', undefined],
  ])('%j is %s', (combination, name) => {
    expect(keyNameOf(combination)).toBe(name);
  });
});
