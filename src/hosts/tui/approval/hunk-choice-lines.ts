import {counted} from '../../../base/counted.ts';
import type {DiffHunk} from '../../../text/diff/hunks.ts';
import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, wrapLine} from '../cells/wrap-line.ts';
import {hunkChoices, NO_HUNKS, type HunkChoice} from './hunk-keys.ts';
import type {ApprovalDialog, ScreenState} from '../model/screen-state.ts';
import type {CursorLines} from '../cells/cursor-lines.ts';
import {loadedDiff} from '../views/diff/load-diff.ts';
import {plainLines} from '../views/plain-lines.ts';
import {windowedRows} from '../views/windowed-rows.ts';

/** One change of those that are chosen one by one, whether it is taken, and the keys. */
export function hunkChoiceLines(
  {size: {columns}}: ScreenState,
  {question, hunks = NO_HUNKS, scroll}: ApprovalDialog,
  rows: number,
): CursorLines {
  const choices = hunkChoices(question);
  const choice = choices[hunks.at];
  if (choice === undefined) return {lines: [], cursor: undefined};
  const isTaken = hunks.chosen.includes(choice.id);
  const mark = isTaken ? span('[x] taken', 'success') : span('[ ] not taken', 'dim');
  const title: Line = [span(`change ${hunks.at + 1} of ${choices.length} `, 'warning', 'bold'), mark];
  const result = hunks.chosen.length === 0 ? 'refuses all' : `applies ${hunks.chosen.length} of ${counted(choices.length, 'change')}`;
  const full = wrapLine([span(`y takes it · n leaves it · ↑ ↓ · Enter ${result} · Esc back`, 'dim')], columns);
  // On a low screen the change itself comes first.
  const foot = full.length === 1 || rows >= LOW_ROWS ? full : [cutLine([span(`y n · Enter ${result}`, 'dim')], columns)];
  const room = Math.max(1, rows - 1 - foot.length);
  const shown = windowedRows([...nameLines(choice, columns), ...hunkLines(choice, columns)], {first: scroll, room, columns});
  const lines = [cutLine(title, columns), ...shown, ...foot];
  // If the screen is too low for everything, the keys and their meaning stay.
  return {lines: [...lines.slice(0, 1), ...lines.slice(1).slice(-Math.max(0, rows - 1))].slice(0, rows), cursor: undefined};
}

function nameLines({diff}: HunkChoice, columns: number): readonly Line[] {
  const fate = diff.before === undefined ? ' (new file)' : '';
  return wrapLine([span(`${shownRow(diff.path)}${fate}`, 'bold')], columns);
}

/** A change is read only as far as it is shown. */
function hunkLines({diff: {path}, hunk}: HunkChoice, columns: number): readonly Line[] {
  const more = hunk.lines.length - MOST_LINES;
  const shown = {...hunk, lines: hunk.lines.slice(0, MOST_LINES)};
  const rows = loadedDiff()?.renderHunk(shown, {path, width: columns}) ?? plainHunk(shown, columns);
  return more <= 0 ? rows : [...rows, cutLine([span(`… ${counted(more, 'more line')}`, 'dim')], columns)];
}

/** Until the coloured form is ready: lines after their numbers, from the old text for removed ones, from the new text otherwise. */
function plainHunk({oldStart, newStart, lines}: DiffHunk, columns: number): readonly Line[] {
  const digits = `${Math.max(oldStart, newStart) + lines.length}`.length;
  let [old, now] = [oldStart, newStart];
  return lines.flatMap(({type, text}) => {
    if (type !== 'added') old++;
    if (type !== 'removed') now++;
    const {sign, style} = SIDES[type];
    const number = `${type === 'removed' ? old : now}`.padStart(digits);
    const ending = /\r\n?$/.test(text) ? '␍' : '';
    const row = plainLines(text.replace(/[\r\n]+$/, '') + ending, {
      width: columns,
      first: span(`${number} ${sign} `, style),
      rest: span(' '.repeat(digits + 3)),
      style: [style],
    });
    return /[\r\n]$/.test(text) ? row : [...row, [span(`${' '.repeat(digits + 3)}(no end of line)`, 'dim')]];
  });
}

const MOST_LINES = 500;
const LOW_ROWS = 8;

const SIDES = {
  same: {sign: ' ', style: 'dim'},
  removed: {sign: '-', style: 'removed'},
  added: {sign: '+', style: 'added'},
} as const;
