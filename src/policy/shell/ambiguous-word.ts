import type {Word} from 'unbash';

/**
 * True for a word in which an operator of the shell stands outside of quotes: bash would not have read it as one word (`echo 1<(x)` runs x).
 * Whatever the parser made of it, it cannot be trusted there.
 */
export function isAmbiguous(word: Word): boolean {
  return literals(word).some((text) => /[()<>;&|`"' \t\n]|\$[\w{]/.test(text));
}

/** The same for a word of any place: in a list of `for`, an array, behind `:-`, where blanks and brackets are allowed. */
export function hidesCommand(word: Word): boolean {
  return literals(word).some((text) => /[<>$]\(|`/.test(text));
}

function literals({text, parts}: Word): string[] {
  const bare = parts === undefined ? [text] : parts.flatMap((part) => (part.type === 'Literal' ? [part.text] : []));
  return bare.map((piece) => piece.replaceAll(/\\[^]/g, ''));
}
