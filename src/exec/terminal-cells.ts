import type {IBufferCell, IBufferLine, Terminal as Emulator} from '@xterm/headless';
import {visibleText} from '../base/visible-text.ts';
import type {CellColour, CellLook, CellRun, ScreenCells} from '../protocol/live-command.ts';

/** Reads the screen of an emulator, without what has scrolled away. Nothing in the text of a cell steers a terminal. */
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
  readonly look: CellLook | undefined;
  readonly key: string;
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
    const [text, key] = [cell.getWidth() === 0 ? ' ' : textOf(cell), lookKey(cell)];
    const last = runs.at(-1);
    if (last?.key === key && isPlain(text) && isPlain(last.text)) {
      last.text += text;
      last.columns += width;
    } else runs.push({text, columns: width, look: key === '' ? undefined : lookOf(cell), key});
  }
  return withoutBlankEnd(runs).map(({text, columns: width, look}) =>
    look === undefined ? {text, columns: width} : {text, columns: width, look},
  );
}

function withoutBlankEnd(runs: Run[]): readonly Run[] {
  const last = runs.at(-1);
  if (last === undefined || last.key !== '') return runs;
  const text = last.text.trimEnd();
  const rest = runs.slice(0, -1);
  return text === '' ? withoutBlankEnd(rest) : [...rest, {...last, text, columns: last.columns - (last.text.length - text.length)}];
}

/** Terminals agree on how wide these are; everything else is a run of its own. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e\u2500-\u257f\u2580-\u259f]*$/.test(text);
}

function textOf(cell: IBufferCell): string {
  const chars = cell.getChars();
  if (chars === '' || cell.isInvisible() !== 0) return ' '.repeat(cell.getWidth());
  return visibleText(chars) === chars ? chars : '\ufffd';
}

/** '' where the cell looks like text by default. */
function lookKey(cell: IBufferCell): string {
  return cell.isAttributeDefault()
    ? ''
    : `${cell.getFgColorMode()}:${cell.getFgColor()}:${cell.getBgColorMode()}:${cell.getBgColor()}:${ATTRIBUTES.map(([, isOn]) => (isOn(cell) ? 1 : 0)).join('')}`;
}

const ATTRIBUTES: readonly (readonly [Exclude<keyof CellLook, 'fg' | 'bg'>, (cell: IBufferCell) => boolean])[] = [
  ['bold', (cell) => cell.isBold() !== 0],
  ['dim', (cell) => cell.isDim() !== 0],
  ['italic', (cell) => cell.isItalic() !== 0],
  ['underline', (cell) => cell.isUnderline() !== 0],
  ['inverse', (cell) => cell.isInverse() !== 0],
  ['strike', (cell) => cell.isStrikethrough() !== 0],
];

function lookOf(cell: IBufferCell): CellLook | undefined {
  const fg = cell.isFgDefault() ? undefined : colourOf(cell.isFgRGB(), cell.getFgColor());
  const bg = cell.isBgDefault() ? undefined : colourOf(cell.isBgRGB(), cell.getBgColor());
  const look: CellLook = {
    ...(fg === undefined ? {} : {fg}),
    ...(bg === undefined ? {} : {bg}),
    ...Object.fromEntries(ATTRIBUTES.flatMap(([name, isOn]) => (isOn(cell) ? [[name, true]] : []))),
  };
  return Object.keys(look).length === 0 ? undefined : look;
}

function colourOf(isRgb: boolean, colour: number): CellColour {
  return isRgb ? `#${colour.toString(16).padStart(6, '0')}` : colour;
}
