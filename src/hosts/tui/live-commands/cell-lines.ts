import type {CellRun, ScreenCells} from '../../../protocol/live-command.ts';
import {cellWidth, isSimple} from '../cells/cell-width.ts';
import type {Line, Span} from '../cells/line.ts';

export interface CellWindow {
  readonly columns: number;
  readonly rows: number;
  /** Rows above those that are followed; negative: below. */
  readonly up?: number | undefined;
  /** The cursor is a cell of its own look, and not the cursor of the terminal. */
  readonly drawsCursor?: boolean | undefined;
}

export interface CellLines {
  readonly lines: readonly Line[];
  /** The place of the cursor in them; undefined if it is hidden, or outside. */
  readonly cursor: {readonly row: number; readonly column: number} | undefined;
}

/** A part of a screen, as large as fits: around the cursor, else the end; without the empty rows at the end. */
export function cellLines(screen: ScreenCells, window: CellWindow): CellLines {
  const first = firstRow(screen, window);
  const left = firstColumn(screen, window);
  const {cursor, lines} = screen;
  const shown = Array.from({length: Math.min(window.rows, usedRows(screen) - first)}, (_, row) =>
    cutRuns(lines[first + row] ?? [], left, Math.min(window.columns, screen.columns - left)),
  );
  const place = cursor === undefined ? undefined : {row: cursor.row - first, column: cursor.column - left};
  if (place === undefined || place.row < 0 || place.row >= shown.length || place.column < 0 || place.column >= window.columns) {
    return {lines: shown, cursor: undefined};
  }
  if (window.drawsCursor !== true) return {lines: shown, cursor: place};
  return {lines: shown.map((line, row) => (row === place.row ? withCursor(line, place.column) : line)), cursor: undefined};
}

/** Returns how far a window can be moved from its default place: rows up, and rows down as a negative number. */
export function scrollRange(screen: ScreenCells, rows: number): {readonly most: number; readonly least: number} {
  const followed = followedRow(screen, rows);
  return {most: followed, least: Math.min(0, followed - Math.max(0, usedRows(screen) - rows))};
}

function firstRow(screen: ScreenCells, {rows, up = 0}: CellWindow): number {
  const {most, least} = scrollRange(screen, rows);
  return followedRow(screen, rows) - Math.max(least, Math.min(most, up));
}

function usedRows({lines, cursor}: ScreenCells): number {
  return Math.max(lines.length, cursor === undefined ? 0 : cursor.row + 1);
}

/** The end, or further up if the cursor is there: then it is in the middle. */
function followedRow(screen: ScreenCells, rows: number): number {
  const end = Math.max(0, usedRows(screen) - rows);
  const {cursor} = screen;
  return cursor === undefined || cursor.row >= end ? end : Math.max(0, cursor.row - Math.floor(rows / 2));
}

/** The beginning of the rows, unless the cursor is beyond what fits. */
function firstColumn({cursor, columns}: ScreenCells, window: CellWindow): number {
  if (cursor === undefined || cursor.column < window.columns) return 0;
  return Math.min(cursor.column - window.columns + 1, Math.max(0, columns - window.columns));
}

function cutRuns(runs: readonly CellRun[], left: number, width: number): Line {
  const spans: Span[] = [];
  let at = 0;
  for (const run of runs) {
    const [from, to] = [Math.max(left, at), Math.min(left + width, at + run.columns)];
    if (from < to) spans.push(spanOf(partOf(run, from - at, to - at), run));
    at += run.columns;
  }
  return spans;
}

/** Cuts a run; a wide character that is cut in two becomes a blank. */
function partOf({text, columns}: CellRun, from: number, to: number): string {
  if (from === 0 && to === columns) return text;
  return isSimple(text) && text.length === columns ? text.slice(from, to) : ' '.repeat(to - from);
}

function spanOf(text: string, {look}: CellRun): Span {
  return look === undefined ? {text} : {text, look};
}

function withCursor(line: Line, column: number): Line {
  const spans: Span[] = [];
  let at = 0;
  for (const span of line) {
    const offset = column - at;
    const width = cellWidth(span.text);
    at += width;
    if (offset < 0 || offset >= width) spans.push(span);
    else spans.push(...aroundCursor(span, isSimple(span.text) && span.text.length === width ? offset : undefined));
  }
  // Behind the end of the row there is nothing yet.
  if (at <= column) spans.push({text: ' '.repeat(column - at)}, {text: ' ', look: {inverse: true}});
  return spans.filter(({text}) => text !== '');
}

/** @param offset Absent: the span is one wide character. */
function aroundCursor({text, look}: Span, offset: number | undefined): readonly Span[] {
  const inverted = {...look, inverse: look?.inverse !== true};
  if (offset === undefined) return [{text, look: inverted}];
  const rest = look === undefined ? {} : {look};
  return [
    {text: text.slice(0, offset), ...rest},
    {text: text.slice(offset, offset + 1), look: inverted},
    {text: text.slice(offset + 1), ...rest},
  ];
}
