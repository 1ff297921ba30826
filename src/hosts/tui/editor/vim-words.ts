import {atomsBetween, lineAround, nextStop, previousStop, type Atom, type Edited} from './atoms.ts';

/** The places of the cursor in a text that does not change; a line is parted once for all steps in it. */
export interface Places {
  next(at: number): number;
  previous(at: number): number;
  /** Returns the class of the character at an offset. Vim's words are runs of one class; a paste marker counts as a letter. */
  classAt(at: number): 'blank' | 'word' | 'sign' | 'end';
}

export function placesIn(edited: Edited): Places {
  const {text, pastes} = edited;
  let line: LineAtoms | undefined;
  const atomsAround = (at: number): LineAtoms => {
    if (line === undefined || at < line.start || at > line.end) line = lineAtoms(edited, at);
    return line;
  };
  return {
    next: (at) => atomsAround(at).byStart.get(at)?.end ?? nextStop(edited, at),
    previous: (at) => atomsAround(at).byEnd.get(at)?.start ?? previousStop(edited, at),
    classAt(at) {
      if (at >= text.length) return 'end';
      const atom = atomsAround(at).byStart.get(at)?.text ?? text.charAt(at);
      if (/^\s/.test(atom)) return 'blank';
      return /^[\p{L}\p{N}\p{M}_]/u.test(atom) || pastes.has(atom) ? 'word' : 'sign';
    },
  };
}

/** The beginning of the next word. */
export function nextWord(places: Places, at: number): number {
  const end = places.classAt(at) === 'blank' ? at : runEnd(places, at);
  return places.classAt(end) === 'blank' ? runEnd(places, end) : end;
}

/** The last character of the word, or of the next one if the cursor is on it already. */
export function wordEnd(places: Places, at: number): number {
  const next = places.next(at);
  return lastOfRun(places, places.classAt(next) === 'blank' ? runEnd(places, next) : next);
}

/** The beginning of the word, or of the one before if the cursor is on it already. */
export function wordStart(places: Places, at: number): number {
  const before = places.previous(at);
  const end = places.classAt(before) === 'blank' ? runStart(places, before) : at;
  return runStart(places, places.previous(end));
}

/** The last character of the run that a place is in. */
export function lastOfRun(places: Places, at: number): number {
  const end = runEnd(places, at);
  return end === at ? at : places.previous(end);
}

/** The end of the run of one class that contains a position. */
export function runEnd(places: Places, at: number): number {
  const isOfRun = sameClass(places, at);
  let end = at;
  while (isOfRun(end)) end = places.next(end);
  return end;
}

export function runStart(places: Places, at: number): number {
  const isOfRun = sameClass(places, at);
  let start = at;
  while (start > 0 && isOfRun(places.previous(start))) start = places.previous(start);
  return start;
}

/** False at the end of the text, so that every walk ends. */
function sameClass(places: Places, at: number): (other: number) => boolean {
  const kind = places.classAt(at);
  return (other) => kind !== 'end' && places.classAt(other) === kind;
}

interface LineAtoms {
  readonly start: number;
  readonly end: number;
  readonly byStart: ReadonlyMap<number, Atom>;
  readonly byEnd: ReadonlyMap<number, Atom>;
}

function lineAtoms(edited: Edited, at: number): LineAtoms {
  const {start, end} = lineAround(edited.text, at);
  const atoms = atomsBetween(edited, start, end);
  const byEnd = new Map(atoms.map((atom) => [atom.end, atom]));
  return {start, end, byStart: new Map(atoms.map((atom) => [atom.start, atom])), byEnd};
}
