import {span, type Line} from '../cells/line.ts';
import {cellWidth} from '../cells/cell-width.ts';
import {truncateToWidth} from '../cells/truncate-to-width.ts';
import {cutLine, lineWidth} from '../cells/wrap-line.ts';
import type {ScreenState} from '../model/screen-state.ts';
import type {CursorLines} from '../cells/cursor-lines.ts';
import {elapsed} from '../views/duration-text.ts';
import {plainLines} from '../views/plain-lines.ts';
import {cellLines, scrollRange} from './cell-lines.ts';
import type {CommandOverlay, ShownCommand} from './live-state.ts';

/** A command in full: its output, and a row with its name and the keys. While the person types, the cursor is the command's. */
export function commandScreen(state: ScreenState, overlay: CommandOverlay): CursorLines {
  const {size} = state;
  const rows = size.rows - 1;
  const {lines, cursor} = commandBody(state, overlay);
  const blank = Array.from({length: Math.max(0, rows - lines.length)}, (): Line => []);
  const foot = footLine(state, overlay);
  return {lines: [...lines.slice(0, rows), ...blank, foot], cursor};
}

export interface CommandBody extends CursorLines {
  /** The range for scrolling, from {@link scrollRange}. */
  readonly range: {readonly most: number; readonly least: number};
}

/** Returns the rows of a command's output that fit above the last one. */
export function commandBody({live, size}: Pick<ScreenState, 'live' | 'size'>, {id, up, mode}: CommandOverlay): CommandBody {
  const content = live.contents[id];
  const {columns} = size;
  const rows = Math.max(0, size.rows - 1);
  if (content?.type === 'screen') {
    const {screen} = content;
    const shown = cellLines(screen, {columns, rows, up, drawsCursor: mode !== 'typing'});
    return {...shown, range: scrollRange(screen, rows)};
  }
  const text = content?.text.trimEnd() ?? '';
  const cut: Line[] = content?.isCut === true ? [[span('… what came before is not kept', 'dim')]] : [];
  const all = text === '' ? [[span('Nothing was written yet.', 'dim')]] : [...cut, ...plainLines(text, {width: columns})];
  const most = Math.max(0, all.length - rows);
  const first = most - Math.max(0, Math.min(most, up));
  return {lines: all.slice(first, first + rows).map((line) => cutLine(line, columns)), cursor: undefined, range: {most, least: 0}};
}

/** As much as fits: the keys before the name, and that before the time it has run. */
function footLine({live, size, now, dialogs}: ScreenState, {id, mode}: CommandOverlay): Line {
  const command = live.commands.find((one) => one.id === id);
  const waiting = dialogs.length === 0 ? '' : `A question waits: ${mode === 'typing' ? 'Ctrl-], Esc' : 'Esc'} · `;
  const [help, short] = helpOf(command, mode);
  const end = ` · ${waiting}${help} · ${stateText(command, now)}`;
  const room = size.columns - cellWidth(end) - cellWidth(id);
  const about = command === undefined || room < LEAST_ABOUT ? '' : ` ${truncateToWidth(command.command, room - 1, 'both')}`;
  const texts = [`${id}${about}${end}`, `${id} · ${waiting}${help}`, `${waiting}${help}`, `${waiting}${short}`];
  const text = texts.find((one) => cellWidth(one) <= size.columns) ?? `${waiting}${short}`;
  const style = mode === 'following' ? (['inverse'] as const) : (['warning', 'inverse'] as const);
  const foot = cutLine([span(text, ...style)], size.columns);
  return [...foot, span(' '.repeat(Math.max(0, size.columns - lineWidth(foot))), ...style)];
}

/** Columns. */
const LEAST_ABOUT = 8;

function helpOf(command: ShownCommand | undefined, mode: CommandOverlay['mode']): readonly [help: string, short: string] {
  if (mode === 'typing') return ['YOU TYPE INTO IT · Ctrl-] leaves', 'TYPING · Ctrl-] leaves'];
  if (mode === 'ending') return ['End it, with all that it started? y, n', 'End it? y, n'];
  if (command === undefined || command.end !== undefined) return ['Esc leaves', 'Esc leaves'];
  const types = command.isInteractive;
  return [`${types ? 'i types into it · ' : ''}x ends it · Esc leaves`, `${types ? 'i types · ' : ''}x ends · Esc leaves`];
}

/** `12 s`, `exit code 1`. */
export function stateText(command: ShownCommand | undefined, now: number): string {
  if (command === undefined) return 'gone';
  const {end, startedAt} = command;
  if (end === undefined) return `runs for ${elapsed(Math.max(0, Math.floor((now - startedAt) / 1000)))}`;
  if (end.cancelled) return 'was ended';
  if (end.timedOut) return 'its time was over';
  return end.exitCode === null ? `ended by ${end.signal ?? 'a signal'}` : `ended, exit code ${end.exitCode}`;
}
