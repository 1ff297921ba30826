import type {IBufferCell, IBufferLine, Terminal as Emulator} from '@xterm/headless';
import {visibleText} from '../../base/visible-text.ts';
import type {CellColour, CellLook, CellRun, ScreenCells} from '../../protocol/live-command.ts';

/** Reads the screen of an emulator, without the scrollback. Nothing in the text of a cell steers a terminal. */
export function readCells(
  emulator: Emulator,
  {title, isCursorShown}: {readonly title: string; readonly isCursorShown: boolean},
): ScreenCells {
  const {active} = emulator.buffer;
  const {cols: columns, rows} = emulator;
  const lines = Array.from({length: rows}, (_, row) => {
    const line = active.getLine(active.baseY + row);
    return line === undefined ? [] : runsOf(line, columns);
  });
  return {
    columns,
    rows,
    lines: lines.slice(0, lines.findLastIndex((runs) => runs.length > 0) + 1),
    cursor: isCursorShown ? {row: active.cursorY, column: Math.min(active.cursorX, columns - 1)} : undefined,
    title,
    applicationKeys: emulator.modes.applicationCursorKeysMode,
    bracketedPaste: emulator.modes.bracketedPasteMode,
  };
}

interface Run {
  text: string;
  columns: number;
  readonly look: RawLook | undefined;
  /** More of the same look may be added to it. */
  readonly isOpen: boolean;
}

/** The row without plain blanks at its end. */
function runsOf(line: IBufferLine, columns: number): readonly CellRun[] {
  const runs: Run[] = [];
  let cell: IBufferCell | undefined;
  for (let column = 0, width = 1; column < columns; column += width) {
    cell = line.getCell(column, cell);
    if (cell === undefined) break;
    // Of a wide character the right half has no cell of its own; a mark without a letter has no width, and takes a column.
    width = Math.max(1, cell.getWidth());
    const text = cell.getWidth() === 0 ? ' ' : textOf(cell);
    const [look, isOpen] = [rawLook(cell), isPlain(text)];
    const last = runs.at(-1);
    if (last !== undefined && isOpen && last.isOpen && isSame(last.look, look)) {
      last.text += text;
      last.columns += width;
    } else runs.push({text, columns: width, look, isOpen});
  }
  return withoutBlankEnd(runs).map(({text, columns: width, look}) => {
    const shown = look === undefined ? undefined : lookOf(look);
    return shown === undefined ? {text, columns: width} : {text, columns: width, look: shown};
  });
}

function withoutBlankEnd(runs: Run[]): readonly Run[] {
  const last = runs.at(-1);
  if (last === undefined || last.look !== undefined) return runs;
  const text = last.text.trimEnd();
  const rest = runs.slice(0, -1);
  return text === '' ? withoutBlankEnd(rest) : [...rest, {...last, text, columns: last.columns - (last.text.length - text.length)}];
}

/** Terminals agree on how wide these are; everything else is a run of its own. */
function isPlain(text: string): boolean {
  const code = text.length === 1 ? text.charCodeAt(0) : 0;
  return (code >= 0x20 && code < 0x7f) || (code >= 0x2500 && code <= 0x259f) || /^ +$/.test(text);
}

function textOf(cell: IBufferCell): string {
  const chars = cell.getChars();
  if (chars === '' || cell.isInvisible() !== 0) return ' '.repeat(cell.getWidth());
  return visibleText(chars) === chars ? chars : '\ufffd';
}

/** Numbers are compared for each cell, and made into a look for each run alone. */
interface RawLook {
  readonly fg: number;
  readonly fgMode: number;
  readonly bg: number;
  readonly bgMode: number;
  /** A bit for each of {@link ATTRIBUTES}. */
  readonly on: number;
}

/** undefined if the cell looks like text by default. */
function rawLook(cell: IBufferCell): RawLook | undefined {
  if (cell.isAttributeDefault()) return undefined;
  let on = 0;
  for (const [at, [, isOn]] of ATTRIBUTES.entries()) if (isOn(cell)) on |= 1 << at;
  return {fg: cell.getFgColor(), fgMode: cell.getFgColorMode(), bg: cell.getBgColor(), bgMode: cell.getBgColorMode(), on};
}

function isSame(one: RawLook | undefined, other: RawLook | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const isColoured = one.fg === other.fg && one.fgMode === other.fgMode && one.bg === other.bg && one.bgMode === other.bgMode;
  return isColoured && one.on === other.on;
}

const ATTRIBUTES: readonly (readonly [Exclude<keyof CellLook, 'fg' | 'bg'>, (cell: IBufferCell) => boolean])[] = [
  ['bold', (cell) => cell.isBold() !== 0],
  ['dim', (cell) => cell.isDim() !== 0],
  ['italic', (cell) => cell.isItalic() !== 0],
  ['underline', (cell) => cell.isUnderline() !== 0],
  ['inverse', (cell) => cell.isInverse() !== 0],
  ['strike', (cell) => cell.isStrikethrough() !== 0],
];

function lookOf({fg, fgMode, bg, bgMode, on}: RawLook): CellLook | undefined {
  const [front, back] = [colourOf(fgMode, fg), colourOf(bgMode, bg)];
  const look: CellLook = {
    ...(front === undefined ? {} : {fg: front}),
    ...(back === undefined ? {} : {bg: back}),
    ...Object.fromEntries(ATTRIBUTES.flatMap(([name], at) => ((on & (1 << at)) === 0 ? [] : [[name, true]]))),
  };
  return Object.keys(look).length === 0 ? undefined : look;
}

/** The modes of the emulator: 0 is the default, 1 and 2 are palettes of 16 and of 256, 3 is RGB; in the upper bits of a byte of their own. */
function colourOf(mode: number, colour: number): CellColour | undefined {
  if (mode === 0) return undefined;
  return mode === RGB ? `#${colour.toString(16).padStart(6, '0')}` : colour;
}

const RGB = 3 << 24;
