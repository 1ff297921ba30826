import {approvalKey} from '../approval/approval-keys.ts';
import type {Change} from '../model/action.ts';
import type {KeyInput} from './key.ts';
import {questionsKey} from '../questions/questions-keys.ts';
import {planKey} from '../plan/plan-keys.ts';
import {trustKey} from '../trust/trust-keys.ts';
import type {Dialog, ScreenState} from '../model/screen-state.ts';

/** So long nobody may have typed after a question came up, before keys answer it. Milliseconds. */
export const PAUSE_BEFORE_ANSWER = 300;

/** Whether a key can be meant for the dialog: it stands there, and the person has paused since. @param before The state without the key. */
export function isAnswerable({shownAt, isArmed}: Dialog, {now, lastKeyAt}: ScreenState): boolean {
  return isArmed === true || (shownAt !== undefined && now - Math.max(shownAt, lastKeyAt) >= PAUSE_BEFORE_ANSWER);
}

/** Gives a key to the dialog: from now on all keys are meant for it. */
export function dialogKey(state: ScreenState, dialog: Dialog, key: KeyInput): Change<ScreenState> {
  switch (dialog.type) {
    case 'approval':
      return approvalKey(state, {...dialog, isArmed: true}, key);
    case 'questions':
      return questionsKey(state, {...dialog, isArmed: true}, key);
    case 'trust':
      return trustKey(state, {...dialog, isArmed: true}, key);
    case 'plan':
      return planKey(state, {...dialog, isArmed: true}, key);
  }
}

/** Whether the person writes a text in the dialog: what is pasted is meant for it. */
export function isWriting(dialog: Dialog): boolean {
  return dialog.type !== 'trust' && dialog.writing !== undefined;
}
