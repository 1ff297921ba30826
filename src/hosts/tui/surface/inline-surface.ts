import type {Line} from '../cells/line.ts';
import {createPen, UNKNOWN, type Pen} from './pen.ts';
import {createRows, EMPTY_ROW, isSameRow, rowChange, type ScreenRow} from './row.ts';
import type {Frame, Surface} from './surface.ts';
import {afterScroll, scrolledRows} from './scrolled-rows.ts';
import {frameBytes, sizeOf, type TerminalOutput, type TerminalTraits} from '../terminal/terminal-output.ts';

/**
 * The surface on the main screen. Final rows are written once and scroll into the terminal's own scrollback; the live rows below them are
 * compared with those of the last frame, and only what differs is written, by moves relative to the cursor: where on the screen the session
 * began is not known and not asked.
 *
 * Rows that stay below rows that come or go are moved, not written: line feeds at the end make room (what leaves the screen at the top goes
 * to the scrollback, as in every terminal), then lines are inserted or deleted (ECMA-48, IL and DL); so are rows that scroll within the live
 * ones, as the end of a long block does. A scroll region would do it with less
 * movement, but not every terminal keeps what leaves a region in its scrollback, and rows must not be lost.
 */
export function createInlineSurface(output: TerminalOutput, traits: TerminalTraits): Surface {
  const rows = createRows();
  let live: readonly ScreenRow[] = [];
  let pen = createPen({row: 0, column: UNKNOWN, isShown: true});

  const put = ({live: lines, cursor}: Omit<Frame, 'above'>, above: readonly Line[]): void => {
    const {columns, rows: screenRows} = sizeOf(output);
    const cut = Math.max(0, lines.length - screenRows);
    const next = rows([...above, ...lines.slice(cut)], traits, columns);
    change(pen, {old: live, next, columns, screenRows});
    pen.shift(above.length);
    live = next.slice(above.length);
    pen.rest(cursor && {row: Math.max(0, cursor.row - cut), column: Math.min(cursor.column, columns - 1)}, {quietly: traits.synchronized});
    const text = pen.take();
    if (text !== '') output.write(frameBytes(text, traits));
  };
  return {
    get size() {
      return sizeOf(output);
    },
    draw: (frame) => put(frame, frame.above),
    redraw(frame, tail) {
      const room = Math.max(0, sizeOf(output).rows - frame.live.length);
      pen = createPen({row: 0, column: 0, isShown: pen.isShown}, HOME_AND_ERASE);
      live = [];
      put(frame, tail.slice(Math.max(0, tail.length - room)));
    },
    end({erase}) {
      pen.moveTo({row: erase ? 0 : Math.max(0, live.length - 1), column: 0});
      if (erase) pen.write('\x1b[J');
      else if (live.length > 0) pen.nextRow();
      pen.rest({row: pen.row, column: 0}, {quietly: true});
      output.write(frameBytes(pen.take(), traits));
      live = [];
      pen = createPen({row: 0, column: UNKNOWN, isShown: true});
    },
  };
}

/**
 * Redraws the screen alone, never the scrollback (ED 3). The terminal has moved rows on its own by then, in ways that differ between terminals
 * (some rewrap rows, some cut them), and another program may have left its cursor anywhere: no relative move can be trusted. The screen showed
 * the newest final rows and the live ones, which are written again; rows that have left it stay in the scrollback as they are.
 */
const HOME_AND_ERASE = '\x1b[H\x1b[J';

interface Change {
  readonly old: readonly ScreenRow[];
  readonly next: readonly ScreenRow[];
  readonly columns: number;
  readonly screenRows: number;
}

/** Makes the old rows into the next ones. Rows from `screenRows` on scroll away at the top, so they are written from top to bottom. */
function change(pen: Pen, {old, next, columns, screenRows}: Change): void {
  const scrolled = scrolledRows(old, next);
  if (scrolled !== undefined) {
    const {start, by, moved} = scrolled;
    pen.moveTo({row: start, column: 0});
    pen.write(`\x1b[${by}M`);
    pen.moveTo({row: start + moved, column: 0});
    pen.write(`\x1b[${by}L`);
    return replaceRows(pen, {old: afterScroll(old, scrolled), next, columns});
  }
  const kept = next.length > screenRows ? 0 : rowsKept(old, next);
  const added = kept === 0 ? 0 : next.length - old.length;
  const from = old.length - kept;
  if (added > 0) {
    pen.addRows(old.length - 1, added);
    pen.moveTo({row: from, column: 0});
    pen.write(`\x1b[${added}L`);
  } else if (added < 0) {
    pen.moveTo({row: from + added, column: 0});
    pen.write(`\x1b[${-added}M`);
  }
  const before = [
    ...old.slice(0, Math.min(from, from + added)),
    ...Array.from({length: Math.max(0, added)}, () => EMPTY_ROW),
    ...old.slice(from),
  ];
  replaceRows(pen, {old: before, next, columns});
}

/** Returns the number of equal rows at the end, if moving them is worth it because rows above them are added or removed. */
function rowsKept(old: readonly ScreenRow[], next: readonly ScreenRow[]): number {
  if (old.length === next.length) return 0;
  let kept = 0;
  let shown = 0;
  for (const most = Math.min(old.length, next.length); kept < most; kept += 1) {
    const row = next.at(-1 - kept);
    const was = old.at(-1 - kept);
    if (row === undefined || was === undefined || !isSameRow(was, row)) break;
    shown += row.width;
  }
  return shown > 0 ? kept : 0;
}

function replaceRows(pen: Pen, {old, next, columns}: Omit<Change, 'screenRows'>): void {
  for (const [row, cells] of next.entries()) {
    const was = old[row];
    if (was === undefined && row > 0) pen.addRows(row - 1, 1);
    const changed = rowChange(was ?? EMPTY_ROW, cells, columns);
    if (changed !== undefined) pen.put(row, changed);
  }
  if (old.length > next.length) {
    pen.moveTo({row: next.length, column: 0});
    pen.write('\x1b[J');
  }
}
