import {describe, expect, it} from 'vitest';
import {plainText} from '../../../../src/hosts/tui/cells/line.ts';
import {cellLines, scrollRange, type CellWindow} from '../../../../src/hosts/tui/live-commands/cell-lines.ts';
import type {ScreenCells} from '../../../../src/protocol/live-command.ts';
import {cells, numbered, run} from './cells.ts';

const texts = (screen: ScreenCells, window: CellWindow): readonly string[] => cellLines(screen, window).lines.map(plainText);
const at = (row: number, column = 0): Partial<ScreenCells> => ({cursor: {row, column}});
const WINDOW = {columns: 40, rows: 4};

describe('the window of a screen', () => {
  it.each<[name: string, screen: ScreenCells, up: number, first: string, cursor: ReturnType<typeof cellLines>['cursor']]>([
    ['all of a small one', cells(numbered(3), at(2, 1)), 0, 'row 1', {row: 2, column: 1}],
    ['the end', cells(numbered(10), at(9, 1)), 0, 'row 7', {row: 3, column: 1}],
    ['the end, where the cursor is hidden', cells(numbered(10)), 0, 'row 7', undefined],
    ['around a cursor further up', cells(numbered(10), at(4, 1)), 0, 'row 3', {row: 2, column: 1}],
    ['the beginning, where the cursor is', cells(numbered(10), at(0)), 0, 'row 1', {row: 0, column: 0}],
    ['a cursor below the last row', cells(numbered(5), at(6, 0)), 0, 'row 4', {row: 3, column: 0}],
    ['moved up', cells(numbered(10), at(9, 1)), 2, 'row 5', undefined],
    ['moved up too far', cells(numbered(10), at(9, 1)), 99, 'row 1', undefined],
    ['moved down from a cursor further up', cells(numbered(10), at(0)), -99, 'row 7', undefined],
  ])('%s', (_, screen, up, first, cursor) => {
    const shown = cellLines(screen, {...WINDOW, up});
    expect([plainText(shown.lines[0] ?? []), shown.cursor]).toEqual([first, cursor]);
  });

  it('how far it can be moved', () => {
    expect([
      scrollRange(cells(numbered(10), at(9)), 4),
      scrollRange(cells(numbered(10), at(0)), 4),
      scrollRange(cells(numbered(2)), 4),
    ]).toEqual([
      {most: 6, least: 0},
      {most: 0, least: -6},
      {most: 0, least: 0},
    ]);
  });

  it.each<[name: string, screen: ScreenCells, columns: number, shown: readonly string[]]>([
    ['cut at the right', cells(['abcdefgh']), 4, ['abcd']],
    ['follows the cursor to the right', cells(['abcdefgh'], at(0, 6)), 4, ['defg']],
    ['not beyond the last column', cells(['a'.repeat(39) + 'z'], at(0, 39)), 4, ['aaaz']],
    ['of a wide character that is cut, a blank', cells([[run('abc'), {text: '日', columns: 2}, run('d')]]), 4, ['abc ']],
    ['of an emoji that is cut, a blank', cells([[{text: '😀', columns: 2}, run('bcde')]], at(0, 4)), 4, [' bcd']],
    ['a wide character that fits', cells([[run('ab'), {text: '日', columns: 2}, run('d')]]), 4, ['ab日']],
  ])('%s', (_, screen, columns, shown) => {
    expect(texts(screen, {columns, rows: 1})).toEqual(shown);
  });

  it.each<[name: string, screen: ScreenCells, lines: unknown]>([
    ['on text', cells(['abc'], at(0, 1)), [{text: 'a'}, {text: 'b', look: {inverse: true}}, {text: 'c'}]],
    [
      'on text that is inverse',
      cells([[run('ab', {inverse: true, fg: 1})]], at(0, 0)),
      [
        {text: 'a', look: {inverse: false, fg: 1}},
        {text: 'b', look: {inverse: true, fg: 1}},
      ],
    ],
    ['behind the text', cells(['a'], at(0, 3)), [{text: 'a'}, {text: '  '}, {text: ' ', look: {inverse: true}}]],
    ['in an empty row', cells([], at(0, 0)), [{text: ' ', look: {inverse: true}}]],
    ['on a wide character', cells([[run('a'), {text: '日', columns: 2}]], at(0, 2)), [{text: 'a'}, {text: '日', look: {inverse: true}}]],
  ])('a cursor that is drawn: %s', (_, screen, line) => {
    expect(cellLines(screen, {...WINDOW, drawsCursor: true})).toEqual({lines: [line], cursor: undefined});
  });
});
