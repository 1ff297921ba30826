import type {Line} from './line.ts';

/** Rows of the screen, and the cell of the cursor within them; undefined: it is not there. */
export interface CursorLines {
  readonly lines: readonly Line[];
  readonly cursor: {readonly row: number; readonly column: number} | undefined;
}
