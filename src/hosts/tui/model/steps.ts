import type {Action, StateChange} from './action.ts';
import type {ScreenState} from './screen-state.ts';

/** A step for each of some types of actions: from a state and the action to the next state. */
export type Steps<Types extends Action['type']> = {
  readonly [Type in Types]: (state: ScreenState, action: Extract<Action, {type: Type}>) => StateChange<ScreenState>;
};
