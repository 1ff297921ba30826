/** As long as a text, and with its lines, but empty. */
export function blanks(text: string): string {
  return text.replaceAll(/[^\n]+/gu, (line) => ' '.repeat(line.length));
}

/** A word in the place of a text that is at least as long; the rest of it is empty. */
export function inPlace(word: string, text: string): string {
  return word + blanks(text.slice(word.length));
}
