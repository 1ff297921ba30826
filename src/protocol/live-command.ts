/** A command that keeps running after the call that started it. For hosts; never part of a log. */
export interface LiveCommand {
  /** `s1`, `s2` …, with a terminal `t1`, `t2` … */
  readonly id: string;
  readonly command: string;
  readonly pid: number;
  /** True if the command has a terminal: it draws a screen, and takes input. */
  readonly isInteractive: boolean;
  /** True if the command outlives the thread. */
  readonly isKept: boolean;
  /** Milliseconds since its start, up to its end. */
  readonly ageMs: number;
  /** The way it ended; absent while it runs. */
  readonly end?: LiveCommandEnd | undefined;
  /** Calls of tools that wait for it now, by their ids. */
  readonly calls: readonly string[];
}

export interface LiveCommandEnd {
  /** null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** True if the command was ended by the model, a person, or the end of the thread. */
  readonly cancelled: boolean;
}

/** The content of a command that can be seen: the screen of its terminal, or the newest of its output. */
export type LiveContent =
  | {readonly type: 'screen'; readonly screen: ScreenCells}
  | {
      readonly type: 'output';
      readonly text: string;
      /** More was written before. */
      readonly isCut: boolean;
    };

/** The cells of a terminal: all that a program has drawn, and nothing that it has asked of the terminal. */
export interface ScreenCells {
  readonly columns: number;
  readonly rows: number;
  /** From the first row on; empty rows at the end are left out. */
  readonly lines: readonly (readonly CellRun[])[];
  /** From 0; undefined if the program hides it. */
  readonly cursor: {readonly row: number; readonly column: number} | undefined;
  /** The name that the program gives itself; '' if it has not said. */
  readonly title: string;
  /** The program has asked for the other codes of the arrow keys: `ESC O A` in place of `ESC [ A`. */
  readonly applicationKeys: boolean;
  /** The program has enabled bracketed paste. */
  readonly bracketedPaste: boolean;
}

/** Neighbouring cells of one row that look the same. */
export interface CellRun {
  /** Without control characters and invisible ones. */
  readonly text: string;
  /** Number of columns that the program uses for it. */
  readonly columns: number;
  /** Absent: as the terminal shows text by default. */
  readonly look?: CellLook | undefined;
}

export interface CellLook {
  readonly fg?: CellColour | undefined;
  readonly bg?: CellColour | undefined;
  readonly bold?: boolean | undefined;
  readonly dim?: boolean | undefined;
  readonly italic?: boolean | undefined;
  readonly underline?: boolean | undefined;
  readonly inverse?: boolean | undefined;
  readonly strike?: boolean | undefined;
}

/** A colour of the palette by its number (0 to 15 are the person's own), or `#rrggbb`. */
export type CellColour = number | `#${string}`;
