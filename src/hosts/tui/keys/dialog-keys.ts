import {approvalKey} from '../approval/approval-keys.ts';
import type {StateChange} from '../model/action.ts';
import type {KeyInput} from './key.ts';
import {questionsKey} from '../questions/questions-keys.ts';
import {planKey} from '../plan/plan-keys.ts';
import {trustKey} from '../trust/trust-keys.ts';
import type {Dialog, Overlay, ScreenState} from '../model/screen-state.ts';

/** Time without typing that must pass before keys answer a new question. Milliseconds. */
export const PAUSE_BEFORE_ANSWER = 300;

/**
 * Returns true if a key can be meant for the dialog: it is shown, and the person has paused since. @param before The state without the key.
 */
export function isAnswerable({shownAt, isArmed}: Dialog, {now, lastKeyAt, overlay}: ScreenState): boolean {
  if (hidesDialog(overlay)) return false;
  return isArmed === true || (shownAt !== undefined && now - Math.max(shownAt, lastKeyAt) >= PAUSE_BEFORE_ANSWER);
}

/** Returns true for views that cover even a question: they have the whole screen, and the keys. */
export function hidesDialog(overlay: Overlay | undefined): boolean {
  return overlay?.type === 'pager' || overlay?.type === 'diff' || overlay?.type === 'command';
}

/** Keys that were meant for what hides the question may come once more after it: the person has to pause again. */
export function disarmed(state: ScreenState): ScreenState {
  const [dialog, ...rest] = state.dialogs;
  return dialog?.isArmed === true && hidesDialog(state.overlay) ? {...state, dialogs: [{...dialog, isArmed: false}, ...rest]} : state;
}

/** Gives a key to the dialog: from now on all keys are meant for it. */
export function dialogKey(state: ScreenState, dialog: Dialog, key: KeyInput): StateChange<ScreenState> {
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

/** Returns true if the person writes a text in the dialog: pasted text is meant for it. */
export function isWriting(dialog: Dialog): boolean {
  return dialog.type !== 'trust' && dialog.writing !== undefined;
}
