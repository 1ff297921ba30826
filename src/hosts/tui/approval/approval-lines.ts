import {type Line, plainText, span} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, wrapLine} from '../cells/wrap-line.ts';
import {layoutEditor} from '../editor/layout-editor.ts';
import {approvalTitle} from './approval-title.ts';
import type {ApprovalDialog, ScreenState} from '../model/screen-state.ts';
import {approvalFoot} from './approval-footer.ts';
import type {CursorLines} from '../cells/cursor-lines.ts';
import {diffLines} from '../views/diff-lines.ts';
import {hunkChoiceLines} from './hunk-choice-lines.ts';
import {plainLines} from '../views/plain-lines.ts';
import {windowedRows} from '../views/windowed-rows.ts';

/** The whole call, the reason for the question, and the answers with the exact rules that they would store. */
export function approvalLines(state: ScreenState, dialog: ApprovalDialog, rows: number): CursorLines {
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
  const reason = plainLines(question.reason, {width: columns, style: ['dim']});
  const subject = subjectLines(dialog, columns);
  const foot = approvalFoot(dialog, {columns, rows, about: reason.length + subject.length, written: written?.lines});
  // Without room for the rules, there is hardly any for the rest: the call itself comes first.
  const about = foot.scrolled.length === 0 ? [...reason, ...subject] : [...subject, ...reason, ...foot.scrolled];
  // That there is more than is shown matters more than the title.
  const head = rows < foot.lines.length + 3 ? [] : [cutLine(title, columns)];
  const room = Math.max(1, rows - head.length - foot.lines.length);
  const lines = [...head, ...windowedRows(about, {first: dialog.scroll, room, columns}), ...foot.lines].slice(0, Math.max(1, rows));
  const cursor =
    written === undefined ? undefined : {row: lines.length - written.lines.length + written.cursor.row, column: written.cursor.column};
  return {lines, cursor};
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
  const details = rows.filter((row) => !heads.has(plainText(row)) || row.some(({style}) => style !== undefined));
  const subject = details.flatMap((row) => wrapLine([span('  '), ...row], columns, [span('  ')]));
  return [...subject, ...question.diffs.flatMap((diff) => diffLines(diff, columns))];
}
