import {agentFrame} from '../agents/agent-frame.ts';
import {isActive} from '../agents/subagent.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {pagerLines} from '../views/pager.ts';
import type {Frame, Surface} from './surface.ts';

/** The screen of its own for what covers the conversation: the pager, the view into a subagent. Opened and closed as needed. */
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

export function isCovered({overlay}: ScreenState): boolean {
  return overlay?.type === 'pager' || overlay?.type === 'agent';
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
  if (overlay?.type === 'pager') return {live: pagerLines(state, overlay), cursor: undefined};
  return overlay?.type === 'agent' ? agentFrame(state, overlay) : undefined;
}
