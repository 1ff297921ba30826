import {cellWidth, graphemes, graphemeWidth} from './cell-width.ts';
import type {Line, Span} from './line.ts';

/**
 * Rows of at most `width` columns, broken at blanks if possible; `indent` precedes every row but the first, unless it leaves no room for a wide
 * character.
 */
export function wrapLine(line: Line, width: number, indent: Line = []): readonly Line[] {
  const limit = Math.max(1, width);
  if (lineWidth(line) <= limit) return [line];
  const lead = limit - lineWidth(indent) < 2 ? [] : indent;
  const inner = limit - lineWidth(lead);
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let used = 0;
  for (const cell of cellsOf(line)) {
    const room = rows.length === 0 ? limit : inner;
    if (used + cell.width > room && row.length > 0) {
      const rest = cell.text === ' ' ? [] : splitAtBlank(row, inner - cell.width);
      rows.push(row);
      row = rest;
      used = columnsOf(rest);
      // The blank that a row ends with is not shown.
      if (cell.text === ' ' && row.length === 0) continue;
    }
    row.push(cell);
    used += cell.width;
  }
  if (row.length > 0) rows.push(row);
  return rows.map((cells, index) => [...(index === 0 ? [] : lead), ...joined(cells)]);
}

/** The beginning that fits into `width` columns; an ellipsis marks the cut. */
export function cutLine(line: Line, width: number): Line {
  if (lineWidth(line) <= width) return line;
  if (width <= 0) return [];
  const kept: Cell[] = [];
  let used = 0;
  for (const cell of cellsOf(line)) {
    if (used + cell.width > width - 1) break;
    kept.push(cell);
    used += cell.width;
  }
  return joined([...kept, {...kept.at(-1), text: '…', width: 1}]);
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, {text}) => sum + cellWidth(text), 0);
}

interface Cell extends Span {
  readonly width: number;
}

function cellsOf(line: Line): readonly Cell[] {
  return line.flatMap((span) => graphemes(span.text).map((grapheme) => ({...span, text: grapheme, width: graphemeWidth(grapheme)})));
}

/** Takes the last word off a row, for the next one that has `room` for it; nothing if the row is one word, or the word is wider. */
function splitAtBlank(row: Cell[], room: number): Cell[] {
  const blank = row.findLastIndex(({text}) => text === ' ');
  if (blank <= 0 || columnsOf(row.slice(blank + 1)) > room) return [];
  const rest = row.splice(blank + 1);
  row.pop();
  return rest;
}

function columnsOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, {width}) => sum + width, 0);
}

function joined(cells: readonly Cell[]): Span[] {
  const spans: {text: string; style?: Span['style']; look?: Span['look']}[] = [];
  for (const {width: _, ...cell} of cells) {
    const last = spans.at(-1);
    if (last !== undefined && last.style === cell.style && last.look === cell.look) last.text += cell.text;
    else spans.push({...cell});
  }
  return spans;
}
