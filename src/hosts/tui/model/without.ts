import type {ScreenState} from './screen-state.ts';

/** Takes away what is open above the line, or what is suggested for it. */
export function without(state: ScreenState, name: 'overlay' | 'suggestions'): ScreenState {
  const {[name]: _gone, ...rest} = state;
  return rest;
}
