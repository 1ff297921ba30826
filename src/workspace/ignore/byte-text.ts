const BEYOND_ASCII = /[^\0-\x7f]/;

/** Returns a text with one character for each byte of its UTF-8 form: git compares names and patterns by bytes. */
export function byteText(text: string): string {
  return BEYOND_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

/** Converts to lower case like git's `core.ignoreCase`: ASCII letters only. */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
