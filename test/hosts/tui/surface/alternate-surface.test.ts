import {expect, it} from 'vitest';
import {span, type Line} from '../../../../src/hosts/tui/cells/line.ts';
import {createAlternateSurface} from '../../../../src/hosts/tui/surface/alternate-surface.ts';
import {terminalTheme} from '../../../../src/hosts/tui/themes/terminal-themes.ts';
import {emulator} from '../../../screen/emulator.ts';

const lines = (...texts: string[]): Line[] => texts.map((text) => [span(text)]);

function started() {
  const terminal = emulator({columns: 20, rows: 4});
  return {terminal, surface: createAlternateSurface(terminal, {synchronized: false, looks: terminalTheme('dark', '16')}, 5)};
}

it('shows the newest final rows above the live ones, scrolls back to the oldest kept, and leaves nothing behind', () => {
  const {terminal, surface} = started();
  terminal.write('shell\r\n');
  surface.draw({above: lines('1', '2', '3', '4', '5', '6'), live: lines('live'), cursor: {row: 0, column: 4}});
  const newest = terminal.screen();
  surface.scroll(-10);
  const oldest = terminal.screen();
  surface.scroll(10);
  expect([newest, oldest, terminal.screen()]).toEqual([['4', '5', '6', 'live'], ['2', '3', '4', 'live'], newest]);
  expect([terminal.cursor(), terminal.problems]).toEqual([{row: 3, column: 4, isShown: true}, []]);
  surface.end({erase: false});
  expect([terminal.screen(), terminal.scrollback()]).toEqual([['shell', '', '', ''], []]);
});

it('writes nothing for the same frame, and only what changed for another', () => {
  const {terminal, surface} = started();
  const frame = (text: string) => ({above: [], live: lines('same', text), cursor: undefined});
  for (const text of ['abc', 'abc', 'aXc']) surface.draw(frame(text));
  expect(terminal.frames.slice(1)).toEqual(['\x1b[?25l\x1b[2;2HX\x1b[?25l']);
});
