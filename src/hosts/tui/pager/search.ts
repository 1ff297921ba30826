import {plainText, type Line} from '../cells/line.ts';
import type {PagerPlace} from '../model/screen-state.ts';
import type {Sections} from './sections.ts';

/** The next row that shows the searched text, round the end: below the first row of the screen, or above it. The same place where there is none. */
export function found<Place extends PagerPlace>(sections: Sections, place: Place, by: 1 | -1): Place {
  const query = (place.query ?? '').toLowerCase();
  const {count} = sections;
  if (query === '' || count === 0) return place;
  for (let step = 0; step <= count; step += 1) {
    const entry = (((place.entry + by * step) % count) + count) % count;
    if (sections.mayShow?.(entry, query) === false) continue;
    const rows = sections.rows(entry);
    // The section where the search begins is read in two parts: beyond its first row at the start, up to it at the end.
    const from = step === 0 ? place.skip + by : by === 1 ? 0 : rows.length - 1;
    for (let skip = from; skip >= 0 && skip < rows.length; skip += by) {
      if (rows[skip] !== undefined && hasText(rows[skip] ?? [], query)) return {...place, entry, skip};
    }
  }
  return place;
}

/** @param query In lower case. */
function hasText(line: Line, query: string): boolean {
  return plainText(line).toLowerCase().includes(query);
}
