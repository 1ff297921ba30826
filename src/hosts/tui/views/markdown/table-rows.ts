import type {Tokens} from 'marked';
import {plainText, span, type Line} from '../../cells/line.ts';
import {lineWidth, wrapLine} from '../../cells/wrap-line.ts';
import {inlineLines} from './inline-spans.ts';

/** Fits a table to the width: wide columns are narrowed and their cells wrapped; if that leaves too little room, each cell gets a row. */
export function tableRows(table: Tokens.Table, width: number): readonly Line[] {
  const head = table.header.map((cell) => cellLine(cell, 'bold'));
  const body = table.rows.map((row) => row.map((cell) => cellLine(cell)));
  const natural = head.map((line, column) => [line, ...body.map((row) => row[column] ?? [])].reduce(widest, 1));
  const widths = fittedWidths(natural, width - GAP.length * (head.length - 1));
  if (widths === undefined) return cellByCell(head, body, width);
  const layout = {widths, align: table.align};
  const rule = span(widths.map((columns) => '─'.repeat(columns)).join('─┼─'), 'border');
  return [...gridRows(head, layout), [rule], ...body.flatMap((row) => gridRows(row, layout))];
}

/** The widths of columns that fit into `room`: the widest give up most; undefined if one would be too narrow to read. */
export function fittedWidths(natural: readonly number[], room: number): readonly number[] | undefined {
  const sorted = natural.toSorted((left, right) => left - right);
  let left = room;
  let most = Infinity;
  for (const [index, columns] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (columns > share) {
      most = share;
      break;
    }
    left -= columns;
  }
  return most < LEAST_COLUMN ? undefined : natural.map((columns) => Math.min(columns, most));
}

interface Layout {
  readonly widths: readonly number[];
  readonly align: Tokens.Table['align'];
}

function gridRows(cells: readonly Line[], {widths, align}: Layout): readonly Line[] {
  const columns = widths.map((width, column) => wrapLine(cells[column] ?? [], width));
  const height = Math.max(...columns.map(({length}) => length));
  return Array.from({length: height}, (_, row) =>
    columns.flatMap((lines, column) => {
      const cell = aligned(lines[row] ?? [], widths[column] ?? 0, align[column] ?? 'left');
      return column === 0 ? cell : [SEPARATOR, ...cell];
    }),
  );
}

function aligned(cell: Line, width: number, align: 'left' | 'right' | 'center'): Line {
  const room = Math.max(0, width - lineWidth(cell));
  const before = align === 'left' ? 0 : align === 'right' ? room : Math.floor(room / 2);
  const blanks = (count: number): Line => (count === 0 ? [] : [span(' '.repeat(count))]);
  return [...blanks(before), ...cell, ...blanks(room - before)];
}

/** `Head: cell`, one per row, with an empty row after each row of the table. */
function cellByCell(head: readonly Line[], body: readonly (readonly Line[])[], width: number): readonly Line[] {
  const names = head.map((line) => (plainText(line) === '' ? line : [...line, span(': ', 'bold')]));
  if (body.length === 0) return head.flatMap((line) => wrapLine(line, width));
  return body.flatMap((row, index) => {
    const rows = row.flatMap((cell, column) => wrapLine([...(names[column] ?? []), ...cell], width));
    return index === 0 ? rows : [[], ...rows];
  });
}

function cellLine(cell: Tokens.TableCell, ...style: readonly 'bold'[]): Line {
  return inlineLines(cell.tokens, style).flatMap((line, index) => (index === 0 ? line : [span(' '), ...line]));
}

function widest(most: number, line: Line): number {
  return Math.max(most, lineWidth(line));
}

const GAP = ' │ ';
const SEPARATOR = span(GAP, 'border');
const LEAST_COLUMN = 6;
