import {FettleError} from '../base/errors.ts';
import {endingCarrier} from './carry-endings.ts';
import {findAll} from './find-all.ts';
import {endingFinder, lineBreaks, plainBreaks, toEnding, type LineEnding, type PlainBreaks} from './line-endings.ts';
import {missingText} from './missing-text.ts';

export interface ExactEdit {
  /** Must stand in the file exactly so; only a line break matches any line ending. */
  readonly oldText: string;
  readonly newText: string;
  /** false: the old text must stand in exactly one place. */
  readonly replaceAll: boolean;
}

export interface EditedText {
  readonly text: string;
  readonly replacements: number;
  /** Where each replacement stands in the new text. */
  readonly spans: readonly LineSpan[];
}

/** 1-based, both ends included. */
interface LineSpan {
  readonly firstLine: number;
  readonly lastLine: number;
}

/**
 * Replaces text and leaves every character outside of it as it is ("microcode tools › edit", "zblade tool calls › apply_patch").
 * New lines take the endings of the lines they replace, else those around them. Linear in the length of the text.
 * @throws FettleError BAD_ARGS (nothing to look for, nothing to change), NOT_FOUND (the hint shows the nearest match),
 *   NOT_UNIQUE (several places, also overlapping ones, without `replaceAll`).
 */
export function applyExactEdit(text: string, edit: ExactEdit): EditedText {
  const wanted = toEnding(edit.oldText, '\n');
  const replacement = toEnding(edit.newText, '\n');
  if (wanted === '') throw new FettleError(EMPTY_OLD_TEXT);
  if (wanted === replacement) throw new FettleError(NO_CHANGE);
  const plain = plainBreaks(text);
  const found = findAll(plain.text, wanted);
  if (found.length === 0) throw missingText(plain.text, wanted);
  if (found.length > 1 && !edit.replaceAll) throw notUnique(plain.text, found);
  const places = withoutOverlaps(found, wanted.length);
  const plainEdit = {wanted, replacement, ownEnding: lineBreaks(edit.newText)[0] ?? '\n'};
  const ranges = places.map((at) => originalRange(plain, at, wanted.length));
  return {
    text: replaceAt(text, ranges, plainEdit),
    replacements: places.length,
    spans: spansOf(plain.text, places, plainEdit),
  };
}

interface PlainEdit {
  readonly wanted: string;
  readonly replacement: string;
  /** For a file without any line break: the ending as it was given. */
  readonly ownEnding: LineEnding;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function originalRange(plain: PlainBreaks, at: number, length: number): Range {
  return {start: plain.originalOffset(at), end: plain.originalOffset(at + length)};
}

function withoutOverlaps(found: readonly number[], length: number): number[] {
  let free = 0;
  return found.filter((at) => {
    if (at < free) return false;
    free = at + length;
    return true;
  });
}

function replaceAt(text: string, ranges: readonly Range[], edit: PlainEdit): string {
  const endingAround = endingFinder(text);
  const carrier = endingCarrier(edit.wanted, edit.replacement);
  const parts: string[] = [];
  let kept = 0;
  for (const {start, end} of ranges) {
    parts.push(text.slice(kept, start), carrier.carry(text.slice(start, end), endingAround(end) ?? edit.ownEnding));
    kept = end;
  }
  parts.push(text.slice(kept));
  return parts.join('');
}

function spansOf(plain: string, places: readonly number[], edit: PlainEdit): LineSpan[] {
  const added = countBreaks(edit.replacement);
  const growth = added - countBreaks(edit.wanted);
  const height = Math.max(0, edit.replacement.endsWith('\n') ? added - 1 : added);
  return lineNumbers(plain, places).map((line, index) => {
    const firstLine = line + index * growth;
    return {firstLine, lastLine: firstLine + height};
  });
}

function notUnique(plain: string, found: readonly number[]): FettleError {
  const shown = lineNumbers(plain, found.slice(0, MAX_PLACES_SHOWN)).join(', ');
  const more = found.length > MAX_PLACES_SHOWN ? ` and ${found.length - MAX_PLACES_SHOWN} more` : '';
  return new FettleError({
    code: 'NOT_UNIQUE',
    message: `The old text stands in ${found.length} places: it begins on lines ${shown}${more}. Nothing was changed.`,
    hint: 'Add lines around it until it is unique, or replace all occurrences.',
  });
}

/** 1-based lines of ascending offsets. */
function lineNumbers(plain: string, offsets: readonly number[]): number[] {
  let line = 1;
  let next = plain.indexOf('\n');
  return offsets.map((offset) => {
    while (next >= 0 && next < offset) {
      line++;
      next = plain.indexOf('\n', next + 1);
    }
    return line;
  });
}

function countBreaks(plain: string): number {
  return plain.split('\n').length - 1;
}

const MAX_PLACES_SHOWN = 10;

const EMPTY_OLD_TEXT = {
  code: 'BAD_ARGS',
  message: 'The old text is empty: there is nothing to look for.',
  hint: 'Name the text to replace; to create or replace a whole file, write it.',
} as const;

const NO_CHANGE = {
  code: 'BAD_ARGS',
  message: 'The old and the new text are the same: nothing would change.',
  hint: 'Line endings of the file are kept as they are; give a new text that differs in more than those.',
} as const;
