import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {wrapLine} from '../cells/wrap-line.ts';
import type {FileDiff} from '../host-adapter.ts';
import type {DiffOverlay, PagerPlace} from '../model/screen-state.ts';
import {loadedDiff} from '../views/diff/load-diff.ts';
import type {Sections} from './sections.ts';

/** The changes of the chosen file: its head, then its changes in parts. Only the head until diffs can be shown. */
export function diffSections({files, file}: Pick<DiffOverlay, 'files' | 'file'>, width: number): Sections {
  const diff = files[file];
  const library = loadedDiff();
  if (diff === undefined) return {count: 0, rows: () => []};
  if (library === undefined) return {count: 1, rows: () => wrapLine([span(shownRow(diff.path), 'bold')], width)};
  const found = library.filePartsOf(diff);
  const {parts, digits} = found;
  return {
    count: parts.length + 1,
    rows(index) {
      if (index === 0) return library.headRows(found, {...diff, note: shownNote(diff)}, width);
      const part = parts[index - 1];
      if (part === undefined) return [];
      const rows = library.partRows(diff, part, {digits, width});
      return part.isStart && index > 1 ? [SEPARATOR, ...rows] : rows;
    },
    mayShow(index, text) {
      const part = parts[index - 1];
      return part === undefined || library.mayShow(part, text);
    },
  };
}

function shownNote({note}: FileDiff): string | undefined {
  return note === undefined ? undefined : shownRow(note);
}

const SEPARATOR: Line = [span('⋮', 'dim')];

/** The place where the next change of the chosen file begins, or the one before; the same place if there is none. */
export function atChange(overlay: DiffOverlay, by: 1 | -1): DiffOverlay {
  const diff = overlay.files[overlay.file];
  const parts = diff === undefined ? [] : (loadedDiff()?.filePartsOf(diff).parts ?? []);
  const starts = parts.flatMap(({isStart}, index) => (isStart ? [index + 1] : []));
  const isWithin = (start: number): boolean => start < overlay.entry || (start === overlay.entry && overlay.skip > 0);
  const entry = by === 1 ? starts.find((start) => start > overlay.entry) : starts.findLast(isWithin);
  return entry === undefined ? overlay : {...overlay, ...START, entry};
}

/** The beginning of another file. */
export function atFile(overlay: DiffOverlay, by: 1 | -1): DiffOverlay {
  const file = overlay.file + by;
  return overlay.files[file] === undefined ? overlay : {...overlay, ...START, file};
}

export const START: Pick<PagerPlace, 'entry' | 'skip'> = {entry: 0, skip: 0};
