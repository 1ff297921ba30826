import type {ScreenState} from '../model/screen-state.ts';
import type {Frame} from '../runner/surface.ts';
import {pagerLines} from '../views/pager.ts';
import {commandScreen} from './command-screen.ts';

/** Returns the picture that has the whole screen for itself: the conversation in full, or a command; undefined: the conversation is shown inline. */
export function fullScreen(state: ScreenState): Omit<Frame, 'above'> | undefined {
  const {overlay} = state;
  if (overlay?.type === 'pager') return {live: pagerLines(state, overlay), cursor: undefined};
  if (overlay?.type !== 'command') return undefined;
  const {lines, cursor} = commandScreen(state, overlay);
  return {live: lines, cursor};
}

/** Whether it has a clock in it. */
export function showsTime({overlay, live}: ScreenState): boolean {
  return overlay?.type === 'command' && live.commands.some(({id, end}) => id === overlay.id && end === undefined);
}
