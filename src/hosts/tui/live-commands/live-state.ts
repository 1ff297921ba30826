import {visibleText} from '../../../base/visible-text.ts';
import type {CellRun, LiveCommand, LiveContent} from '../../../protocol/live-command.ts';
import {cellWidth} from '../cells/cell-width.ts';
import {truncateToWidth} from '../cells/truncate-to-width.ts';
import {shownRow} from '../cells/shown-text.ts';

/** Background commands, and the output of those that are shown. */
export interface LiveState {
  readonly commands: readonly ShownCommand[];
  readonly contents: Readonly<Record<string, LiveContent>>;
}

export interface ShownCommand extends LiveCommand {
  /** Milliseconds of the clock of the screen. */
  readonly startedAt: number;
}

/** One command in full, on the alternate screen. */
export interface CommandOverlay {
  readonly type: 'command';
  readonly id: string;
  /** `typing`: keys are for the command. `ending`: the person is asked whether they mean it. */
  readonly mode: 'following' | 'typing' | 'ending';
  /** Rows above those that are followed. */
  readonly up: number;
}

export const NOTHING_LIVE: LiveState = {commands: [], contents: {}};

/** Takes a new list; output of commands that are no longer known is dropped. */
export function withCommands({commands: known, contents}: LiveState, commands: readonly LiveCommand[], now: number): LiveState {
  const ids = new Set(commands.map(({id}) => id));
  return {
    commands: commands.map((command) => ({
      ...command,
      command: shownRow(command.command),
      startedAt: known.find(({id, pid}) => id === command.id && pid === command.pid)?.startedAt ?? now - command.ageMs,
    })),
    contents: Object.fromEntries(Object.entries(contents).filter(([id]) => ids.has(id))),
  };
}

/** Takes the output of a command; nothing in it controls the terminal, and no row is wider than the command's screen. */
export function withContent(live: LiveState, id: string, content: LiveContent): LiveState {
  return {...live, contents: {...live.contents, [id]: content.type === 'output' ? outputOf(content) : screenOf(content)}};
}

/** Characters: an agent of another kind may send more than it should. */
const MOST_OUTPUT = 64 * 1024;
const [MOST_ROWS, MOST_COLUMNS] = [500, 1000];

function outputOf({text, isCut}: Extract<LiveContent, {type: 'output'}>): LiveContent {
  return {type: 'output', text: visibleText(text.slice(-MOST_OUTPUT)), isCut: isCut || text.length > MOST_OUTPUT};
}

function screenOf({screen}: Extract<LiveContent, {type: 'screen'}>): LiveContent {
  const columns = Math.min(screen.columns, MOST_COLUMNS);
  const lines = screen.lines.slice(0, MOST_ROWS).map((line) => line.slice(0, columns).map(harmlessRun));
  return {type: 'screen', screen: {...screen, columns, title: shownRow(screen.title).slice(0, MOST_TITLE), lines}};
}

const MOST_TITLE = 120;

/** A run that is not as wide as it says is made so. */
function harmlessRun(run: CellRun): CellRun {
  const text = shownRow(run.text);
  const width = cellWidth(text);
  if (text === run.text && width === run.columns) return run;
  const fitting = width > run.columns ? truncateToWidth(text, run.columns, 'start') : text;
  return {...run, text: fitting + ' '.repeat(Math.max(0, run.columns - cellWidth(fitting)))};
}

/** Returns the command that a call waits for. */
export function commandOfCall({commands}: LiveState, callId: string): ShownCommand | undefined {
  return commands.find(({calls}) => calls.includes(callId));
}

/** Those that run and that nothing on the screen shows already: no call waits for them. */
export function runningCommands({commands}: LiveState): readonly ShownCommand[] {
  return commands.filter(({end, calls}) => end === undefined && calls.length === 0);
}
