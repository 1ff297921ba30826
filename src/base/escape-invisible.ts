/** A character by its number, as a program would write it: `\u202e`, `\u{e0041}`. */
export function escapedChar(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

export interface EscapedText {
  readonly text: string;
  /** Number of escaped characters. */
  readonly hidden: number;
}

/**
 * Makes every character of a text visible, for questions: nothing is left out. Controls (but line feed and tab), invisible and
 * direction-changing characters, unusual blanks, and marks beyond the eighth on one letter are escaped.
 */
export function escapeInvisible(text: string): EscapedText {
  let hidden = 0;
  const escapeOne = (char: string): string => {
    hidden += 1;
    return escapedChar(char);
  };
  const shown = text
    .replaceAll(UNSEEN, escapeOne)
    .replaceAll(FLOOD, (marks, letter: string) => letter + Array.from(marks.slice(letter.length), escapeOne).join(''));
  return {text: shown, hidden};
}

const UNSEEN =
  /[^\P{C}\t\n\u{e000}-\u{f8ff}]|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\u2800]|(?! )\p{Zs}|\p{Surrogate}/gu;

const FLOOD = /((?:^|\P{M})\p{M}{8})\p{M}+/gu;
