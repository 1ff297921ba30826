import {agentFrame} from '../agents/agent-frame.ts';
import {isActive} from '../agents/subagent.ts';
import {hidesDialog} from '../keys/dialog-keys.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {planLines} from '../plan/plan-lines.ts';
import type {Frame} from '../surface/surface.ts';
import {commandScreen} from '../live-commands/command-screen.ts';
import {readerLines} from '../trust/reader.ts';
import {fullScreenOf, pageOf} from './page.ts';

/** Returns the view that covers the conversation: an opened one, or a question that needs the whole screen; undefined if there is none. */
export function coverOf(state: ScreenState): Omit<Frame, 'above'> | undefined {
  const {overlay, dialogs, size} = state;
  if (overlay?.type === 'agent') return agentFrame(state, overlay);
  if (overlay?.type === 'command') {
    const {lines: live, cursor} = commandScreen(state, overlay);
    return {live, cursor};
  }
  const page = fullScreenOf(state);
  if (page !== undefined) return pageOf(state, page);
  const [dialog] = dialogs;
  if (dialog?.type === 'trust' && dialog.reading !== undefined) return {live: readerLines(size, dialog), cursor: undefined};
  return dialog?.type === 'plan' ? planLines(size, dialog) : undefined;
}

/** Returns true if the question that waits is shown on what covers the conversation: keys answer only what was on the screen. */
export function coverShowsDialog({overlay, dialogs}: ScreenState): boolean {
  return dialogs.length > 0 && !hidesDialog(overlay);
}

/** Returns true if the running time of a subagent or a command is on the screen. */
export function isWatching({overlay, subagents, live}: ScreenState): boolean {
  if (overlay?.type === 'agent') return subagents.some((agent) => agent.id === overlay.id && isActive(agent));
  return overlay?.type === 'command' && live.commands.some(({id, end}) => id === overlay.id && end === undefined);
}
