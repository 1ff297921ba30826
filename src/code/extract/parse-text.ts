import type {Language} from '../languages/language.ts';
import {joinSyntax} from './join-syntax.ts';
import {openParser} from './parser.ts';
import type {TextParser} from './parser.ts';
import {ERROR_TYPE} from './syntax.ts';
import type {Syntax} from './syntax.ts';

/** Longer texts are not parsed, in UTF-16 units: no one wrote them, and the parser needs 100 bytes of memory for each. */
export const LONGEST_TEXT = 2_000_000;

/**
 * The nodes of a text; what its grammar does not understand is parsed again in words that it does, where the language has such. Undefined for a
 * text that is too long or takes too long. Errors: as `openParser`.
 */
export async function parseText({grammar, mend, misread, apart}: Language, text: string, signal: AbortSignal): Promise<Syntax | undefined> {
  const parser = await openParser(grammar);
  signal.throwIfAborted();
  const syntax = text.length > LONGEST_TEXT ? undefined : parser.parse(text);
  if (syntax === undefined || mend === undefined) return syntax;
  const isAmbiguous = misread?.test(text) === true;
  const again = syntax.broken || isAmbiguous ? parseMended(parser, text, {mend, apart}) : undefined;
  // More errors are better than what is known to be misread.
  return again === undefined || (!isAmbiguous && errorsIn(again) > errorsIn(syntax)) ? syntax : {...again, text};
}

function parseMended(parser: TextParser, text: string, {mend, apart}: Pick<Language, 'mend' | 'apart'>): Syntax | undefined {
  const rewritten = mend?.(text) ?? text;
  const parts = apart?.(rewritten) ?? {text: rewritten, apart: ''};
  if (parts.text === text) return undefined;
  const syntax = parser.parse(parts.text);
  const other = /\S/u.test(parts.apart) ? parser.parse(parts.apart) : undefined;
  return syntax === undefined || other === undefined ? syntax : joinSyntax(syntax, other);
}

/** How much of the text is within errors. */
function errorsIn({type, start, end}: Syntax): number {
  let [errors, last] = [0, 0];
  for (const [node, one] of type.entries()) {
    const [from, to] = [start[node] ?? 0, end[node] ?? 0];
    if (one !== ERROR_TYPE || to <= last) continue;
    errors += to - Math.max(from, last);
    last = to;
  }
  return errors;
}
