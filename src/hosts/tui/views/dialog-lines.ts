import type {Dialog, ScreenState} from '../model/screen-state.ts';
import {approvalLines} from './approval-lines.ts';
import type {BottomLines} from './bottom-lines.ts';
import {questionLines} from './question-lines.ts';

/** The first of what waits for an answer. */
export function dialogLines(state: ScreenState, dialog: Dialog, rows: number): BottomLines {
  return dialog.type === 'approval' ? approvalLines(state, dialog, rows) : questionLines(state, dialog, rows);
}
