import type {Line} from '../cells/line.ts';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** One picture of the screen: rows that became final since the last one, and rows that may still change. */
export interface Frame {
  /** Rows that are final: they go above the live ones, once, and scroll away with the terminal. */
  readonly above: readonly Line[];
  /** Rows that each frame redraws, at most `rows` of the screen. */
  readonly live: readonly Line[];
  /** Cell of the cursor within `live`, from 0; undefined hides it. */
  readonly cursor: {readonly row: number; readonly column: number} | undefined;
}

/** The one place that writes to the terminal while a session is open. No line may be wider than the screen. */
export interface Surface {
  readonly size: ScreenSize;
  /** Writes the differences from the last frame. */
  draw(frame: Frame): void;
  /** The screen from scratch, after a resize, Ctrl-L or the return of another program: `tail` are the newest final rows. */
  redraw(frame: Omit<Frame, 'above'>, tail: readonly Line[]): void;
  /** Leaves the cursor below the last live row; the live rows are removed if `erase` is set. */
  end(options: {readonly erase: boolean}): void;
}
