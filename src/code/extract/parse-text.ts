import type {Language} from '../languages/language.ts';
import {openParser} from './parser.ts';
import {ERROR_TYPE} from './syntax.ts';
import type {Syntax} from './syntax.ts';

/** Longer texts are not parsed, in UTF-16 units: no one wrote them, and the parser needs 100 bytes of memory for each. */
export const LONGEST_TEXT = 2_000_000;

/**
 * The nodes of a text; what its grammar does not understand is parsed again in words that it does, where the language has such. Undefined for a
 * text that is too long or takes too long. Errors: as `openParser`.
 */
export async function parseText({grammar, mend, misread}: Language, text: string, signal: AbortSignal): Promise<Syntax | undefined> {
  const parser = await openParser(grammar);
  signal.throwIfAborted();
  const syntax = text.length > LONGEST_TEXT ? undefined : parser.parse(text);
  if (syntax === undefined || mend === undefined) return syntax;
  const isMisread = misread?.test(text) === true;
  const mended = syntax.broken || isMisread ? mend(text) : text;
  const again = mended === text ? undefined : parser.parse(mended);
  // More errors are better than what is known to be misread.
  return again === undefined || (!isMisread && errorsIn(again) > errorsIn(syntax)) ? syntax : {...again, text};
}

function errorsIn({type}: Syntax): number {
  let errors = 0;
  for (const one of type) if (one === ERROR_TYPE) errors++;
  return errors;
}
