import type {RowChange} from './row.ts';

interface Place {
  readonly row: number;
  readonly column: number;
}

/** Collects the bytes of a frame, and tracks the cursor, in rows from the first one of a region, whose place on the screen is unknown. */
export interface Pen {
  readonly row: number;
  readonly isShown: boolean;
  write(text: string): void;
  moveTo(place: Place): void;
  /** Goes to the row, the last one, and makes `count` empty ones below it. */
  addRows(last: number, count: number): void;
  nextRow(): void;
  put(row: number, change: RowChange): void;
  /** The region begins as many rows later. */
  shift(rows: number): void;
  /** Places the cursor between frames; undefined hides it. `quietly`: without showing the move. */
  rest(cursor: Place | undefined, options: {readonly quietly: boolean}): void;
  /** The bytes since the last time. */
  take(): string;
}

/** `start`: the position of the cursor after `text`. */
export function createPen(start: Place & {readonly isShown: boolean}, text = ''): Pen {
  let {row, column, isShown} = start;
  let written = text;
  let wraps = true;
  const moveTo = (place: Place): void => {
    written += move({row, column}, place);
    ({row, column} = place);
  };
  const newRows = (count: number): void => {
    written += `${column === 0 ? '' : '\r'}${'\n'.repeat(count)}`;
    row += count;
    column = 0;
  };
  return {
    get row() {
      return row;
    },
    get isShown() {
      return isShown;
    },
    write: (bytes) => void (written += bytes),
    moveTo,
    addRows(last, count) {
      if (row !== last) moveTo({row: last, column: 0});
      newRows(count);
    },
    nextRow: () => newRows(1),
    put(at, {column: from, text: cells, erasesEnd, hasUnsure}) {
      moveTo({row: at, column: from});
      // A row that the terminal takes to be wider than it is would wrap and move everything below it.
      if (hasUnsure && wraps) written += '\x1b[?7l';
      if (hasUnsure) wraps = false;
      written += cells + (erasesEnd ? '\x1b[K' : '');
      column = cells === '' ? from : UNKNOWN;
    },
    shift: (rows) => void (row -= rows),
    rest(cursor, {quietly}) {
      if (!wraps) written += '\x1b[?7h';
      wraps = true;
      const flickers = written !== '' && isShown && !quietly;
      if (flickers) written = HIDE + written;
      if (cursor !== undefined) moveTo(cursor);
      if ((isShown && !flickers) !== (cursor !== undefined)) written += cursor === undefined ? HIDE : SHOW;
      isShown = cursor !== undefined;
    },
    take() {
      const bytes = written;
      written = '';
      return bytes;
    },
  };
}

/** After the last column of a row terminals differ in where the cursor is: only moves from the first column are certain. */
export const UNKNOWN = -1;

const [HIDE, SHOW] = ['\x1b[?25l', '\x1b[?25h'];

function move(from: Place, to: Place): string {
  const rows = to.row - from.row;
  let text = '';
  let {column} = from;
  if (rows > 0) {
    text = rows < 4 ? `\r${'\n'.repeat(rows)}` : `\x1b[${rows}B`;
    if (rows < 4) column = 0;
  } else if (rows < 0) text = rows === -1 ? '\x1b[A' : `\x1b[${-rows}A`;
  if (column === to.column) return text;
  return text + (to.column === 0 ? '\r' : `\x1b[${to.column + 1}G`);
}
