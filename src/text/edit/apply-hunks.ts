import {FettleError} from '../../base/errors.ts';
import {createLineFinder, type LineFinder} from './line-finder.ts';
import {lineBreaks, splitLines, type LineEnding} from '../line-endings.ts';
import {missingText} from './no-match-error.ts';
import type {Hunk, HunkRow} from './parse-envelope.ts';

/**
 * Applies the hunks of an update, in the order of the file. Lines that no hunk removes keep every byte, including those that a hunk only shows;
 * new lines take the endings of the lines they replace, else those around them.
 * @throws FettleError NOT_FOUND with the hunk and the nearest match.
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): string {
  const lines = linesOf(text);
  const finder = createLineFinder(lines.map((line) => line.text));
  const places: Place[] = [];
  let from = 0;
  for (const [index, hunk] of hunks.entries()) {
    const place = placeOf({hunk, number: index + 1, from, finder, lines});
    places.push(place);
    if (hunk.contexts.length > 0 || place.height > 0) from = place.at + place.height;
  }
  places.sort((left, right) => left.at - right.at);
  return rebuilt(lines, places);
}

interface Line {
  readonly text: string;
  /** '' at the end of a text without final line break. */
  readonly ending: LineEnding | '';
}

interface Place {
  /** Index of its first line in the file. */
  readonly at: number;
  readonly height: number;
  readonly rows: readonly HunkRow[];
}

interface Search {
  readonly hunk: Hunk;
  readonly number: number;
  readonly from: number;
  readonly finder: LineFinder;
  readonly lines: readonly Line[];
}

function linesOf(text: string): Line[] {
  const endings = lineBreaks(text);
  return splitLines(text).map((line, index) => ({text: line, ending: endings[index] ?? ''}));
}

function placeOf(search: Search): Place {
  const {hunk, lines} = search;
  const after = afterContexts(search);
  const whole = oldLines(hunk.rows);
  if (whole.length === 0) return {at: hunk.contexts.length > 0 ? after : lines.length, height: 0, rows: hunk.rows};
  const found = locate(search, hunk.rows, after) ?? locate(search, withoutLastBlank(hunk.rows), after);
  if (found !== undefined) return found;
  const {message, hint} = missingText(lines.map((line) => line.text).join('\n'), whole.join('\n'));
  const what = after > 0 ? `not found after line ${after}` : 'not in the file';
  throw new FettleError({
    code: 'NOT_FOUND',
    message: `The old lines of hunk ${search.number} are ${what}. Nothing was changed.`,
    hint: hint ?? message,
  });
}

/** The index after the last context line. */
function afterContexts({hunk, number, from, finder}: Search): number {
  let after = from;
  for (const context of hunk.contexts) {
    const at = finder.find([context], after);
    if (at === undefined) {
      throw new FettleError({
        code: 'NOT_FOUND',
        message: `The line "${context}" that hunk ${number} names after @@ is not in the file${after > 0 ? ` after line ${after}` : ''}. Nothing was changed.`,
        hint: 'Read the file again; hunks must be in file order.',
      });
    }
    after = at + 1;
  }
  return after;
}

/** Models also repeat the context line as the first line of the hunk. */
function locate({hunk, finder}: Search, rows: readonly HunkRow[], after: number): Place | undefined {
  const wanted = oldLines(rows);
  const last = hunk.atEnd ? 'last' : undefined;
  const repeated = hunk.contexts.length > 0 ? after - 1 : after;
  const at = finder.find(wanted, after, last) ?? finder.find(wanted, repeated, last);
  return at === undefined ? undefined : {at, height: wanted.length, rows};
}

function oldLines(rows: readonly HunkRow[]): string[] {
  return rows.filter(({op}) => op !== '+').map(({text}) => text);
}

/** An empty line before the next marker belongs to the patch as often as to the file. */
function withoutLastBlank(rows: readonly HunkRow[]): readonly HunkRow[] {
  const last = rows.at(-1);
  return last?.op === ' ' && last.text === '' ? rows.slice(0, -1) : rows;
}

function rebuilt(lines: readonly Line[], places: readonly Place[]): string {
  const pieces: (readonly Line[])[] = [];
  let kept = 0;
  for (const place of places) {
    pieces.push(lines.slice(kept, place.at), changed(lines, place));
    kept = place.at + place.height;
  }
  const parts = [...pieces, lines.slice(kept)].flat();
  const usual = lines[0]?.ending || '\n';
  return parts.map(({text, ending}, index) => text + (ending === '' && index < parts.length - 1 ? usual : ending)).join('');
}

/** The lines of a place after its hunk: the first new line takes the ending of the first line taken out before it, and so on. */
function changed(lines: readonly Line[], {at, rows}: Place): Line[] {
  const result: Line[] = [];
  let next = at;
  let removed: (LineEnding | '')[] = [];
  let around = endingAt(lines, at);
  for (const {op, text} of rows) {
    if (op === '+') {
      around = removed.shift() || around;
      result.push({text, ending: around});
      continue;
    }
    const line = lines[next++] ?? {text, ending: around};
    if (op === '-') removed.push(line.ending);
    else {
      removed = [];
      around = line.ending || around;
      result.push(line);
    }
  }
  return result;
}

function endingAt(lines: readonly Line[], at: number): LineEnding {
  return [lines[at - 1], lines[at], lines[0]].map((line) => line?.ending ?? '').find((ending) => ending !== '') || '\n';
}
