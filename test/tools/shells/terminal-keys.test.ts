import {describe, expect, it} from 'vitest';
import {terminalKeys} from '../../../src/tools/shells/terminal-keys.ts';

describe('terminalKeys', () => {
  it.each([
    ['line ends are Enter', 'a\nb\r\n', 'a\rb\r'],
    ['control keys', '<C-c><C-D><C-z>', '\u0003\u0004\u001a'],
    ['named keys', '<Esc>:q<Enter><Tab><Backspace>', '\u001b:q\r\t\u007f'],
    ['arrows', '<Up><Down><Right><Left>', '\u001b[A\u001b[B\u001b[C\u001b[D'],
    ['Alt, Shift-Tab, Ctrl with signs', '<A-b><S-Tab><C-[><C-\\><C-@>', '\u001bb\u001b[Z\u001b\u001c\u0000'],
    ['Home, End, pages', '<Home><End><PageUp><PageDown><Insert><Delete><Space>', '\u001b[H\u001b[F\u001b[5~\u001b[6~\u001b[2~\u001b[3~ '],
    ['function keys', '<F1><F4><F5><F6><F12><F13>', '\u001bOP\u001bOS\u001b[15~\u001b[17~\u001b[24~<F13>'],
    ['other names are text', '<b>x</b> <C-1> a < b', '<b>x</b> <C-1> a < b'],
  ])('%s', (_, input, keys) => expect(terminalKeys(input, {applicationKeys: false})).toBe(keys));
  it('arrows, as programs that draw ask for them', () =>
    expect(terminalKeys('<Up><Home>', {applicationKeys: true})).toBe('\u001bOA\u001bOH'));
});
