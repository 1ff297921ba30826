import {edit} from '../editor/edit.ts';
import type {StateChange} from '../model/action.ts';
import type {KeyInput} from './key.ts';
import type {ScreenState} from '../model/screen-state.ts';

/** Keys while an entry of the queue is chosen: Enter takes it back to the line, Delete withdraws it. Undefined: the key is for the line. */
export function queueKey(state: ScreenState, key: KeyInput): StateChange<ScreenState> | undefined {
  const at = state.queueAt ?? 0;
  const name = key.type === 'key' ? key.name : '';
  if (name === 'up') return {state: {...state, queueAt: Math.max(0, at - 1)}, effects: []};
  if (name === 'down' && at + 1 < state.queue.length) return {state: {...state, queueAt: at + 1}, effects: []};
  const left = unchosen(state);
  const rest = {...left, queue: state.queue.toSpliced(at, 1)};
  if (name === 'delete' || name === 'backspace') return {state: rest, effects: []};
  if (name === 'enter') return {state: {...rest, editor: edit(rest.editor, {type: 'set', text: state.queue[at] ?? ''})}, effects: []};
  return name === 'escape' || name === 'down' ? {state: left, effects: []} : undefined;
}

/** No entry of the queue is chosen. */
export function unchosen(state: ScreenState): ScreenState {
  const {queueAt: _at, ...rest} = state;
  return rest;
}
