import {approvalTitle} from '../approval/approval-title.ts';
import type {Dialog} from './screen-state.ts';

/** Returns the subject of a question in one line, for a notification. */
export function dialogTitle(dialog: Dialog): string {
  switch (dialog.type) {
    case 'approval':
      return approvalTitle(dialog.question);
    case 'questions':
      return dialog.questions[0]?.question ?? '';
    case 'trust':
      return 'Trust this project?';
    case 'plan':
      return 'Carry out this plan?';
  }
}
