import {agentFrame} from '../agents/agent-frame.ts';
import {isActive} from '../agents/subagent.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {fullScreenOf, pageLines} from '../pager/page.ts';
import type {Frame, Surface} from './surface.ts';

/** The screen of its own for what covers the conversation: the pager, changed files, the view into a subagent. Opened and closed as needed. */
export interface Cover {
  /** False: nothing covers the conversation. */
  draw(state: ScreenState): boolean;
  redraw(state: ScreenState): boolean;
  leave(): void;
}

export function createCover(open: () => Surface): Cover {
  let surface: Surface | undefined;
  return {
    draw(state) {
      const frame = coveringFrame(state);
      if (frame === undefined) return false;
      surface ??= open();
      surface.draw({above: [], ...frame});
      return true;
    },
    redraw(state) {
      const frame = coveringFrame(state);
      if (frame === undefined) return false;
      surface?.redraw(frame, []);
      return true;
    },
    leave() {
      surface?.end({erase: true});
      surface = undefined;
    },
  };
}

export function isCovered(state: ScreenState): boolean {
  return fullScreenOf(state) !== undefined || state.overlay?.type === 'agent';
}

/** Whether a question is shown there: keys answer only what was on the screen. */
export function showsDialogs({overlay}: ScreenState): boolean {
  return overlay?.type === 'agent';
}

/** Whether the time of a subagent that works is on the screen. */
export function isWatching({overlay, subagents}: ScreenState): boolean {
  return overlay?.type === 'agent' && subagents.some((agent) => agent.id === overlay.id && isActive(agent));
}

function coveringFrame(state: ScreenState): Omit<Frame, 'above'> | undefined {
  const {overlay} = state;
  const page = fullScreenOf(state);
  if (page !== undefined) return {live: pageLines(state, page), cursor: undefined};
  return overlay?.type === 'agent' ? agentFrame(state, overlay) : undefined;
}
