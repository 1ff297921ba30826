import {approvalKey} from './approval-keys.ts';
import type {Change} from './action.ts';
import type {KeyInput} from './key.ts';
import {questionsKey} from './questions-keys.ts';
import type {Dialog, ScreenState} from './screen-state.ts';

/** So long nobody may have typed after a question came up, before keys answer it. Milliseconds. */
export const PAUSE_BEFORE_ANSWER = 300;

/** Whether a key can be meant for the dialog: it stands there, and the person has paused since. @param before The state without the key. */
export function isAnswerable({shownAt, isArmed}: Dialog, {now, lastKeyAt}: ScreenState): boolean {
  return isArmed === true || (shownAt !== undefined && now - Math.max(shownAt, lastKeyAt) >= PAUSE_BEFORE_ANSWER);
}

export function dialogKey(state: ScreenState, dialog: Dialog, key: KeyInput): Change<ScreenState> {
  return dialog.type === 'approval'
    ? approvalKey(state, {...dialog, isArmed: true}, key)
    : questionsKey(state, {...dialog, isArmed: true}, key);
}
