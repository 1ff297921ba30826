import type {PagerPlace} from '../model/screen-state.ts';
import type {Sections} from './sections.ts';

/** Moves by rows over the borders of sections; only those that are passed are laid out. */
export function movedByRows<Place extends PagerPlace>(sections: Sections, place: Place, by: number): Place {
  let {entry, skip} = place;
  let left = by;
  while (left > 0) {
    const rest = sections.rows(entry).length - skip;
    if (left < rest) return {...place, entry, skip: skip + left};
    if (entry + 1 >= sections.count) break;
    left -= rest;
    entry += 1;
    skip = 0;
  }
  while (left < 0) {
    if (-left <= skip) return {...place, entry, skip: skip + left};
    if (entry === 0) return {...place, entry: 0, skip: 0};
    left += skip;
    entry -= 1;
    skip = sections.rows(entry).length;
  }
  return {...place, entry, skip};
}
