import type {Dialog, ScreenState} from '../model/screen-state.ts';
import {approvalLines} from '../approval/approval-lines.ts';
import type {CursorLines} from '../cells/cursor-lines.ts';
import {trustLines} from '../trust/trust-lines.ts';
import {questionLines} from '../questions/questions-lines.ts';

/** Renders the first dialog that waits for an answer. */
export function dialogLines(state: ScreenState, dialog: Dialog, rows: number): CursorLines {
  switch (dialog.type) {
    case 'approval':
      return approvalLines(state, dialog, rows);
    case 'questions':
      return questionLines(state, dialog, rows);
    case 'trust':
      return trustLines(state, dialog, rows);
    case 'plan':
      // This dialog has the whole screen.
      return {lines: [], cursor: undefined};
  }
}
