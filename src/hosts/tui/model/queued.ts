import {edit} from '../editor/edit.ts';
import type {StateChange} from './action.ts';
import type {ScreenState} from './screen-state.ts';
import {begin} from './submit.ts';

/** Begins the oldest entry of the queue; undefined if it is empty. Another one that is chosen stays so. */
export function beginQueued(state: ScreenState): StateChange<ScreenState> | undefined {
  const [next, ...queue] = state.queue;
  if (next === undefined) return undefined;
  const {queueAt, ...rest} = state;
  return begin(queueAt === undefined || queueAt === 0 ? {...rest, queue} : {...rest, queue, queueAt: queueAt - 1}, next);
}

/** Returns queued inputs to the line, before its text. */
export function backToEditor(state: ScreenState): ScreenState {
  if (state.queue.length === 0) return state;
  const text = [...state.queue, ...(state.editor.text === '' ? [] : [state.editor.text])].join('\n\n');
  const {queueAt: _at, ...rest} = state;
  return {...rest, queue: [], editor: edit(state.editor, {type: 'set', text})};
}
