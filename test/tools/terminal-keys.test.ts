import {describe, expect, it} from 'vitest';
import {terminalKeys} from '../../src/tools/terminal-keys.ts';

describe('terminalKeys', () => {
  it.each([
    ['line ends are Enter', 'a\nb\r\n', 'a\rb\r'],
    ['control keys', '<C-c><C-D><C-z>', '\u0003\u0004\u001a'],
    ['named keys', '<Esc>:q<Enter><Tab><Backspace>', '\u001b:q\r\t\u007f'],
    ['arrows', '<Up><Down><Right><Left>', '\u001b[A\u001b[B\u001b[C\u001b[D'],
    ['other names are text', '<b>x</b> <C-1> a < b', '<b>x</b> <C-1> a < b'],
  ])('%s', (_, input, keys) => expect(terminalKeys(input, {applicationKeys: false})).toBe(keys));
  it('arrows, as programs that draw ask for them', () => expect(terminalKeys('<Up>', {applicationKeys: true})).toBe('\u001bOA'));
});
