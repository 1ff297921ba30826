import {type Line, plainText, span} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, wrapLine} from '../cells/wrap-line.ts';
import {layoutEditor} from '../editor/layout-editor.ts';
import {approvalTitle} from '../model/approval-title.ts';
import type {ApprovalDialog, ScreenState} from '../model/screen-state.ts';
import {approvalFoot} from './approval-foot.ts';
import type {BottomLines} from './bottom-lines.ts';
import {diffLines} from './diff-lines.ts';
import {hunkChoiceLines} from './hunk-choice-lines.ts';
import {plainLines} from './plain-lines.ts';
import {windowedRows} from './windowed-rows.ts';

/** The whole of what is asked about, why it is asked, and the answers with the exact rules that they would store. */
export function approvalLines(state: ScreenState, dialog: ApprovalDialog, rows: number): BottomLines {
  if (dialog.hunks !== undefined) return hunkChoiceLines(state, dialog, rows);
  const {columns} = state.size;
  const {question, writing} = dialog;
  const waiting = state.dialogs.length - 1;
  const more = waiting === 0 ? '' : ` · ${waiting} more ${waiting === 1 ? 'waits' : 'wait'}`;
  const title: Line = [span(shownRow(approvalTitle(question)), 'warning', 'bold'), ...(more === '' ? [] : [span(more, 'dim')])];
  const written =
    writing === undefined
      ? undefined
      : layoutEditor(writing.editor, {width: columns, maxRows: 3, prompt: [span(`${writing.what}: `, 'user')]});
  const about = [...plainLines(question.reason, {width: columns, style: ['dim']}), ...subjectLines(dialog, columns)];
  const foot = approvalFoot(dialog, {columns, room: rows - 1 - Math.min(about.length, LEAST_ABOUT), written: written?.lines});
  const room = Math.max(1, rows - 1 - foot.length);
  const shown = windowedRows(about, {first: dialog.scroll, room, columns});
  const lines = [cutLine(title, columns), ...shown, ...foot];
  // Where the screen is too low for everything, the answers stay.
  const cut = Math.max(0, lines.length - rows);
  const kept = [...lines.slice(0, 1), ...lines.slice(1 + cut)];
  const cursor =
    written === undefined ? undefined : {row: kept.length - written.lines.length + written.cursor.row, column: written.cursor.column};
  return {lines: kept.slice(-rows), cursor};
}

function subjectLines({question}: ApprovalDialog, columns: number): readonly Line[] {
  const rows: Line[] = [[]];
  for (const {text, risky} of question.subject) {
    for (const [index, row] of text.split('\n').entries()) {
      if (index > 0) rows.push([]);
      const shown = plainLines(row, {width: Number.MAX_SAFE_INTEGER, style: risky === true ? ['error', 'bold'] : undefined})[0] ?? [];
      rows[rows.length - 1] = [...(rows.at(-1) ?? []), ...shown];
    }
  }
  // The head of the diff names the file already.
  const heads = new Set(question.diffs.map(({path}) => `write ${path}`));
  const told = rows.filter((row) => !heads.has(plainText(row)) || row.some(({style}) => style !== undefined));
  const subject = told.flatMap((row) => wrapLine([span('  '), ...row], columns, [span('  ')]));
  return [...subject, ...question.diffs.flatMap((diff) => diffLines(diff, columns))];
}

/** Rows of what is asked about that are shown before the answers are. */
const LEAST_ABOUT = 4;
