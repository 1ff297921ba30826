/** The words of a name, lower case: `openCodeGraph`, `open_code_graph` and `HTTPServer2` give `open code graph` and `http server 2`. */
export function splitIdentifier(name: string): string[] {
  return (name.match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** The first letters of the words: `ocg`. */
export function initialsOf(name: string): string {
  return splitIdentifier(name)
    .map((word) => word.charAt(0))
    .join('');
}

const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+|\p{Lu}|\p{Nd}+/gu;
