import type {KeyInput} from '../model/key.ts';
import type {DiffOverlay, Overlay, PagerOverlay, ScreenState} from '../model/screen-state.ts';
import type {Frame} from '../runner/surface.ts';
import {overlayLines} from '../views/overlay-lines.ts';
import {diffKey} from './diff-keys.ts';
import {diffSections} from './diff-sections.ts';
import {fileListLines} from './file-list.ts';
import {pagerKey} from './pager-keys.ts';
import {pagerLines, screenOf} from './pager-lines.ts';
import {conversationSections} from './sections.ts';

/**
 * Returns the overlay that has the whole screen; undefined where there is none. What is tall has it: in the conversation it would push rows into
 * the scrollback, and leave empty ones when it is closed. A question goes before a list.
 */
export function fullScreenOf({overlay, dialogs}: Pick<ScreenState, 'overlay' | 'dialogs'>): Overlay | undefined {
  if (overlay?.type === 'pager' || overlay?.type === 'diff') return overlay;
  return overlay?.type === 'history' || dialogs.length > 0 ? undefined : overlay;
}

/** Returns what the whole screen shows. */
export function pageOf(state: ScreenState, overlay: Overlay): Omit<Frame, 'above'> {
  const {size, entries, dialogs} = state;
  const waiting = dialogs.length === 0 ? '' : 'A question waits: Esc · ';
  if (overlay.type === 'pager') {
    const help = `${waiting}${overlay.entry + 1} of ${entries.length} · arrows, PgUp, PgDn, g, G · / searches · Esc leaves`;
    return {live: pagerLines(conversationSections(state), overlay, {size, help}), cursor: undefined};
  }
  if (overlay.type !== 'diff') {
    const {lines: live, cursor} = overlayLines(state, overlay, size.rows);
    return {live, cursor};
  }
  const at = `${waiting}${overlay.file + 1} of ${overlay.files.length}`;
  if (!overlay.isOpen) {
    const list = fileListLines(overlay, {columns: size.columns, rows: size.rows - 1});
    return {live: screenOf(list, `${at} · Enter opens · Esc leaves`, size), cursor: undefined};
  }
  const help = `${at} · Tab next change · → next file · / searches · Backspace files · Esc leaves`;
  return {live: pagerLines(diffSections(overlay, size.columns), overlay, {size, help}), cursor: undefined};
}

/** Returns where a key leads; undefined: it leaves. */
export function pageKey(state: ScreenState, overlay: PagerOverlay | DiffOverlay, key: KeyInput): PagerOverlay | DiffOverlay | undefined {
  const rows = state.size.rows - 1;
  if (overlay.type === 'diff') return diffKey({sections: diffSections(overlay, state.size.columns), rows}, overlay, key);
  return pagerKey({sections: conversationSections(state), rows}, overlay, key);
}
