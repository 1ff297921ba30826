import {moved} from './changed.ts';
import type {EditorState} from './editor-state.ts';
import {placeOf, rowsOf, type Cell, type Row} from './rows.ts';

/**
 * The cursor some rows up (below 0) or down, in the column that it came from, at most to the first or last row. There it stays: a host can go
 * to its history then.
 */
export function moveVertically(state: EditorState, by: number, width: number): EditorState {
  const rows = rowsOf(state, width);
  const place = placeOf(rows, state.cursor);
  const column = state.column ?? place.column;
  const row = Math.min(Math.max(place.row + by, 0), rows.length - 1);
  const target = rows[row];
  return {...moved(state, target === undefined || row === place.row ? state.cursor : offsetIn(target, column, by)), column};
}

function offsetIn(row: Row, column: number, by: number): number {
  const cell = cellAt(row.cells, column) ?? (row.isLast ? undefined : row.cells.at(-1));
  if (cell === undefined) return row.end;
  // An atom that begins on a row above is passed as a whole.
  const beginsHere = row.cells.some(({atom, isFirst}) => isFirst && atom === cell.atom);
  return by < 0 || beginsHere ? cell.atom.start : cell.atom.end;
}

function cellAt(cells: readonly Cell[], column: number): Cell | undefined {
  let right = 0;
  return cells.find(({width}) => (right += width) > column);
}
