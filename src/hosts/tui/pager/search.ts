import {plainText, type Line} from '../cells/line.ts';
import type {PagerPlace} from '../model/screen-state.ts';
import type {Sections} from './sections.ts';

/** Returns the next row with the searched text, round the end: below the first row of the screen, or above it; the same place if no row has it. */
export function found<Place extends PagerPlace>(sections: Sections, place: Place, by: 1 | -1): Place {
  const query = (place.query ?? '').toLowerCase();
  const {count} = sections;
  if (query === '' || count === 0) return place;
  for (let step = 0; step <= count; step += 1) {
    const entry = (((place.entry + by * step) % count) + count) % count;
    if (sections.mayShow?.(entry, query) === false) continue;
    // The section where the search begins is read in two parts: beyond its first row at the start, up to it at the end.
    const skip = rowWith(sections.rows(entry), query, {by, behind: step === 0 ? place.skip : undefined});
    if (skip !== undefined) return {...place, entry, skip};
  }
  return place;
}

interface Reading {
  readonly by: 1 | -1;
  /** The row before the first that was read; absent: all were read. */
  readonly behind: number | undefined;
}

function rowWith(rows: readonly Line[], query: string, {by, behind}: Reading): number | undefined {
  const from = behind === undefined ? (by === 1 ? 0 : rows.length - 1) : behind + by;
  for (let at = from; at >= 0 && at < rows.length; at += by) {
    if (hasText(rows[at] ?? [], query)) return at;
  }
  return undefined;
}

/** @param query In lower case. */
function hasText(line: Line, query: string): boolean {
  return plainText(line).toLowerCase().includes(query);
}
