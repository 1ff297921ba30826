import {blanks} from './blanks.ts';

/** Comments, strings and directives, whatever the latter have in them. */
export const NOT_CODE =
  /\/\/(?:[^\\\n]|\\[^])*|\/\*(?:[^]*?\*\/|[^]*)|\bu?8?R"([^()\\\s]{0,16})\((?:[^]*?\)\1"|[^]*)|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|^[ \t]*#(?:[^\\\n/]|\\(?:\r\n|[^])|\/\*(?:[^]*?\*\/|[^]*)|\/)*/gmu;
const COMMENT = /\/\*(?:[^]*?\*\/|[^]*)/gu;
const ANYWHERE = /^\s*#\s*(?:define|undef|include|pragma|error|warning|line|ident|import)\b/u;

/**
 * C without the directives that may stand anywhere, in an enumeration or between two arguments, where a grammar does not know them; and those
 * directives alone. Every character keeps its place.
 */
export function directivesApart(text: string): {readonly text: string; readonly apart: string} {
  let [rest, apart, at] = ['', '', 0];
  for (const {0: piece, index} of text.matchAll(NOT_CODE)) {
    if (!ANYWHERE.test(piece)) continue;
    const between = text.slice(at, index);
    rest += between + blanks(piece);
    apart += blanks(between) + withoutInner(piece);
    at = index + piece.length;
  }
  return {text: rest + text.slice(at), apart: apart + blanks(text.slice(at))};
}

/** Without comments that something follows: the grammar ends a directive at the first comment. */
function withoutInner(directive: string): string {
  const last = directive.trimEnd().length;
  return directive.replaceAll(COMMENT, (comment, at: number) => (at + comment.length < last ? blanks(comment) : comment));
}
