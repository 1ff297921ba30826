/** Returns a word as a POSIX shell reads it back: in single quotes, whatever stands in it. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
