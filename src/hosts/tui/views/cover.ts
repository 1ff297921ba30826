import type {ScreenState} from '../model/screen-state.ts';
import type {Frame} from '../runner/surface.ts';
import {pagerLines} from './pager.ts';
import {planLines} from '../plan/plan-lines.ts';
import {readerLines} from '../trust/reader.ts';

/** Returns what has the whole screen for itself, in place of the conversation; undefined where nothing has. */
export function coverOf(state: ScreenState): Omit<Frame, 'above'> | undefined {
  const {overlay, dialogs, size} = state;
  if (overlay?.type === 'pager') return {live: pagerLines(state, overlay), cursor: undefined};
  const dialog = dialogs[0];
  if (dialog?.type === 'trust' && dialog.reading !== undefined) return {live: readerLines(size, dialog), cursor: undefined};
  return dialog?.type === 'plan' ? planLines(size, dialog) : undefined;
}
