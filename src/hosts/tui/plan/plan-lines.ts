import {counted} from '../../../base/counted.ts';
import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, lineWidth} from '../cells/wrap-line.ts';
import {layoutEditor} from '../editor/layout-editor.ts';
import type {Frame, ScreenSize} from '../surface/surface.ts';
import {plainLines} from '../views/plain-lines.ts';
import {chosenUnits, planAnswers, type PlanDialog} from './plan-dialog.ts';
import type {PlanComment} from './plan-question.ts';
import {planRows, type LaidUnit} from './plan-rows.ts';

/** Shows the plan on a screen of its own: its lines with their comments, and below what is written, the answers or the keys. */
export function planLines(size: ScreenSize, dialog: PlanDialog): Omit<Frame, 'above'> {
  const {columns, rows} = size;
  const foot = footOf(size, dialog);
  const {room, first, body} = planLayout(size, dialog);
  const text = body.slice(first, first + room).map((line) => cutLine(line, columns));
  const blank = Array.from({length: Math.max(0, room - text.length)}, (): Line => []);
  const head = rows < LOW ? [] : [cutLine(headOf(dialog), columns)];
  const live = [...head, ...text, ...blank, ...foot.lines].slice(-rows);
  const {cursor} = foot;
  return {live, cursor: cursor === undefined ? undefined : {row: live.length - foot.lines.length + cursor.row, column: cursor.column}};
}

export interface PlanLayout {
  /** Rows for the plan. */
  readonly room: number;
  /** Rows of the chosen unit with its comments. */
  readonly height: number;
  readonly first: number;
  readonly body: readonly Line[];
}

/** Lays the plan out around the chosen unit. */
export function planLayout(size: ScreenSize, dialog: PlanDialog): PlanLayout {
  const {columns, rows} = size;
  const room = Math.max(0, rows - (rows < LOW ? 0 : 1) - footOf(size, dialog).lines.length);
  const whole = dialog.comments.filter(({lines}) => lines === undefined).flatMap((comment) => commentRows(comment, columns));
  const blocks = planRows(dialog.question, Math.max(1, columns - GUTTER)).map((unit, index) => blockRows(dialog, {unit, index, columns}));
  const height = blocks[dialog.at]?.length ?? 0;
  const start = whole.length + blocks.slice(0, dialog.at).reduce((sum, block) => sum + block.length, 0);
  const body = [...whole, ...blocks.flat()];
  const wanted = height > room ? start + dialog.skip : start - Math.floor((room - height) / 2);
  return {room, height, first: Math.max(0, Math.min(body.length - room, wanted)), body};
}

const LOW = 6;
const GUTTER = 2;

function headOf({question, comments}: PlanDialog): Line {
  const about = [
    question.path === undefined ? '' : shownRow(question.path),
    comments.length === 0 ? '' : counted(comments.length, 'comment'),
  ];
  return [span('Plan', 'heading'), ...about.filter((text) => text !== '').map((text) => span(` · ${text}`, 'dim'))];
}

interface Shown {
  readonly unit: LaidUnit;
  readonly index: number;
  readonly columns: number;
}

function blockRows(dialog: PlanDialog, {unit, index, columns}: Shown): readonly Line[] {
  const {first, last} = chosenUnits(dialog);
  const isChosen = index >= first && index <= last;
  const mark = isChosen ? (index === dialog.at ? '▸ ' : '┃ ') : '  ';
  const rows = unit.rows.map((row, at): Line => [span(at > 0 && isChosen ? '┃ ' : mark, 'accent'), ...row]);
  const comments = dialog.comments.filter(({lines}) => lines !== undefined && lines.last >= unit.first && lines.last <= unit.last);
  return [...rows, ...comments.flatMap((comment) => commentRows(comment, columns))];
}

function commentRows({lines, text}: PlanComment, columns: number): readonly Line[] {
  const where = lines === undefined ? 'on the whole: ' : lines.first === lines.last ? '' : `lines ${lines.first} to ${lines.last}: `;
  return plainLines(`${where}${text}`, {width: columns, first: span('  └ ', 'user'), rest: span('    '), style: ['user']});
}

interface Foot {
  readonly lines: readonly Line[];
  readonly cursor?: {readonly row: number; readonly column: number} | undefined;
}

function footOf({columns, rows}: ScreenSize, dialog: PlanDialog): Foot {
  const {writing, answering} = dialog;
  if (writing !== undefined) return writtenFoot(writing.editor, {columns, rows});
  if (answering !== undefined) return {lines: answerRows(dialog, answering, {columns, rows})};
  const help = 'Tab answers · Enter comments · Esc leaves · s section · w whole · d removes · Shift-Up, Shift-Down more lines';
  const line = cutLine([span(help, 'inverse')], columns);
  return {lines: [[...line, span(' '.repeat(Math.max(0, columns - lineWidth(line))), 'inverse')]]};
}

function writtenFoot(editor: NonNullable<PlanDialog['writing']>['editor'], {columns, rows}: ScreenSize): Foot {
  const maxRows = Math.max(1, Math.min(4, Math.floor(rows / 2)));
  const {lines, cursor} = layoutEditor(editor, {width: columns, maxRows, prompt: [span('comment: ', 'user')]});
  const hint: Line[] = rows < LOW ? [] : [cutLine([span('Enter keeps it, Esc does not', 'dim')], columns)];
  return {lines: [...lines, ...hint], cursor};
}

/** One row each, below a rule that separates them from the plan. On a low screen, the selected one alone. */
function answerRows(dialog: PlanDialog, answering: number, {columns, rows}: ScreenSize): readonly Line[] {
  const all = planAnswers(dialog).map(({label, description}, index): Line => {
    const isChosen = index === answering;
    const name = shownRow(label);
    const about = description === '' ? [] : [span(`  ${shownRow(description)}`, 'dim')];
    return [span(isChosen ? '▸ ' : '  ', 'accent'), isChosen ? span(name, 'selected') : span(name), ...about];
  });
  if (rows < all.length + LOW) {
    const place = span(`${answering + 1}/${all.length} `, 'dim');
    return [cutLine([place, ...(all[answering] ?? [])], columns)];
  }
  const rule: Line = [span('─'.repeat(columns), 'border')];
  const hint: Line = [span('Enter answers, Esc goes back to the plan', 'dim')];
  return [rule, ...all, hint].map((line) => cutLine(line, columns));
}
