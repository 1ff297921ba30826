import type {Word} from 'unbash';

/**
 * True for a word with a shell operator outside of quotes: bash would not have read it as one word (`echo 1<(x)` runs x).
 * Whatever the parser made of it, it cannot be trusted there.
 */
export function isAmbiguous(word: Word): boolean {
  return literals(word).some((text) => /[()<>;&|`"' \t\n]|\$[\w{]/.test(text));
}

/** The same for a word in other places: a list of `for`, an array, after `:-`, where blanks and parentheses are allowed. */
export function hidesCommand(word: Word): boolean {
  return literals(word).some((text) => /[<>$]\(|`/.test(text));
}

function literals({text, parts}: Word): string[] {
  const bare = parts === undefined ? [text] : parts.flatMap((part) => (part.type === 'Literal' ? [part.text] : []));
  return bare.map((piece) => piece.replaceAll(/\\[^]/g, ''));
}
