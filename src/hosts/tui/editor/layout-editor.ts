import {lineWidth} from '../cells/wrap-line.ts';
import {span, type Line, type Span} from '../cells/line.ts';
import type {InputState} from './editor-state.ts';
import {cursorPlace, rowsOf, type EditorCell, type EditorPlace, type EditorRow} from './rows.ts';

export interface EditorFrame {
  /** Columns of the editor with its prompt. */
  readonly width: number;
  readonly maxRows: number;
  /** Stands in front of the first row; the others are indented by as much. */
  readonly prompt?: Line | undefined;
}

export interface EditorLayout {
  readonly lines: readonly Line[];
  /** Within `lines`. */
  readonly cursor: EditorPlace;
  /** The number of hidden rows. */
  readonly above: number;
  readonly below: number;
}

/** The editor as rows of the screen, in the order of the text, scrolled so that the cursor is in the middle or as near to it as can be. */
export function layoutEditor(state: InputState, {width, maxRows, prompt = []}: EditorFrame): EditorLayout {
  const columns = textColumns(width, prompt);
  const rows = rowsOf(state, columns);
  const place = cursorPlace(rows, state.cursor);
  const shown = Math.min(rows.length, Math.max(1, maxRows));
  const above = Math.min(Math.max(0, place.row - Math.floor(shown / 2)), rows.length - shown);
  const indent = Math.max(0, width - columns);
  const inFront = (row: number): Line => (indent === 0 ? [] : row === 0 ? prompt : [span(' '.repeat(indent))]);
  return {
    lines: rows.slice(above, above + shown).map((row, index) => [...inFront(above + index), ...spansOf(row)]),
    cursor: {row: place.row - above, column: indent + Math.min(place.column, Math.max(0, columns - 1))},
    above,
    below: rows.length - above - shown,
  };
}

/** Columns that the text has beside the prompt, as moving up and down needs them; a prompt that leaves too few is not shown. */
export function textColumns(width: number, prompt: Line): number {
  const left = width - lineWidth(prompt);
  return left < FEWEST_COLUMNS ? Math.max(1, width) : left;
}

const FEWEST_COLUMNS = 8;

function spansOf({cells}: EditorRow): Line {
  const spans: Span[] = [];
  for (const cell of cells) {
    const style = styleOf(cell);
    const last = spans.at(-1);
    if (last !== undefined && last.style?.[0] === style) spans[spans.length - 1] = {...last, text: last.text + cell.text};
    else spans.push(style === undefined ? span(cell.text) : span(cell.text, style));
  }
  return spans;
}

function styleOf({atom, isEscaped}: EditorCell): 'accent' | 'dim' | undefined {
  if (atom.isMarker) return 'accent';
  return isEscaped ? 'dim' : undefined;
}
