import {onTestFinished, vi} from 'vitest';
import {plainText, type Line} from '../../src/hosts/tui/cells/line.ts';
import {lineWidth} from '../../src/hosts/tui/cells/wrap-line.ts';
import type {SessionInfo, SurfacePreference} from '../../src/hosts/tui/host-adapter.ts';
import type {Action, ScreenEffect} from '../../src/hosts/tui/model/action.ts';
import {createKeymap} from '../../src/hosts/tui/keys/keymap.ts';
import {initialState, type ScreenState} from '../../src/hosts/tui/model/screen-state.ts';
import {createDrive} from '../../src/hosts/tui/runner/drive.ts';
import {rowOf, type ScreenRow} from '../../src/hosts/tui/surface/row.ts';
import {createSurfaces} from '../../src/hosts/tui/surface/surfaces.ts';
import type {Frame, ScreenSize, Surface} from '../../src/hosts/tui/surface/surface.ts';
import type {TerminalTraits} from '../../src/hosts/tui/terminal/terminal-output.ts';
import {terminalTheme} from '../../src/hosts/tui/themes/terminal-themes.ts';
import {loadDiff} from '../../src/hosts/tui/views/diff/load-diff.ts';
import {loadMarkdown} from '../../src/hosts/tui/views/markdown/load-markdown.ts';
import {emulator, type Emulator} from './emulator.ts';

/**
 * A session on an emulated terminal: model, views, drive and surface as they run, with a clock that stands still until the test moves it.
 * Every frame is checked when it is drawn; `problems` tells what was wrong with one.
 */
export interface TestScreen {
  readonly terminal: Emulator;
  readonly problems: readonly string[];
  readonly effects: ScreenEffect[];
  state(): ScreenState;
  /** One after the other, with no frame between them. */
  dispatch(...actions: readonly Action[]): void;
  /** Keys by name; a character types itself. */
  press(...names: readonly string[]): void;
  paste(text: string): void;
  /** Lets time pass and draws what is due. */
  wait(milliseconds: number): void;
  resize(size: ScreenSize): void;
  close(): void;
}

export interface TestScreenOptions extends ScreenSize {
  readonly info?: SessionInfo | undefined;
  readonly prompts?: readonly string[] | undefined;
  readonly synchronized?: boolean | undefined;
  readonly surface?: SurfacePreference | undefined;
}

/** Timers of the drive are those of the test. */
export async function useTestClock(): Promise<void> {
  await Promise.all([loadMarkdown(), loadDiff()]);
  vi.useFakeTimers({toFake: ['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval']});
  onTestFinished(() => void vi.useRealTimers());
}

export function testScreen({columns, rows, info, prompts, synchronized = true, surface = 'inline'}: TestScreenOptions): TestScreen {
  const terminal = emulator({columns, rows});
  const traits: TerminalTraits = {synchronized, looks: terminalTheme('dark', '256')};
  const problems: string[] = [];
  const effects: ScreenEffect[] = [];
  let now = 0;
  const surfaces = createSurfaces(surface, terminal, traits);
  const checks = {terminal, problems, looks: traits.looks};
  const final = {lines: []};
  const drive = createDrive({
    initial: initialState({size: {columns, rows}, now, appName: 'Fettle', folder: 'project', info, prompts, keymap: createKeymap().keymap}),
    surface: checked(surfaces.surface, {...checks, isInline: surface !== 'alternate', final}),
    // On the one alternate screen the newest final rows stand above what covers the conversation, too, where it leaves room.
    openPager: () => checked(surfaces.openPager(), {...checks, isInline: false, final: surface === 'alternate' ? final : {lines: []}}),
    perform: (effect) => effects.push(effect),
    now: () => now,
  });
  // What a timer of the last millisecond wants drawn is drawn, too: the clock of the timers has it in the next one.
  let ahead = 0;
  const wait = (milliseconds: number): void => {
    now += milliseconds;
    vi.advanceTimersByTime(milliseconds === 0 ? 0 : milliseconds + 1 - ahead);
    if (milliseconds > 0) ahead = 1;
    problems.push(...terminal.problems.splice(0));
  };
  const dispatch = (...actions: readonly Action[]): void => {
    for (const action of actions) {
      if (action.type === 'resize') terminal.resize(action.size.columns, action.size.rows);
      drive.dispatch(action);
    }
    wait(0);
  };
  return {
    terminal,
    problems,
    effects,
    state: drive.state,
    dispatch,
    press: (...names) => dispatch(...names.map((name): Action => ({type: 'key', key: keyOf(name)}))),
    paste: (text) => dispatch({type: 'key', key: {type: 'paste', text}}),
    wait,
    resize: (size) => dispatch({type: 'resize', size}),
    close: drive.close,
  };
}

