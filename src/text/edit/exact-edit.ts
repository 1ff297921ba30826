import {FettleError} from '../../base/errors.ts';
import {findAll, withoutOverlaps} from './find-all.ts';
import {plainBreaks, toEnding} from '../line-endings.ts';
import {missingText} from './no-match-error.ts';
import {lineNumbers, repeatedText} from './not-unique-error.ts';
import {ownEnding, replaceRanges} from './replace-ranges.ts';

export interface ExactEdit {
  /** Must occur in the file exactly like this; only a line break matches any line ending. */
  readonly oldText: string;
  readonly newText: string;
  /** false: the old text must occur exactly once. */
  readonly replaceAll: boolean;
}

export interface EditedText {
  readonly text: string;
  readonly replacements: number;
  /** Lines of each replacement in the new text. */
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
  if (found.length > 1 && !edit.replaceAll) throw repeatedText(plain.text, found);
  const places = withoutOverlaps(found, wanted.length);
  const replacements = places.map((start) => ({
    start,
    end: start + wanted.length,
    newPlain: replacement,
    ownEnding: ownEnding(edit.newText),
  }));
  return {
    text: replaceRanges(text, plain, replacements),
    replacements: places.length,
    spans: spansOf(plain.text, places, {wanted, replacement}),
  };
}

interface PlainEdit {
  readonly wanted: string;
  readonly replacement: string;
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

function countBreaks(plain: string): number {
  return plain.split('\n').length - 1;
}

const EMPTY_OLD_TEXT = {
  code: 'BAD_ARGS',
  message: 'The old text is empty: there is nothing to look for.',
  hint: 'Name the text to replace; to create or replace a whole file, write it.',
} as const;

const NO_CHANGE = {
  code: 'BAD_ARGS',
  message: 'The old and the new text are the same: nothing would change.',
  hint: 'Line endings of the file never change; the new text must differ in more than those.',
} as const;
