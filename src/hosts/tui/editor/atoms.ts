import {graphemes} from '../cells/cell-width.ts';
import type {InputState} from './editor-state.ts';
import {markersIn} from './paste-marker.ts';

/** A unit that the cursor steps over as one: a grapheme, or the marker of a pasted text. */
export interface Atom {
  readonly text: string;
  /** Offsets into the text of the editor. */
  readonly start: number;
  readonly end: number;
  readonly isMarker: boolean;
}

export type Edited = Pick<InputState, 'text' | 'pastes'>;

/** The atoms of the part between two offsets that holds no line feed: graphemes and markers never go over one. */
export function atomsBetween({text, pastes}: Edited, start: number, end: number): readonly Atom[] {
  const atoms: Atom[] = [];
  const add = (part: string, isMarker: boolean): void => {
    const at = atoms.at(-1)?.end ?? start;
    atoms.push({text: part, start: at, end: at + part.length, isMarker});
  };
  const line = text.slice(start, end);
  let plain = 0;
  for (const {marker, at} of markersIn(line, pastes)) {
    for (const grapheme of graphemes(line.slice(plain, at))) add(grapheme, false);
    add(marker, true);
    plain = at + marker.length;
  }
  for (const grapheme of graphemes(line.slice(plain))) add(grapheme, false);
  return atoms;
}

/** The next cursor position after `at`. */
export function nextStop(edited: Edited, at: number): number {
  const {start, end} = lineAround(edited.text, at);
  if (at >= end) return Math.min(end + 1, edited.text.length);
  return atomsBetween(edited, start, end).find((atom) => atom.end > at)?.end ?? end;
}

/** The next place for the cursor in front of `at`. */
export function previousStop(edited: Edited, at: number): number {
  const {start, end} = lineAround(edited.text, at);
  if (at <= start) return Math.max(0, start - 1);
  return atomsBetween(edited, start, end).findLast((atom) => atom.start < at)?.start ?? start;
}

/** The offset itself if the cursor may be there, else the next position after it. */
export function stopFrom(edited: Edited, at: number): number {
  const {start, end} = lineAround(edited.text, at);
  if (at <= start || at >= end) return Math.min(Math.max(at, 0), edited.text.length);
  return atomsBetween(edited, start, end).find((atom) => atom.end >= at)?.end ?? end;
}

/** The line that an offset is in, without its line feed. */
export function lineAround(text: string, at: number): {readonly start: number; readonly end: number} {
  const start = at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', start);
  return {start, end: end === -1 ? text.length : end};
}
