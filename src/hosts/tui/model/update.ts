import {released} from '../agents/agent-log.ts';
import {edit} from '../editor/edit.ts';
import type {SessionInfo} from '../host-adapter.ts';
import {applyKey} from '../keys/apply-key.ts';
import type {Action, StateChange} from './action.ts';
import {CONVERSATION_STEPS} from './conversation-steps.ts';
import {DIALOG_STEPS} from './dialog-steps.ts';
import {only} from './only.ts';
import {insertReferences} from './pictures/insert-references.ts';
import type {ScreenState} from './screen-state.ts';
import {SESSION_STEPS} from './session-steps.ts';
import {askedForDue, DUE_STEPS} from './due-turns.ts';
import type {Steps} from './steps.ts';
import {begin} from './submit.ts';
import {withSuggested} from './suggest.ts';

/** The only way from one state of the screen to the next. Pure: side effects are returned as data. @param now Milliseconds. */
export function update(before: ScreenState, action: Action, now: number): StateChange<ScreenState> {
  const state = {...before, now};
  const step = STEPS[action.type] as (state: ScreenState, action: Action) => StateChange<ScreenState>;
  const {state: after, effects} = step(state, action);
  const change = askedForDue({state: released(before, after), effects});
  if (!asksStatus(before.info, action, change.state.info)) return change;
  return {...change, effects: [...change.effects, {type: 'askStatus', info: change.state.info}]};
}

const STEPS: Steps<Action['type']> = {
  ...CONVERSATION_STEPS,
  ...SESSION_STEPS,
  ...DIALOG_STEPS,
  ...DUE_STEPS,
  key: (state, {key}) => applyKey(state, key),
  resize: (state, {size}) => ({state: {...state, size}, effects: [{type: 'redraw'}]}),
  tick: only,
  suggested: (state, action) => only(withSuggested(state, action)),
  diff: (state, action) => only({...state, overlay: {...action, file: 0, isOpen: action.files.length === 1, entry: 0, skip: 0}}),
  pick: (state, {title, command, items, current}) => {
    const at = Math.max(
      0,
      items.findIndex(({value}) => value === current),
    );
    return only({...state, overlay: {type: 'picker', title, command, items, query: '', at}});
  },
  pictured: (state, action) => only(insertReferences(state, action)),
  submit: (state, {text}) => begin(state, text),
  text: (state, {text}) => only({...state, editor: edit(state.editor, {type: 'set', text})}),
};

/** Returns true if the person's own status command has something new to report. */
function asksStatus(before: SessionInfo, {type}: Action, after: SessionInfo): boolean {
  return type === 'ended' || type === 'switched' || before.mode !== after.mode || before.model !== after.model;
}
