import {stopFrom} from './atoms.ts';
import type {InputState} from './editor-state.ts';

export interface EditorChange {
  readonly text: string;
  readonly cursor: number;
  readonly last: InputState['last'];
  /** True if it belongs to the undo step before it. */
  readonly joins?: boolean | undefined;
}

/** The state after a change of the text, which can be undone. Inserted text may join a neighbour: the cursor goes after the result. */
export function changed(state: InputState, {text, cursor, last, joins = false}: EditorChange): InputState {
  if (text === state.text) return moved(state, cursor);
  const undo = joins ? state.undo : [...state.undo, {text: state.text, cursor: state.cursor}].slice(-MOST_STEPS);
  return {...state, text, cursor: stopFrom({text, pastes: state.pastes}, cursor), column: undefined, undo, redo: [], last};
}

/** Returns the state with all changes since an earlier one as a single undo step; unchanged if the earlier one was undone, or is too long ago. */
export function asOneStep(state: InputState, since: Pick<InputState, 'text' | 'cursor' | 'undo'>): InputState {
  const last = since.undo.at(-1);
  if (last !== undefined && !state.undo.includes(last)) return state;
  const step = {text: since.text, cursor: since.cursor};
  return {...state, undo: state.text === since.text ? since.undo : [...since.undo, step].slice(-MOST_STEPS)};
}

/** The state with the cursor elsewhere. */
export function moved(state: InputState, cursor: number): InputState {
  return {...state, cursor: stopFrom(state, cursor), column: undefined, last: 'other'};
}

/** Goes to the newest step of `from`; the current state becomes the newest of the other list. */
export function steppedBack(state: InputState, from: 'undo' | 'redo'): InputState {
  const step = state[from].at(-1);
  if (step === undefined) return moved(state, state.cursor);
  const to = from === 'undo' ? 'redo' : 'undo';
  const now = {text: state.text, cursor: state.cursor};
  return {...moved({...state, ...step}, step.cursor), [from]: state[from].slice(0, -1), [to]: [...state[to], now]};
}

const MOST_STEPS = 200;