/** The screen as a box, with the cursor as ▏ and without the empty rows below. */
export function pictureOf({terminal}: TestScreen): string {
  const {row, column, isShown} = terminal.cursor();
  const rows = terminal.screen().map((text, at) => {
    if (!isShown || at !== row) return text;
    const cells = Array.from(text.padEnd(column));
    return [...cells.slice(0, column), '▏', ...cells.slice(column)].join('');
  });
  return [...terminal.scrollback().map((text) => `^ ${text}`), ...rows.map((text) => `  ${text}`)].join('\n').trimEnd();
}

export function keyOf(name: string): {readonly type: 'key'; readonly name: string; readonly text?: string} {
  const typed = name === 'space' ? ' ' : name;
  return Array.from(typed).length === 1 ? {type: 'key', name, text: typed} : {type: 'key', name};
}

interface Checks {
  readonly terminal: Emulator;
  readonly problems: string[];
  readonly looks: TerminalTraits['looks'];
  readonly isInline: boolean;
  /** Rows that the surface has been given to keep. */
  readonly final: {lines: Line[]};
}

/** The surface, with a look at each frame: what views promise, and that the terminal then shows it, every final row once. */
function checked(surface: Surface, {terminal, problems, looks, isInline, final}: Checks): Surface {
  let from = 0;
  let known = new WeakMap<Line, string>();
  const rowsOf = (lines: readonly Line[]): string[] =>
    lines.map((line) => {
      const text = known.get(line) ?? textOf(rowOf(line, {looks}, terminal.columns));
      known.set(line, text);
      return text;
    });
  const look = ({above, live, cursor}: Frame): void => {
    const {columns, rows} = terminal;
    if (live.length > rows) problems.push(`${live.length} live rows on a screen of ${rows}`);
    for (const line of [...above, ...live]) {
      if (lineWidth(line) > columns) problems.push(`a row of ${lineWidth(line)} columns on a screen of ${columns}: ${plainText(line)}`);
      if (STEERING.test(plainText(line))) problems.push(`a control character in ${JSON.stringify(plainText(line))}`);
    }
    if (cursor !== undefined && !(cursor.row >= 0 && cursor.row < live.length && cursor.column >= 0 && cursor.column < columns))
      problems.push(`the cursor at ${cursor.row}, ${cursor.column} of ${live.length} rows`);
  };
  const compare = (live: readonly Line[]): void => {
    const room = Math.max(0, terminal.rows - live.length);
    const above = rowsOf(isInline ? final.lines : final.lines.slice(Math.max(0, final.lines.length - room)));
    const [seen, meant] = comparable([...(isInline ? terminal.scrollback(from) : []), ...terminal.screen()], [...above, ...rowsOf(live)]);
    if (seen !== meant) problems.push(`the terminal shows\n${seen}\nand not\n${meant}`);
  };
  return {
    get size() {
      return surface.size;
    },
    draw(frame) {
      look(frame);
      surface.draw(frame);
      final.lines.push(...frame.above);
      compare(frame.live);
    },
    redraw(frame, tail) {
      look({...frame, above: tail});
      from = terminal.scrolled();
      known = new WeakMap();
      // The one keeps what may have scrolled away, the other writes what there is room for.
      const older = isInline ? [] : final.lines.slice(0, Math.max(0, final.lines.length - tail.length));
      const room = isInline ? Math.max(0, terminal.rows - frame.live.length) : tail.length;
      final.lines = [...older, ...tail.slice(Math.max(0, tail.length - room))];
      surface.redraw(frame, tail);
      compare(frame.live);
    },
    end: (options) => surface.end(options),
  };
}

function textOf({cells}: ScreenRow): string {
  return cells.map(({text}) => text).join('');
}

/**
 * Both as one text each. Of rows with characters whose width the emulator takes from an older table than the views, only their neighbours
 * are compared: what it takes to be a column of its own is written over.
 */
function comparable(seen: readonly string[], meant: readonly string[]): readonly [seen: string, meant: string] {
  const isSure = (row: string | undefined): boolean => row === undefined || SAME_WIDTH.test(row);
  const textOf = (rows: readonly string[]): string =>
    rows
      .map((row, at) => (isSure(seen[at]) && isSure(meant[at]) ? row.trimEnd() : row.replaceAll(/[^!-~]/g, '')))
      .join('\n')
      .trimEnd();
  return [textOf(seen), textOf(meant)];
}

const SAME_WIDTH = /^[\x20-\x7e\xa1-\u02ff\u0400-\u052f\u2010-\u2027\u2030-\u22ff\u2400-\u25fc\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]*$/;

/** What a terminal would obey, and what would turn the direction of text. */
const STEERING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]|\p{Surrogate}/u;
