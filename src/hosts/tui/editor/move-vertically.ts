import {moved} from './changed.ts';
import type {EditorState} from './editor-state.ts';
import {placeOf, rowsOf, type Cell, type Row} from './rows.ts';

/** The cursor a row up or down, in the column that it came from. On the first or last row it stays: a host can go to its history then. */
export function moveVertically(state: EditorState, by: -1 | 1, width: number): EditorState {
  const rows = rowsOf(state, width);
  const place = placeOf(rows, state.cursor);
  const column = state.column ?? place.column;
  const target = rows[place.row + by];
  return {...moved(state, target === undefined ? state.cursor : offsetIn(target, column, by)), column};
}

function offsetIn(row: Row, column: number, by: -1 | 1): number {
  const cell = cellAt(row.cells, column) ?? (row.isLast ? undefined : row.cells.at(-1));
  if (cell === undefined) return row.end;
  // An atom that begins on a row above is passed as a whole.
  const beginsHere = row.cells.some(({atom, isFirst}) => isFirst && atom === cell.atom);
  return by === -1 || beginsHere ? cell.atom.start : cell.atom.end;
}

function cellAt(cells: readonly Cell[], column: number): Cell | undefined {
  let right = 0;
  return cells.find(({width}) => (right += width) > column);
}
