import {span, type Line} from '../cells/line.ts';
import {cutLine} from '../cells/wrap-line.ts';

export interface RowsWindow {
  /** The first row to show; later than possible: as late as possible. */
  readonly first: number;
  readonly room: number;
  readonly columns: number;
}

/** As many rows as there is room for, the last of them a note of how many there are, unless all fit. */
export function windowedRows(rows: readonly Line[], {first, room, columns}: RowsWindow): readonly Line[] {
  if (rows.length <= room) return rows;
  // One row is not worth a note.
  if (room < 2) return rows.slice(Math.min(first, rows.length - room)).slice(0, room);
  const from = Math.min(first, rows.length - room + 1);
  const last = from + room - 1;
  const note = `rows ${from + 1} to ${Math.min(last, rows.length)} of ${rows.length} · PgUp, PgDn`;
  return [...rows.slice(from, last), cutLine([span(note, 'dim')], columns)];
}
