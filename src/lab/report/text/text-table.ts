import {eastAsianWidth} from 'get-east-asian-width';
import {visibleText} from '../../../base/visible-text.ts';

/** One row of a table; the first cell is a name, the others are figures. */
export type Row = readonly string[];

/** Lines of a table whose names are on the left and whose figures are on the right, indented by two; names give way to fit into `width`. */
export function textTable(head: Row, rows: readonly Row[], width: number): readonly string[] {
  const {all, widths, room} = measured(head, rows, width);
  const longest = widths[0] ?? 0;
  const names = Math.min(longest, Math.max(LEAST_NAME, room));
  return all.map(([name = '', ...cells]) => {
    const aligned = cells.map((cell, at) => ' '.repeat(GAP + (widths[at + 1] ?? 0) - textWidth(cell)) + cell);
    return `${' '.repeat(INDENT)}${padded(name, names)}${aligned.join('')}`.trimEnd();
  });
}

/** True if no name of such a table has to be shortened. */
export function namesFit(head: Row, rows: readonly Row[], width: number): boolean {
  const {widths, room} = measured(head, rows, width);
  return (widths[0] ?? 0) <= room;
}

function measured(head: Row, rows: readonly Row[], width: number): {all: readonly Row[]; widths: readonly number[]; room: number} {
  const all = head.every((cell) => cell === '') ? rows : [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => textWidth(row[column] ?? ''))));
  const figures = widths.slice(1).reduce((sum, one) => sum + GAP + one, 0);
  return {all, widths, room: width - INDENT - figures};
}

const INDENT = 2;
const GAP = 2;
const LEAST_NAME = 12;

/** The text as one line that a terminal can show. */
export function plainLine(text: string): string {
  return visibleText(text).replaceAll(/\s+/g, ' ').trim();
}

/** Breaks a text between words; every line but the first is indented as deep as `indent` says. */
export function wrapped(text: string, width: number, indent = 2): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of plainLine(text).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer) > width - indent) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line].map((one, at) => (at === 0 ? one : ' '.repeat(indent) + one));
}

function padded(name: string, width: number): string {
  const clipped = clip(name, width);
  return clipped + ' '.repeat(Math.max(0, width - textWidth(clipped)));
}

/** Leaves out the middle of a name that is too wide: its end tells variants of a model apart. */
export function clip(name: string, width: number): string {
  if (textWidth(name) <= width) return name;
  const half = Math.floor((width - 1) / 2);
  const chars = Array.from(name);
  return `${taken(chars, width - 1 - half)}…${Array.from(taken(chars.toReversed(), half)).toReversed().join('')}`;
}

function taken(chars: readonly string[], width: number): string {
  let text = '';
  let used = 0;
  for (const char of chars) {
    used += textWidth(char);
    if (used > width) break;
    text += char;
  }
  return text;
}

function textWidth(text: string): number {
  let width = 0;
  for (const char of text) width += MARK.test(char) ? 0 : eastAsianWidth(char.codePointAt(0) ?? 0);
  return width;
}

const MARK = /\p{Mark}|\u200d/u;
