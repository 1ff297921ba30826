import type {Line} from '../cells/line.ts';
import type {KeyInput} from '../model/key.ts';
import type {DiffOverlay, Overlay, PagerOverlay, ScreenState} from '../model/screen-state.ts';
import {diffKey} from './diff-keys.ts';
import {diffSections} from './diff-sections.ts';
import {fileListLines} from './file-list.ts';
import {pagerKey} from './pager-keys.ts';
import {pagerLines, screenOf} from './pager-lines.ts';
import {conversationSections} from './sections.ts';

/** What is shown on a screen of its own. */
export type FullScreen = PagerOverlay | DiffOverlay;

/** Returns the overlay that has the whole screen; undefined where there is none. */
export function fullScreenOf({overlay}: {readonly overlay?: Overlay | undefined}): FullScreen | undefined {
  return overlay?.type === 'pager' || overlay?.type === 'diff' ? overlay : undefined;
}

/** Returns the rows of what has the whole screen. */
export function pageLines(state: ScreenState, overlay: FullScreen): readonly Line[] {
  const {size, entries, dialogs} = state;
  const waiting = dialogs.length === 0 ? '' : 'A question waits: Esc · ';
  if (overlay.type === 'pager') {
    const help = `${waiting}${overlay.entry + 1} of ${entries.length} · arrows, PgUp, PgDn, g, G · / searches · Esc leaves`;
    return pagerLines(conversationSections(state), overlay, {size, help});
  }
  const at = `${overlay.file + 1} of ${overlay.files.length}`;
  if (!overlay.isOpen) {
    return screenOf(
      fileListLines(overlay, {columns: size.columns, rows: size.rows - 1}),
      `${waiting}${at} · Enter opens · Esc leaves`,
      size,
    );
  }
  const help = `${waiting}${at} · Tab next change · → next file · / searches · Backspace files · Esc leaves`;
  return pagerLines(diffSections(overlay, size.columns), overlay, {size, help});
}

/** Returns where a key leads; undefined: it leaves. */
export function pageKey(state: ScreenState, overlay: FullScreen, key: KeyInput): FullScreen | undefined {
  const rows = state.size.rows - 1;
  if (overlay.type === 'pager') return pagerKey({sections: conversationSections(state), rows}, overlay, key);
  return diffKey({sections: diffSections(overlay, state.size.columns), rows}, overlay, key);
}
