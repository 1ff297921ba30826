import xterm from '@xterm/headless';
import {describe, expect, it, onTestFinished} from 'vitest';
import {childEnvironment} from '../../../src/exec/variables/child-environment.ts';
import {readCells} from '../../../src/exec/terminal/terminal-cells.ts';
import {openCommandTerminal, type CommandTerminal} from '../../../src/exec/terminal/terminal.ts';
import type {ScreenCells} from '../../../src/protocol/live-command.ts';
import {scratch} from '../../support/scratch.ts';

async function cellsOf(bytes: string, size = {cols: 20, rows: 4}): Promise<ScreenCells> {
  const emulator = new xterm.Terminal({...size, scrollback: 10, allowProposedApi: true});
  await new Promise<void>((resolve) => emulator.write(bytes, resolve));
  return readCells(emulator, {title: '', isCursorShown: true});
}

describe('the cells of a terminal', () => {
  it.each<[name: string, bytes: string, lines: ScreenCells['lines']]>([
    ['plain text', 'ab c', [[{text: 'ab c', columns: 4}]]],
    ['an empty screen', '', []],
    ['empty rows at the end and blanks are left out', 'a  \r\n\r\n   ', [[{text: 'a', columns: 1}]]],
    [
      'looks',
      '\x1b[1;31ma\x1b[0;3;4;44mb\x1b[0;7mc\x1b[0;2;9md',
      [
        [
          {text: 'a', columns: 1, look: {fg: 1, bold: true}},
          {text: 'b', columns: 1, look: {bg: 4, italic: true, underline: true}},
          {text: 'c', columns: 1, look: {inverse: true}},
          {text: 'd', columns: 1, look: {dim: true, strike: true}},
        ],
      ],
    ],
    [
      'colours of 256 and of 24 bits',
      '\x1b[38;5;208ma\x1b[0;48;2;1;2;255mb',
      [
        [
          {text: 'a', columns: 1, look: {fg: 208}},
          {text: 'b', columns: 1, look: {bg: '#0102ff'}},
        ],
      ],
    ],
    ['blanks with a background stay', '\x1b[44m  ', [[{text: '  ', columns: 2, look: {bg: 4}}]]],
    [
      'wide characters are runs of their own, with the columns they have',
      'a日b',
      [
        [
          {text: 'a', columns: 1},
          {text: '日', columns: 2},
          {text: 'b', columns: 1},
        ],
      ],
    ],
    ['what is hidden is blank', 'a\x1b[8msecret\x1b[0mb', [['a', '      ', 'b'].map((text) => ({text, columns: text.length}))]],
    [
      'a character that turns the direction is none of the text',
      'a\u202eb',
      [
        [
          {text: '\ufffd', columns: 1},
          {text: 'b', columns: 1},
        ],
      ],
    ],
    ['a mark without a letter', '\u0301a', [[{text: ' a', columns: 2}]]],
    ['a flood of marks', `x${'\u0301'.repeat(50)}`, [[{text: '\ufffd', columns: 1}]]],
    [
      'titles, links, clipboard and questions leave no cell',
      '\x1b]0;evil\x07\x1b]52;c;aGk=\x07\x1b]8;;http://x\x07a\x1b]8;;\x07\x1b[6n',
      [[{text: 'a', columns: 1, look: {underline: true}}]],
    ],
  ])('%s', async (_, bytes, lines) => {
    expect((await cellsOf(bytes)).lines).toEqual(lines);
  });

  it('what has scrolled away is not part of them; modes and cursor are', async () => {
    expect(await cellsOf('1\r\n2\r\n3\r\n4\r\n5\x1b[?1h\x1b[?2004h')).toEqual({
      columns: 20,
      rows: 4,
      lines: ['2', '3', '4', '5'].map((text) => [{text, columns: 1}]),
      cursor: {row: 3, column: 1},
      title: '',
      applicationKeys: true,
      bracketedPaste: true,
    });
  });
});

describe('a terminal that is looked at besides its reader', () => {
  async function open(command: string): Promise<CommandTerminal> {
    const cwd = await scratch();
    const terminal = await openCommandTerminal({command, cwd, env: childEnvironment(process.env), columns: 40, rows: 5, timeoutMs: 60_000});
    onTestFinished(() => terminal.end());
    return terminal;
  }

  async function until(terminal: CommandTerminal, fits: (cells: ScreenCells) => boolean): Promise<ScreenCells> {
    const found = Promise.withResolvers<ScreenCells>();
    const look = (): void => {
      const cells = terminal.cells();
      if (fits(cells)) found.resolve(cells);
    };
    const stop = terminal.onDrawn(look);
    look();
    const cells = await found.promise;
    stop();
    return cells;
  }

  it('tells each change, and takes nothing from the reader', async () => {
    const terminal = await open('printf "\\e[?25lready"; read -r _; printf "\\e[?25h\\e[32mdone"');
    const ready = await until(terminal, ({lines}) => lines.length > 0);
    expect([ready.lines, ready.cursor]).toEqual([[[{text: 'ready', columns: 5}]], undefined]);
    // The reader has not looked yet: there is something for it.
    await terminal.changed(new AbortController().signal);
    terminal.write('\r');
    const done = await until(terminal, ({lines}) => lines.flat().some(({text}) => text === 'done'));
    expect([done.lines[1], done.cursor]).toEqual([[{text: 'done', columns: 4, look: {fg: 2}}], {row: 1, column: 4}]);
  });

  it('has its last screen after its end, and tells that it has ended', async () => {
    const terminal = await open('printf last; read -r _');
    await until(terminal, ({lines}) => lines.length > 0);
    const told = Promise.withResolvers<void>();
    terminal.onDrawn(() => (terminal.ended() === undefined ? undefined : told.resolve()));
    await terminal.end();
    await told.promise;
    expect(terminal.cells().lines[0]).toEqual([{text: 'last', columns: 4}]);
  });
});
