import type {KeyInput} from '../keys/key.ts';
import type {DiffOverlay} from '../model/screen-state.ts';
import {atChange, atFile, START} from './diff-sections.ts';
import {pagerKey, type Paging} from './pager-keys.ts';

/** Returns where a key leads among changed files: in their list Enter opens one; in a file there are the keys of a pager besides. undefined: it leaves. */
export function diffKey(paging: Paging, overlay: DiffOverlay, key: KeyInput): DiffOverlay | undefined {
  if (overlay.isTyping === true || key.type === 'paste') return overlay.isOpen ? pagerKey(paging, overlay, key) : overlay;
  if (!overlay.isOpen) return key.name === 'q' ? undefined : listKey(paging, overlay, key.name);
  return FILE_KEYS[key.name]?.(overlay) ?? pagerKey(paging, overlay, key);
}

const FILE_KEYS: Readonly<Record<string, (overlay: DiffOverlay) => DiffOverlay>> = {
  right: (overlay) => atFile(overlay, 1),
  left: (overlay) => atFile(overlay, -1),
  l: (overlay) => atFile(overlay, 1),
  h: (overlay) => atFile(overlay, -1),
  tab: (overlay) => atChange(overlay, 1),
  'shift+tab': (overlay) => atChange(overlay, -1),
  ']': (overlay) => atChange(overlay, 1),
  '[': (overlay) => atChange(overlay, -1),
  backspace: (overlay) => ({...overlay, ...START, isOpen: false}),
};

function listKey({rows}: Paging, overlay: DiffOverlay, name: string): DiffOverlay {
  if (name === 'enter' || name === 'right' || name === 'l') return {...overlay, ...START, isOpen: true};
  const last = overlay.files.length - 1;
  const page = Math.max(1, rows - 2);
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    pageup: -page,
    b: -page,
    pagedown: page,
    space: page,
    home: -last,
    g: -last,
    end: last,
    G: last,
    'shift+g': last,
  };
  return {...overlay, file: Math.max(0, Math.min(last, overlay.file + (steps[name] ?? 0)))};
}
