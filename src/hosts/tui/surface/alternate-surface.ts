import type {Line} from '../cells/line.ts';
import {createRows, EMPTY_ROW, rowChange, type ScreenRow} from './row.ts';
import {afterScroll, scrolledRows, type Scrolled} from './scrolled-rows.ts';
import type {Frame, Surface} from './surface.ts';
import {frameBytes, sizeOf, type TerminalOutput, type TerminalTraits} from '../terminal/terminal-output.ts';

/** A surface that keeps the final rows itself, because the alternate screen has no scrollback. */
export interface AlternateSurface extends Surface {
  /** Shows final rows that are older (negative) or newer, and the newest again with the next ones. */
  scroll(by: number): void;
}

/**
 * The surface on the alternate screen: the newest final rows are above the live ones, which are at the bottom; `keep` is the number of final
 * rows it keeps.
 */
export function createAlternateSurface(output: TerminalOutput, traits: TerminalTraits, keep = 10_000): AlternateSurface {
  const rows = createRows();
  let final: Line[] = [];
  let shown: readonly ScreenRow[] = [];
  let last: Omit<Frame, 'above'> = {live: [], cursor: undefined};
  let back = 0;
  let isOpen = false;

  const put = (prefix: string): void => {
    const {columns, rows: screenRows} = sizeOf(output);
    const live = last.live.slice(-screenRows);
    const room = screenRows - live.length;
    back = Math.max(0, Math.min(back, final.length - room));
    const above = final.slice(Math.max(0, final.length - back - room), final.length - back);
    const filling = Array.from({length: room - above.length}, (): Line => []);
    const next = rows([...above, ...live, ...filling], traits, columns);
    const text = prefix + changes(shown, next, columns);
    shown = next;
    const at = last.cursor && {row: above.length + last.cursor.row - (last.live.length - live.length), column: last.cursor.column};
    // The cursor is moved only if something was written, or if it has another position.
    const rest = at === undefined ? '\x1b[?25l' : `${to(at.row, at.column)}\x1b[?25h`;
    if (text === '' && rest === resting) return;
    resting = rest;
    output.write(frameBytes(text === '' ? rest : `\x1b[?25l${text}${rest}`, traits));
  };
  let resting = '';
  const open = (): string => {
    const prefix = isOpen ? '' : `\x1b[?1049h${CLEAR}`;
    isOpen = true;
    return prefix;
  };
  return {
    get size() {
      return sizeOf(output);
    },
    draw(frame) {
      final.push(...frame.above);
      if (final.length > keep) final = final.slice(-keep);
      if (back > 0) back += frame.above.length;
      last = frame;
      put(open());
    },
    redraw(frame, tail) {
      // Rows were wrapped for another width: the newest are replaced, all of them if the tail is long enough.
      final = [...final.slice(0, Math.max(0, final.length - tail.length)), ...tail];
      last = frame;
      shown = [];
      put(open() + CLEAR);
    },
    scroll(by) {
      back = Math.max(0, back - by);
      if (isOpen) put('');
    },
    end() {
      if (isOpen) output.write('\x1b[?1049l\x1b[?25h');
      isOpen = false;
      shown = [];
      resting = '';
    },
  };
}

const CLEAR = '\x1b[H\x1b[J';

function changes(old: readonly ScreenRow[], next: readonly ScreenRow[], columns: number): string {
  const scrolled = scrolledRows(old, next);
  const before = scrolled === undefined ? old : afterScroll(old, scrolled);
  let text = scrolled === undefined ? '' : moves(scrolled);
  let isUnsure = false;
  for (const [row, cells] of next.entries()) {
    const change = rowChange(before[row] ?? EMPTY_ROW, cells, columns);
    if (change === undefined) continue;
    isUnsure ||= change.hasUnsure;
    text += to(row, change.column) + change.text + (change.erasesEnd ? '\x1b[K' : '');
  }
  return isUnsure ? `\x1b[?7l${text}\x1b[?7h` : text;
}

/** Lines are deleted above those that move, and inserted below them (ECMA-48, DL and IL). */
function moves({start, by, moved}: Scrolled): string {
  return `${to(start, 0)}\x1b[${by}M${to(start + moved, 0)}\x1b[${by}L`;
}

function to(row: number, column: number): string {
  return `\x1b[${row + 1};${column + 1}H`;
}
