import type {Line} from '../cells/line.ts';
import type {Overlay, PagerOverlay, ScreenState} from '../model/screen-state.ts';
import {pagerLines} from './pager-lines.ts';
import {conversationSections} from './sections.ts';

/** What is shown on a screen of its own. */
export type FullScreen = PagerOverlay;

/** The overlay that has the whole screen; undefined where there is none. */
export function fullScreenOf({overlay}: {readonly overlay?: Overlay | undefined}): FullScreen | undefined {
  return overlay?.type === 'pager' ? overlay : undefined;
}

/** The rows of what has the whole screen. */
export function pageLines(state: ScreenState, overlay: FullScreen): readonly Line[] {
  const waiting = state.dialogs.length === 0 ? '' : 'A question waits: Esc · ';
  const help = `${waiting}${overlay.entry + 1} of ${state.entries.length} · arrows, PgUp, PgDn, g, G · / searches · Esc leaves`;
  return pagerLines(conversationSections(state), overlay, {size: state.size, help});
}
