import type {ScreenState} from '../model/screen-state.ts';
import type {BottomLines} from '../views/bottom-lines.ts';
import {pagerLines} from '../views/pager.ts';
import {commandScreen} from './command-screen.ts';

/** What has the whole screen for itself: the conversation in full, or a command; undefined: the conversation is shown inline. */
export function fullScreen(state: ScreenState): BottomLines | undefined {
  const {overlay} = state;
  if (overlay?.type === 'pager') return {lines: pagerLines(state, overlay), cursor: undefined};
  return overlay?.type === 'command' ? commandScreen(state, overlay) : undefined;
}

/** Whether it has a clock in it. */
export function showsTime({overlay, live}: ScreenState): boolean {
  return overlay?.type === 'command' && live.commands.some(({id, end}) => id === overlay.id && end === undefined);
}
