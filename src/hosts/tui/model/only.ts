import type {StateChange} from './action.ts';

/** Makes a change of a state that asks for nothing else to be done. */
export function only<State>(state: State): StateChange<State> {
  return {state, effects: []};
}
