import {describe, expect, it} from 'vitest';
import {keyBytes} from '../../../../src/hosts/tui/live-commands/key-bytes.ts';
import {keyOf} from '../../../screen/test-screen.ts';

const PLAIN = {applicationKeys: false, bracketedPaste: false};

describe('the bytes of keys (XTerm control sequences)', () => {
  it.each([
    ['a', 'a'],
    ['é', 'é'],
    ['😀', '😀'],
    ['space', ' '],
    ['enter', '\r'],
    ['tab', '\t'],
    ['shift+tab', '\x1b[Z'],
    ['escape', '\x1b'],
    ['backspace', '\x7f'],
    ['alt+backspace', '\x1b\x7f'],
    ['ctrl+backspace', '\x08'],
    ['ctrl+a', '\x01'],
    ['ctrl+c', '\x03'],
    ['ctrl+z', '\x1a'],
    ['ctrl+space', '\0'],
    ['ctrl+\\', '\x1c'],
    ['ctrl+-', '\x1f'],
    ['ctrl+_', '\x1f'],
    ['alt+x', '\x1bx'],
    ['ctrl+alt+x', '\x1b\x18'],
    ['alt+enter', '\x1b\r'],
    ['up', '\x1b[A'],
    ['ctrl+left', '\x1b[1;5D'],
    ['shift+end', '\x1b[1;2F'],
    ['ctrl+alt+shift+home', '\x1b[1;8H'],
    ['delete', '\x1b[3~'],
    ['ctrl+delete', '\x1b[3;5~'],
    ['pagedown', '\x1b[6~'],
    ['f1', '\x1bOP'],
    ['shift+f1', '\x1b[1;2P'],
    ['f5', '\x1b[15~'],
    ['f12', '\x1b[24~'],
    ['f13', undefined],
    ['clear', undefined],
    ['super+x', undefined],
  ])('%s', (name, bytes) => {
    expect(keyBytes(keyOf(name), PLAIN)).toBe(bytes);
  });

  it('the other codes of the arrows, for programs that asked for them', () => {
    const modes = {...PLAIN, applicationKeys: true};
    expect(['up', 'home', 'ctrl+up', 'delete'].map((name) => keyBytes(keyOf(name), modes))).toEqual([
      '\x1bOA',
      '\x1bOH',
      '\x1b[1;5A',
      '\x1b[3~',
    ]);
  });

  it.each([
    ['a\nb\r\nc', false, 'a\rb\rc'],
    ['a\nb', true, '\x1b[200~a\rb\x1b[201~'],
    ['a\x1b[201~rm -rf /\x03\x9b', true, '\x1b[200~a[201~rm -rf /\x1b[201~'],
    ['tab\there', false, 'tab\there'],
    ['\x1b', true, undefined],
  ])('a paste: %j, marked: %s', (text, bracketedPaste, bytes) => {
    expect(keyBytes({type: 'paste', text}, {...PLAIN, bracketedPaste})).toBe(bytes);
  });
});
