import type {Change} from './action.ts';

/** Makes a change of a state that asks for nothing else to be done. */
export function only<State>(state: State): Change<State> {
  return {state, effects: []};
}
