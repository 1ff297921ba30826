import xterm from '@xterm/headless';

/**
 * A terminal to write screen tests with: the emulator of VS Code without a window. It understands every byte at once, so that tests need no
 * waiting, and checks each frame as a strict reader of the byte stream would.
 *
 *     const terminal = emulator({columns: 40, rows: 10});
 *     const surface = createInlineSurface(terminal, {synchronized: true, looks});
 *     surface.draw({above: [], live: [[span('hello')]], cursor: undefined});
 *     expect(terminal.screen()).toEqual(['hello', …]);
 *     expect(terminal.problems).toEqual([]);
 *
 * - `write` is what a surface writes to (the emulator is a `TerminalOutput`); one call is one frame.
 * - `screen()` and `scrollback()` are rows of text without blanks at their end; `looks(row)` tells the looks of a row's cells.
 * - `problems`: what a person would see flicker (a cell that was emptied and then shows the same as before), and ED 3.
 * - `bytes`: UTF-8 bytes written up to now; set it to 0 to measure a part.
 */
export interface Emulator {
  write(text: string): void;
  columns: number;
  rows: number;
  bytes: number;
  readonly frames: string[];
  readonly problems: string[];
  /** What the terminal answers to questions. */
  readonly answers: string[];
  screen(): string[];
  /** Its rows, from one of them on. */
  scrollback(from?: number): string[];
  /** How many rows the scrollback has. */
  scrolled(): number;
  /** Runs of cells of a row of the screen with their looks: `['ab', 'bold fg:1']`. */
  looks(row: number): [string, string][];
  cursor(): {row: number; column: number; isShown: boolean};
  resize(columns: number, rows: number): void;
}

export function emulator({columns, rows}: {readonly columns: number; readonly rows: number}): Emulator {
  const terminal = new xterm.Terminal({cols: columns, rows, scrollback: 100_000, allowProposedApi: true});
  const answers: string[] = [];
  terminal.onData((text) => void answers.push(text));
  // Lines of the alternate screen keep what lies beyond a screen that became narrower.
  const lineAt = (at: number): string => terminal.buffer.active.getLine(at)?.translateToString(true, 0, terminal.cols) ?? '';
  const self: Emulator = {
    columns,
    rows,
    bytes: 0,
    frames: [],
    problems: [],
    answers,
    write(text) {
      self.bytes += Buffer.byteLength(text);
      self.frames.push(text);
      self.problems.push(...writeChecked(terminal, text));
    },
    screen: () => Array.from({length: self.rows}, (_, row) => lineAt(terminal.buffer.active.baseY + row)),
    scrollback: (from = 0) => Array.from({length: Math.max(0, terminal.buffer.active.baseY - from)}, (_, row) => lineAt(from + row)),
    scrolled: () => terminal.buffer.active.baseY,
    looks: (row) => looksOf(terminal, row),
    cursor: () => ({row: terminal.buffer.active.cursorY, column: terminal.buffer.active.cursorX, isShown: isCursorShown(terminal)}),
    resize(newColumns, newRows) {
      terminal.resize(newColumns, newRows);
      [self.columns, self.rows] = [newColumns, newRows];
    },
  };
  return self;
}

type Xterm = xterm.Terminal;

/** Internals of the emulator: its `write` parses later, and it does not publish whether the cursor is shown. */
interface Internals {
  readonly _core: {writeSync(text: string): void; readonly coreService: {readonly isCursorHidden: boolean}};
}

const internals = (terminal: Xterm): Internals['_core'] => (terminal as unknown as Internals)._core;

function isCursorShown(terminal: Xterm): boolean {
  return !internals(terminal).coreService.isCursorHidden;
}

