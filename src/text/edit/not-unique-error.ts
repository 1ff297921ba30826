import {FettleError} from '../../base/errors.ts';

/** The NOT_UNIQUE error for a text that occurs in several places, with the lines on which it begins. */
export function repeatedText(plain: string, found: readonly number[]): FettleError {
  const shown = lineNumbers(plain, found.slice(0, MAX_PLACES_SHOWN)).join(', ');
  const more = found.length > MAX_PLACES_SHOWN ? ` and ${found.length - MAX_PLACES_SHOWN} more` : '';
  return new FettleError({
    code: 'NOT_UNIQUE',
    message: `The old text occurs ${found.length} times: it begins on lines ${shown}${more}. Nothing was changed.`,
    hint: 'Add lines around it until it is unique, or replace all occurrences.',
  });
}

/** 1-based lines of ascending offsets into a text with plain breaks. */
export function lineNumbers(plain: string, offsets: readonly number[]): number[] {
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

const MAX_PLACES_SHOWN = 10;
