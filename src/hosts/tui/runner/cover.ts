import {agentFrame} from '../agents/agent-frame.ts';
import {isActive} from '../agents/subagent.ts';
import {commandScreen} from '../terminal-view/command-screen.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {fullScreenOf, pageOf} from '../pager/page.ts';
import type {Frame, Surface} from './surface.ts';

/** The screen of its own for what covers the conversation: the pager, changed files, a subagent, a command. Opened and closed as needed. */
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
  return fullScreenOf(state) !== undefined || state.overlay?.type === 'agent' || state.overlay?.type === 'command';
}

/** Whether a question is shown there: keys answer only what was on the screen. */
export function showsDialogs({overlay}: ScreenState): boolean {
  return overlay?.type === 'agent';
}

/** Whether the time of something that goes on is on the screen: a subagent or a command. */
export function isWatching({overlay, subagents, live}: ScreenState): boolean {
  if (overlay?.type === 'agent') return subagents.some((agent) => agent.id === overlay.id && isActive(agent));
  return overlay?.type === 'command' && live.commands.some(({id, end}) => id === overlay.id && end === undefined);
}

function coveringFrame(state: ScreenState): Omit<Frame, 'above'> | undefined {
  const {overlay} = state;
  const page = fullScreenOf(state);
  if (page !== undefined) return pageOf(state, page);
  if (overlay?.type === 'agent') return agentFrame(state, overlay);
  if (overlay?.type !== 'command') return undefined;
  const {lines, cursor} = commandScreen(state, overlay);
  return {live: lines, cursor};
}