// oxlint-disable-next-line no-control-regex -- the pieces that a terminal takes one after the other
const PIECES = /\x1b\[[?>=<]?[\d;]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.|[\x00-\x1f]|[^\x00-\x1f]+/gs;
// oxlint-disable-next-line no-control-regex -- ED, EL, ECH
const ERASES = /^\x1b\[\d*[JKX]$/;

function writeChecked(terminal: Xterm, text: string): string[] {
  const problems: string[] = [];
  const erased: {row: number; cells: Cells}[] = [];
  for (const piece of text.match(PIECES) ?? []) {
    if (piece === '\x1b[3J') problems.push('the scrollback was erased (ED 3)');
    if (!ERASES.test(piece)) {
      internals(terminal).writeSync(piece);
      continue;
    }
    const reach = reachOf(terminal, piece);
    const before = cellsOf(terminal, reach);
    internals(terminal).writeSync(piece);
    for (const [at, cells] of cellsOf(terminal, reach).entries()) {
      const row = reach.first + at;
      const gone = (before[at] ?? []).map((cell, column) => (cells[column] === ' ' && cell !== ' ' ? cell : undefined));
      // By its line, which keeps its number when it scrolls away.
      if (gone.some((cell) => cell !== undefined)) erased.push({row: terminal.buffer.active.baseY + row, cells: gone});
    }
  }
  // A whole screen is emptied only to draw it from scratch, which those who asked for it see.
  if (text.includes('\x1b[H\x1b[J')) return problems;
  if (erased.length === 0) return problems;
  const after = cellsOf(terminal, {first: 0, count: terminal.rows});
  const {baseY} = terminal.buffer.active;
  for (const {row, cells} of erased) {
    const again = cells.flatMap((cell, at) => (cell !== undefined && after[row - baseY]?.[at] === cell ? [at] : []));
    if (again.length > 0) problems.push(`line ${row}: columns ${again.join(' ')} were erased and written again`);
  }
  return problems;
}

type Cells = (string | undefined)[];

/** Rows of the screen. */
interface Reach {
  readonly first: number;
  readonly count: number;
}

/** What an erasing sequence may change: the row of the cursor, or all of the screen. */
function reachOf(terminal: Xterm, piece: string): Reach {
  return piece.endsWith('J') ? {first: 0, count: terminal.rows} : {first: terminal.buffer.active.cursorY, count: 1};
}

function cellsOf(terminal: Xterm, {first, count}: Reach): Cells[] {
  const {active} = terminal.buffer;
  return Array.from({length: count}, (_, row) => {
    const line = active.getLine(active.baseY + first + row);
    return Array.from({length: terminal.cols}, (_, column) => line?.getCell(column)?.getChars() || ' ');
  });
}

function looksOf(terminal: Xterm, row: number): [string, string][] {
  const line = terminal.buffer.active.getLine(terminal.buffer.active.baseY + row);
  const runs: [string, string][] = [];
  for (let column = 0; column < terminal.cols; column += 1) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const look = lookOfCell(cell);
    const last = runs.at(-1);
    if (last !== undefined && last[1] === look) last[0] += cell.getChars() || ' ';
    else runs.push([cell.getChars() || ' ', look]);
  }
  const last = runs.at(-1);
  if (last !== undefined && last[1] === '') last[0] = last[0].trimEnd();
  return runs.filter(([text]) => text !== '');
}

function lookOfCell(cell: xterm.IBufferCell): string {
  const colour = (isDefault: boolean, isRgb: boolean, code: number): string =>
    isDefault ? '' : isRgb ? `#${code.toString(16).padStart(6, '0')}` : String(code);
  const fg = colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor());
  const bg = colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor());
  const on: [string, unknown][] = [
    ['bold', cell.isBold()],
    ['dim', cell.isDim()],
    ['italic', cell.isItalic()],
    ['underline', cell.isUnderline()],
    ['inverse', cell.isInverse()],
    ['strike', cell.isStrikethrough()],
    [`fg:${fg}`, fg],
    [`bg:${bg}`, bg],
  ];
  return on
    .filter(([, isOn]) => Boolean(isOn))
    .map(([name]) => name)
    .join(' ');
}
