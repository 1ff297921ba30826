import type {KeyInput} from '../keys/key.ts';
import type {DiffOverlay, HelpOverlay, Overlay, PagerOverlay, ScreenState} from '../model/screen-state.ts';
import type {Frame} from '../surface/surface.ts';
import {helpLines} from '../views/help.ts';
import {overlayLines} from '../views/overlay-lines.ts';
import {diffKey} from './diff-keys.ts';
import {diffSections} from './diff-sections.ts';
import {fileListLines} from './file-list.ts';
import {pagerKey} from './pager-keys.ts';
import {pagerLines, screenOf} from './pager-lines.ts';
import {conversationSections} from './sections.ts';

/**
 * Returns the overlay that has the whole screen; undefined if there is none. Tall overlays have it: in the conversation they would push rows
 * into the scrollback, and leave empty ones when closed. A question takes precedence over a list.
 */
export function fullScreenOf({overlay, dialogs}: Pick<ScreenState, 'overlay' | 'dialogs'>): Overlay | undefined {
  if (overlay?.type === 'pager' || overlay?.type === 'diff') return overlay;
  return overlay?.type === 'history' || dialogs.length > 0 ? undefined : overlay;
}

/** Returns the content of the whole screen. */
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
export function pageKey(state: ScreenState, overlay: PagerOverlay | DiffOverlay | HelpOverlay, key: KeyInput): Overlay | undefined {
  const rows = state.size.rows - 1;
  if (overlay.type === 'help') return helpKey(state, overlay, key);
  if (overlay.type === 'diff') return diffKey({sections: diffSections(overlay, state.size.columns), rows}, overlay, key);
  return pagerKey({sections: conversationSections(state), rows}, overlay, key);
}

function helpKey(state: ScreenState, {scroll}: HelpOverlay, key: KeyInput): HelpOverlay | undefined {
  const page = Math.max(1, Math.floor(state.size.rows / 2));
  const by = {up: -1, down: 1, pageup: -page, pagedown: page}[key.type === 'key' ? key.name : ''];
  if (by === undefined) return undefined;
  const last = Math.max(0, helpLines(state).length - page);
  return {type: 'help', scroll: Math.max(0, Math.min(last, scroll + by))};
}
