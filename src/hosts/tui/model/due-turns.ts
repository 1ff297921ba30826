import type {StateChange} from './action.ts';
import {add} from './apply-event.ts';
import {only} from './only.ts';
import type {ScreenState} from './screen-state.ts';
import type {Steps} from './steps.ts';
import {beginScheduled} from './submit.ts';

/** Steps for tasks of the session that come by themselves. */
export const DUE_STEPS: Steps<'due' | 'dueTurn'> = {
  due: (state) => only({...state, isDue: true}),
  dueTurn(state, {turn}) {
    if (turn === undefined) return only(state);
    const noticed = add({...state, isDue: turn.hasMore}, {kind: 'notice', level: 'info', text: turn.notice});
    if (turn.prompt === undefined) return {state: noticed, effects: [{type: 'notify', kind: 'turn_ended', text: turn.notice}]};
    return beginScheduled(noticed, turn.prompt);
  },
};

/** Asks for a due task at the idle boundary: nothing runs, nothing is typed ahead, nothing waits for an answer. The line being typed stays. */
export function askedForDue(change: StateChange<ScreenState>): StateChange<ScreenState> {
  const {state, effects} = change;
  if (state.isDue !== true || !isIdle(state)) return change;
  return {state: {...state, isDue: undefined}, effects: [...effects, {type: 'takeDue'}]};
}

function isIdle({work, isOpening, queue, dialogs, overlay}: ScreenState): boolean {
  return work === undefined && isOpening !== true && queue.length === 0 && dialogs.length === 0 && overlay?.type !== 'picker';
}
