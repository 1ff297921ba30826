import {EMPTY_ROW, isSameRow, type ScreenRow} from './row.ts';

/** Rows that have moved up, as a long block does with each new row: from `start` on, the first `by` are gone. */
export interface Scrolled {
  readonly start: number;
  readonly by: number;
  /** Returns how many rows have moved up by `by`. */
  readonly moved: number;
}

/** Finds rows that are the same but for their place, in two pictures of one height; undefined if moving them saves nothing. */
export function scrolledRows(old: readonly ScreenRow[], next: readonly ScreenRow[]): Scrolled | undefined {
  if (old.length !== next.length) return undefined;
  const start = next.findIndex((row, at) => !isSameRow(old[at] ?? EMPTY_ROW, row));
  if (start < 0) return undefined;
  let best: Scrolled | undefined;
  let most = LEAST_SAVED;
  for (let by = 1; start + by < old.length; by += 1) {
    const found = {start, by, moved: movedRows(old, next, {start, by})};
    const saved = cellsSaved(old, next, found);
    if (saved > most) [best, most] = [found, saved];
  }
  return best;
}

/** The old rows after the move: those that the new ones replace. */
export function afterScroll(old: readonly ScreenRow[], {start, by, moved}: Scrolled): readonly ScreenRow[] {
  const from = start + by;
  const blank = Array.from({length: by}, () => EMPTY_ROW);
  return [...old.slice(0, start), ...old.slice(from, from + moved), ...blank, ...old.slice(from + moved)];
}

/** To delete and insert lines takes some twenty bytes. */
const LEAST_SAVED = 24;

function movedRows(old: readonly ScreenRow[], next: readonly ScreenRow[], {start, by}: Omit<Scrolled, 'moved'>): number {
  let moved = 0;
  for (let at = start; at + by < old.length; at += 1) {
    const [was, row] = [old[at + by], next[at]];
    if (was === undefined || row === undefined || !isSameRow(was, row)) break;
    moved += 1;
  }
  return moved;
}

/** Cells that need not be written, less those that are lost by the move. */
function cellsSaved(old: readonly ScreenRow[], next: readonly ScreenRow[], {start, by, moved}: Scrolled): number {
  let saved = 0;
  for (let at = start; at < start + moved + by; at += 1) {
    const row = next[at];
    if (row === undefined) break;
    const isUnmoved = isSameRow(old[at] ?? EMPTY_ROW, row);
    if (at < start + moved) saved += isUnmoved ? 0 : row.width;
    else saved -= isUnmoved ? row.width : 0;
  }
  return saved;
}
