import {expect, it} from 'vitest';
import {isProcessAlive} from '../../../../src/hosts/tui/terminal/mode-record.ts';
import {RESTORE_ALL} from '../../../../src/hosts/tui/terminal/terminal-modes.ts';
import {backgroundFromEnv} from '../../../../src/hosts/tui/terminal/terminal-reply.ts';
import {emulator} from '../../../screen/emulator.ts';

it.each([
  ['15;0', 'dark'],
  ['0;15', 'light'],
  ['0;default;7', 'light'],
  ['12;8', 'dark'],
  ['', undefined],
  ['x', undefined],
])('COLORFGBG %j is %s', (value, background) => {
  expect(backgroundFromEnv({COLORFGBG: value})).toBe(background);
});

it('a terminal that a killed process has left is usable again', () => {
  const terminal = emulator({columns: 10, rows: 3});
  terminal.write('shell\r\n\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[31m');
  terminal.write(`${RESTORE_ALL}0123456789ab`);
  expect([terminal.screen(), terminal.looks(1), terminal.cursor().isShown]).toEqual([
    ['shell', '0123456789', 'ab'],
    [['0123456789', '']],
    true,
  ]);
  expect([isProcessAlive(process.pid), isProcessAlive(2 ** 30)]).toEqual([true, false]);
});
