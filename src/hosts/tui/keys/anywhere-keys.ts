import {toggleAgent} from '../agents/open-agent.ts';
import {submittedText} from '../editor/paste-marker.ts';
import {remember} from '../editor/prompt-history.ts';
import type {StateChange, ScreenEffect} from '../model/action.ts';
import {isLeaveArmed} from '../model/exit-confirmation.ts';
import {only} from '../model/only.ts';
import {backToEditor} from '../model/queued.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {without} from '../model/without.ts';
import {retry} from '../stall/stall.ts';
import {editLine} from './edit-line.ts';
import type {KeyAction} from './key-actions.ts';

/** Keys that work whatever is open. */
export const ANYWHERE: Readonly<Partial<Record<KeyAction, (state: ScreenState) => StateChange<ScreenState>>>> = {
  interrupt,
  redraw: (state) => ({state, effects: [{type: 'redraw'}]}),
  suspend: (state) => ({state, effects: [{type: 'suspend'}]}),
  retry,
  agents: toggleAgent,
};

/** Ctrl-C: cancels what runs, closes an overlay, empties the line; pressed twice, it leaves. The text of the line is kept as a prompt. */
function interrupt(state: ScreenState): StateChange<ScreenState> {
  if (isLeaveArmed(state)) return {state, effects: [...keptText(state), {type: 'leave'}]};
  const armed = {...state, leaveArmedAt: state.now};
  if (state.work !== undefined) {
    return {state: {...armed, work: {...state.work, isCancelling: true}}, effects: [{type: 'cancel'}]};
  }
  if (state.overlay !== undefined) return only(backToEditor(without(state, 'overlay')));
  if (state.editor.text !== '') return cleared(state);
  return {state: armed, effects: []};
}

/** Empties the line; its text becomes the newest of the earlier prompts. */
function cleared(state: ScreenState): StateChange<ScreenState> {
  const history = remember(state.history, submittedText(state.editor));
  return {state: {...editLine(without(state, 'suggestions'), {type: 'set', text: ''}), history}, effects: keptText(state)};
}

/** Saves the text of the line for another session. */
function keptText({editor}: ScreenState): readonly ScreenEffect[] {
  const text = submittedText(editor);
  return text.trim() === '' ? [] : [{type: 'remember', text}];
}
