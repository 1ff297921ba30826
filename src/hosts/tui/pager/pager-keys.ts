import {graphemes} from '../cells/cell-width.ts';
import type {KeyInput} from '../keys/key.ts';
import type {PagerPlace} from '../model/screen-state.ts';
import {movedByRows} from './move.ts';
import {found} from './search.ts';
import type {Sections} from './sections.ts';

export interface Paging {
  readonly sections: Sections;
  /** Rows of text on the screen. */
  readonly rows: number;
}

/** Returns where a key leads in a pager: rows, pages, beginning and end, `/` searches, n and N go on. undefined: the key leaves it. */
export function pagerKey<Place extends PagerPlace>(paging: Paging, place: Place, key: KeyInput): Place | undefined {
  if (place.isTyping === true) return typing(paging, place, key);
  if (key.type === 'paste') return place;
  if (key.name === 'q' || key.name === 'ctrl+o') return undefined;
  const move = MOVES[key.name];
  return move === undefined ? place : {...place, ...move(paging, place)};
}

type Move = (paging: Paging, place: PagerPlace) => PagerPlace;

const byRows =
  (rows: number): Move =>
  ({sections}, place) =>
    movedByRows(sections, place, rows);
const byPages =
  (pages: number): Move =>
  ({sections, rows}, place) =>
    movedByRows(sections, place, pages * Math.max(1, rows - 1));
const toStart: Move = (_, place) => ({...place, entry: 0, skip: 0});
const toEnd: Move = (paging, place) => byPages(-1)(paging, {...place, entry: paging.sections.count, skip: 0});
const search: Move = (_, place) => ({...place, query: '', isTyping: true});
const next: Move = ({sections}, place) => found(sections, place, 1);
const previous: Move = ({sections}, place) => found(sections, place, -1);

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

function typing<Place extends PagerPlace>({sections}: Paging, place: Place, key: KeyInput): Place {
  const query = place.query ?? '';
  if (key.type === 'paste') return {...place, query: query + key.text};
  if (key.name === 'escape') return {...place, isTyping: undefined};
  if (key.name === 'enter') return found(sections, {...place, isTyping: undefined}, 1);
  if (key.name === 'backspace') return {...place, query: graphemes(query).slice(0, -1).join('')};
  return key.text === undefined ? place : {...place, query: query + key.text};
}
