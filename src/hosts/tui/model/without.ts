import type {ScreenState} from './screen-state.ts';

/** Closes the panel above the line, or its suggestions. */
export function without(state: ScreenState, name: 'overlay' | 'suggestions'): ScreenState {
  const {[name]: _gone, ...rest} = state;
  return rest;
}
