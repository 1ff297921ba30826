import type {ColourDepth} from '../themes/color-depth.ts';
import type {Looks} from '../themes/looks.ts';

/** Sink of bytes for the terminal: `process.stdout`, or a substitute. */
export interface TerminalOutput {
  write(text: string): unknown;
  /** Absent if the terminal does not say. */
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

/** Known traits of the terminal. Its answers arrive at any time: a surface reads this again for each frame. */
export interface TerminalTraits {
  /** True if it shows everything between the marks of a frame at once (DEC private mode 2026). */
  synchronized: boolean;
  looks: Looks;
  /** The colours that cells of other terminals may have; absent: all. Those of the theme are in `looks`. */
  colours?: ColourDepth;
}

/** One frame as one write, shown at once if the terminal supports that; `text` may be ''. */
export function frameBytes(text: string, {synchronized}: TerminalTraits): string {
  return text === '' || !synchronized ? text : `\x1b[?2026h${text}\x1b[?2026l`;
}

export function sizeOf({columns, rows}: TerminalOutput): {readonly columns: number; readonly rows: number} {
  return {columns: positive(columns) ?? 80, rows: positive(rows) ?? 24};
}

/** Terminals that do not know their size say 0. */
function positive(count: number | undefined): number | undefined {
  return count === undefined || count < 1 ? undefined : count;
}
