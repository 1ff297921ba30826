/** Returns a word as a POSIX shell reads it back; quoted only if necessary. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : shellQuoted(word);
}

/** Returns a word in single quotes, whatever it contains. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
