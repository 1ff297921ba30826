import {moved} from './changed.ts';
import type {InputState} from './editor-state.ts';
import {cursorPlace, rowsOf, type EditorCell, type EditorRow} from './rows.ts';

/**
 * The cursor some rows up (below 0) or down, in the column that it came from, at most to the first or last row. There it stays: a host can go
 * to its history then.
 */
export function moveVertically(state: InputState, by: number, width: number): InputState {
  const rows = rowsOf(state, width);
  const place = cursorPlace(rows, state.cursor);
  const column = state.column ?? place.column;
  const row = Math.min(Math.max(place.row + by, 0), rows.length - 1);
  const target = rows[row];
  return {...moved(state, target === undefined || row === place.row ? state.cursor : offsetIn(target, column, by)), column};
}

function offsetIn(row: EditorRow, column: number, by: number): number {
  const cell = cellAt(row.cells, column) ?? (row.isLast ? undefined : row.cells.at(-1));
  if (cell === undefined) return row.end;
  // An atom that begins on a row above is passed as a whole.
  const beginsHere = row.cells.some(({atom, isFirst}) => isFirst && atom === cell.atom);
  return by < 0 || beginsHere ? cell.atom.start : cell.atom.end;
}

function cellAt(cells: readonly EditorCell[], column: number): EditorCell | undefined {
  let right = 0;
  return cells.find(({width}) => (right += width) > column);
}
