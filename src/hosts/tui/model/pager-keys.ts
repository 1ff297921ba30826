import {graphemes} from '../cells/cell-width.ts';
import {entryLines, needsGap} from '../views/entry-lines.ts';
import type {Change} from './action.ts';
import type {KeyInput} from './key.ts';
import type {PagerOverlay, ScreenState} from './screen-state.ts';

/** Keys of the pager: rows, pages, beginning and end, `/` searches, n and N go on. */
export function pagerKey(state: ScreenState, overlay: PagerOverlay, key: KeyInput): Change<ScreenState> {
  if (overlay.isTyping === true) return typing(state, overlay, key);
  if (key.type === 'paste') return shown(state, overlay);
  if (key.name === 'q' || key.name === 'ctrl+o') return left(state);
  const move = MOVES[key.name];
  return shown(state, move === undefined ? overlay : move(state, overlay));
}

type Move = (state: ScreenState, overlay: PagerOverlay) => PagerOverlay;

const byRows =
  (rows: number): Move =>
  (state, overlay) =>
    scrolled(state, overlay, rows);
const byPages =
  (pages: number): Move =>
  (state, overlay) =>
    scrolled(state, overlay, pages * Math.max(1, state.size.rows - 2));
const toStart: Move = (_, overlay) => ({...overlay, entry: 0, skip: 0});
const toEnd: Move = (state, overlay) => byPages(-1)(state, {...overlay, entry: state.entries.length, skip: 0});
const search: Move = (_, overlay) => ({...overlay, query: '', isTyping: true});
const next: Move = (state, overlay) => found(state, overlay, 1);
const previous: Move = (state, overlay) => found(state, overlay, -1);

/** As in less. */
const MOVES: Readonly<Record<string, Move>> = {
  up: byRows(-1),
  k: byRows(-1),
  down: byRows(1),
  j: byRows(1),
  pageup: byPages(-1),
  b: byPages(-1),
  pagedown: byPages(1),
  space: byPages(1),
  home: toStart,
  g: toStart,
  end: toEnd,
  G: toEnd,
  'shift+g': toEnd,
  '/': search,
  n: next,
  N: previous,
  'shift+n': previous,
};

/** Moves by rows over the borders of entries; only those that are passed are laid out. */
function scrolled(state: ScreenState, overlay: PagerOverlay, by: number): PagerOverlay {
  let {entry, skip} = overlay;
  let left = by;
  while (left > 0) {
    const rest = rowsOf(state, entry) - skip;
    if (left < rest) return {...overlay, entry, skip: skip + left};
    if (entry + 1 >= state.entries.length) break;
    left -= rest;
    entry += 1;
    skip = 0;
  }
  while (left < 0) {
    if (-left <= skip) return {...overlay, entry, skip: skip + left};
    if (entry === 0) return {...overlay, entry: 0, skip: 0};
    left += skip;
    entry -= 1;
    skip = rowsOf(state, entry);
  }
  return {...overlay, entry, skip};
}

function rowsOf({entries, size, now}: ScreenState, index: number): number {
  const entry = entries[index];
  if (entry === undefined) return 0;
  const gap = needsGap(entries[index - 1], entry) ? 1 : 0;
  return entryLines(entry, {width: size.columns, now, isWhole: true}).length + gap;
}

function typing(state: ScreenState, overlay: PagerOverlay, key: KeyInput): Change<ScreenState> {
  const {isTyping: _typing, ...rest} = overlay;
  const query = overlay.query ?? '';
  if (key.type === 'paste') return shown(state, {...overlay, query: query + key.text});
  if (key.name === 'escape') return shown(state, rest);
  if (key.name === 'enter') return shown(state, found(state, rest, 1));
  if (key.name === 'backspace') return shown(state, {...overlay, query: graphemes(query).slice(0, -1).join('')});
  return shown(state, key.text === undefined ? overlay : {...overlay, query: query + key.text});
}

/** The next entry that has the searched text in it, round the end. */
function found(state: ScreenState, overlay: PagerOverlay, by: 1 | -1): PagerOverlay {
  const {entries} = state;
  const query = (overlay.query ?? '').toLowerCase();
  if (query === '') return overlay;
  for (let step = 1; step <= entries.length; step += 1) {
    const index = (overlay.entry + by * step + entries.length * step) % entries.length;
    if (JSON.stringify(entries[index]).toLowerCase().includes(query)) return {...overlay, entry: index, skip: 0};
  }
  return overlay;
}

function shown(state: ScreenState, overlay: PagerOverlay): Change<ScreenState> {
  return {state: {...state, overlay}, effects: []};
}

function left(state: ScreenState): Change<ScreenState> {
  const {overlay: _overlay, ...rest} = state;
  return {state: rest, effects: []};
}
