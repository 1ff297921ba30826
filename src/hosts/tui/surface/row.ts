import {graphemes, graphemeWidth} from '../cells/cell-width.ts';
import type {Line} from '../cells/line.ts';
import type {Look} from '../cells/look.ts';
import {lookOf, PLAIN} from '../themes/looks.ts';
import {reduceLook} from '../themes/reduce-colour.ts';
import {harmlessText} from '../terminal/harmless-text.ts';
import {sgrBetween, sgrReset} from './sgr.ts';
import type {TerminalTraits} from '../terminal/terminal-output.ts';

/** A character in its place. */
export interface ScreenCell {
  readonly text: string;
  /** Columns; never 0. */
  readonly width: number;
  readonly look: Look;
  /** Terminals differ in how wide they show it: sequences of several characters, those beyond the basic plane, emoji, unassigned ones. */
  readonly isUnsure: boolean;
}

/** A line as the screen shows it, without blanks at its end. */
export interface ScreenRow {
  readonly cells: readonly ScreenCell[];
  readonly width: number;
}

/** The traits that the cells of a row depend on besides its text. */
export type RowTraits = Readonly<Pick<TerminalTraits, 'looks' | 'colours'>>;

/** The row of a line, cut at the width of the screen. */
export function rowOf(line: Line, {looks, colours = 'true'}: RowTraits, columns: number): ScreenRow {
  const cells: ScreenCell[] = [];
  let width = 0;
  for (const {text, style, look: own} of line) {
    const look = own === undefined ? lookOf(looks, style) : reduceLook(own, colours);
    for (const grapheme of graphemes(harmlessText(text))) {
      const cell = cellOf(grapheme, look);
      if (width + cell.width > columns) return withoutBlankEnd(cells);
      if (cell.width === 0) continue;
      cells.push(cell);
      width += cell.width;
    }
  }
  return withoutBlankEnd(cells);
}

/** Makes rows of lines; the same line is made into a row only once, as long as looks and width stay the same. */
export function createRows(): (lines: readonly Line[], traits: RowTraits, columns: number) => readonly ScreenRow[] {
  let known = new WeakMap<Line, ScreenRow>();
  let of: (RowTraits & {readonly columns: number}) | undefined;
  return (lines, {looks, colours}, columns) => {
    if (of?.looks !== looks || of.colours !== colours || of.columns !== columns) known = new WeakMap();
    of = {looks, colours, columns};
    return lines.map((line) => {
      const row = known.get(line) ?? rowOf(line, {looks, colours}, columns);
      known.set(line, row);
      return row;
    });
  };
}

/** The output that turns one row into the other; undefined if they are the same. */
export interface RowChange {
  /** From 0. */
  readonly column: number;
  readonly text: string;
  /** Something after it has to be erased. */
  readonly erasesEnd: boolean;
  readonly hasUnsure: boolean;
}

export function rowChange(old: ScreenRow, next: ScreenRow, columns: number): RowChange | undefined {
  if (old === next) return undefined;
  const first = sharedCells(old, next);
  const column = next.cells.slice(0, first).reduce((sum, {width}) => sum + width, 0);
  if (first === old.cells.length && first === next.cells.length) return undefined;
  const wasUnsure = old.cells.slice(first).some(({isUnsure}) => isUnsure);
  let changed = next.cells.slice(first);
  const hasUnsure = changed.some(({isUnsure}) => isUnsure);
  // After a character of unknown width everything is written again: it may have been covered.
  if (old.width === next.width && !wasUnsure && !hasUnsure) changed = changed.slice(0, changed.length - sameAtEnd(old, next, first));
  return {
    column,
    text: paint(changed, column, hasUnsure ? cellsByColumn(old) : NONE),
    erasesEnd: next.width < columns && (next.width < old.width || wasUnsure),
    hasUnsure: hasUnsure || wasUnsure,
  };
}

function sharedCells(old: ScreenRow, next: ScreenRow): number {
  const at = next.cells.findIndex((cell, index) => !isSame(old.cells[index], cell));
  return at < 0 ? next.cells.length : at;
}

export const EMPTY_ROW: ScreenRow = {cells: [], width: 0};

/** Returns true if two rows look the same. */
export function isSameRow(one: ScreenRow, other: ScreenRow): boolean {
  return one === other || (one.cells.length === other.cells.length && one.cells.every((cell, at) => isSame(other.cells[at], cell)));
}

/** Pictures such as ✅ and ☰: narrow before Unicode 9 and 16, and still in terminals with an older table. */
const LATER_WIDE = /^[\u2300-\u2bff\u4dc0-\u4dff]$/;

/** Not assigned (most tables have them wide among Han), isolated parts of Hangul syllables, and signs that tables disagree on. */
const DISPUTED = /[\p{Unassigned}\u06de\u1100-\u11ff\u3248-\u324f\ua960-\ua97f\ud7b0-\ud7ff]/u;

function cellOf(grapheme: string, look: Look): ScreenCell {
  const width = graphemeWidth(grapheme);
  const isUnsure = grapheme.length > 1 || (width === 2 && LATER_WIDE.test(grapheme)) || (grapheme > '~' && DISPUTED.test(grapheme));
  return {text: grapheme, width, look, isUnsure};
}

function withoutBlankEnd(cells: ScreenCell[]): ScreenRow {
  while (cells.at(-1)?.text === ' ' && cells.at(-1)?.look === PLAIN) cells.pop();
  return {cells, width: cells.reduce((sum, {width}) => sum + width, 0)};
}

function isSame(one: ScreenCell | undefined, other: ScreenCell): boolean {
  return one !== undefined && one.text === other.text && sgrBetween(one.look, other.look) === '';
}

function sameAtEnd(old: ScreenRow, next: ScreenRow, first: number): number {
  let same = 0;
  const most = Math.min(old.cells.length, next.cells.length) - first;
  for (; same < most; same += 1) {
    const cell = next.cells.at(-1 - same);
    if (cell === undefined || !isSame(old.cells.at(-1 - same), cell)) break;
  }
  return same;
}

const NONE: ReadonlyMap<number, ScreenCell> = new Map();

function cellsByColumn(row: ScreenRow): ReadonlyMap<number, ScreenCell> {
  let column = 0;
  return new Map(
    row.cells.map((cell) => {
      column += cell.width;
      return [column - cell.width, cell];
    }),
  );
}

/**
 * The cells with the fewest changes of style. Around a character of unknown width the cursor is placed explicitly: text after it is where the
 * view has put it, and a cell that the terminal fills only in part keeps nothing old.
 */
function paint(cells: readonly ScreenCell[], start: number, old: ReadonlyMap<number, ScreenCell>): string {
  let text = '';
  let look = PLAIN;
  let column = start;
  for (const cell of cells) {
    text += sgrBetween(look, cell.look);
    look = cell.look;
    if (mayLeaveOld(cell) && !isSame(old.get(column), cell)) text += ' '.repeat(cell.width) + toColumn(column);
    text += cell.text;
    column += cell.width;
    if (cell.isUnsure) text += toColumn(column);
  }
  return text + sgrReset(look);
}

/** The terminal may fill fewer columns than the cell has: one of two, or none for the vowel of a Hangul syllable. */
function mayLeaveOld({isUnsure, width, text}: ScreenCell): boolean {
  return isUnsure && (width > 1 || text.length === 1);
}

function toColumn(column: number): string {
  return `\x1b[${column + 1}G`;
}
