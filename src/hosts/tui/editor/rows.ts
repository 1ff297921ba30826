import {explicitText} from '../../../base/visible-text.ts';
import {graphemes, graphemeWidth, isSimple} from '../cells/cell-width.ts';
import {atomsBetween, lineAround, type Atom, type Edited} from './atoms.ts';

/** A piece of the text as the screen shows it; an atom has several if its characters are escaped. */
export interface EditorCell {
  readonly text: string;
  /** In columns, at least 1. */
  readonly width: number;
  readonly atom: Atom;
  readonly isFirst: boolean;
  /** True if the screen shows an escape instead of the character in the text. */
  readonly isEscaped: boolean;
}

/** A row of the screen. */
export interface EditorRow {
  readonly cells: readonly EditorCell[];
  /** The last row of its line: the cursor can be after its cells, at the offset `end`. */
  readonly isLast: boolean;
  readonly end: number;
}

/**
 * The rows of a text, broken after blanks and wide characters if possible. The last column is reserved for a blank or the cursor; a line that
 * ends with a blank there continues in an empty row.
 */
export function rowsOf(edited: Edited, width: number): readonly EditorRow[] {
  const rows: EditorRow[] = [];
  for (let at = 0; at <= edited.text.length;) {
    const {start, end} = lineAround(edited.text, at);
    const broken = brokenCells(cellsBetween(edited, {start, end, width}), width);
    rows.push(...broken.map((cells, index) => ({cells, isLast: index === broken.length - 1, end})));
    at = end + 1;
  }
  return rows;
}

export interface EditorPlace {
  readonly row: number;
  readonly column: number;
}

/** Returns the position of the cursor. Between two rows of a line it is at the beginning of the second. */
export function cursorPlace(rows: readonly EditorRow[], cursor: number): EditorPlace {
  for (const [row, {cells, isLast, end}] of rows.entries()) {
    const before = cells.findIndex(({atom, isFirst}) => isFirst && atom.start === cursor);
    if (before !== -1) return {row, column: columnsOf(cells.slice(0, before))};
    if (isLast && end === cursor) return {row, column: columnsOf(cells)};
  }
  return {row: 0, column: 0};
}

function cellsBetween(edited: Edited, {start, end, width}: {start: number; end: number; width: number}): readonly EditorCell[] {
  return atomsBetween(edited, start, end).flatMap((atom) => {
    const {pieces, isEscaped} = shapeOf(atom.text);
    return pieces.map((piece, index) => {
      const {text, width: columns} = piece.width > roomIn(width) ? UNFIT : piece;
      return {text, width: columns, atom, isFirst: index === 0, isEscaped: isEscaped && !atom.isMarker};
    });
  });
}

interface Piece {
  readonly text: string;
  readonly width: number;
}

interface Shape {
  readonly pieces: readonly Piece[];
  readonly isEscaped: boolean;
}

/** Returns how the text of an atom is shown. Texts have few different characters: each is looked at once. */
function shapeOf(text: string): Shape {
  let shape = shapes.get(text);
  if (shape !== undefined) return shape;
  const shown = text === '\t' ? TAB : isSimple(text) ? text : explicitText(text);
  shape = {pieces: graphemes(shown).map(pieceOf), isEscaped: text !== '\t' && shown !== text};
  if (shapes.size >= MOST_SHAPES) shapes.clear();
  if (text.length <= LONGEST_KEPT) shapes.set(text, shape);
  return shape;
}

const shapes = new Map<string, Shape>();
const MOST_SHAPES = 10_000;
const LONGEST_KEPT = 64;

const TAB = '    ';

/** True if it needs a column of its own: a mark without a letter gets the circle that represents one. */
function pieceOf(text: string): Piece {
  const columns = graphemeWidth(text);
  return columns === 0 ? {text: `◌${text}`, width: 1} : {text, width: columns};
}

const UNFIT: Piece = {text: '?', width: 1};

function roomIn(width: number): number {
  return Math.max(1, width - 1);
}

function brokenCells(cells: readonly EditorCell[], width: number): readonly (readonly EditorCell[])[] {
  const room = roomIn(width);
  const rows: EditorCell[][] = [];
  let row: EditorCell[] = [];
  let used = 0;
  for (const cell of cells) {
    const limit = cell.text === ' ' && !cell.atom.isMarker ? width : room;
    if (used + cell.width > limit && row.length > 0) {
      const rest = lastWordOf(row, cell);
      rows.push(row.slice(0, row.length - rest.length));
      row = rest;
      used = columnsOf(rest);
    }
    row.push(cell);
    used += cell.width;
  }
  return used > room && width > room ? [...rows, row, []] : [...rows, row];
}

/** Returns the cells after the last place where a row may be broken; empty if it is one word, which continues in the next row. */
function lastWordOf(row: readonly EditorCell[], next: EditorCell): EditorCell[] {
  for (let at = row.length; at > 0; at--) {
    const [left, right] = [row[at - 1], row[at] ?? next];
    if (left !== undefined && mayPart(left, right)) return row.slice(at);
  }
  return [];
}

function mayPart(left: EditorCell, right: EditorCell): boolean {
  if (left.atom === right.atom) return left.atom.text === '\t';
  return left.text === ' ' || left.width > 1 || right.width > 1 || left.atom.isMarker || right.atom.isMarker;
}

export function columnsOf(cells: readonly EditorCell[]): number {
  return cells.reduce((sum, {width}) => sum + width, 0);
}
