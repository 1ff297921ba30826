/**
 * Returns whether CRLF ends a line for this pattern (Rust syntax) as LF does: `$` matches before it, and nothing matches its carriage
 * return. False if the pattern looks for carriage returns itself, and with `\z` and `(?-m)`, which ripgrep knows at LF only.
 */
export function takesCrlf(pattern: string): boolean {
  return !/\r|\(\?[a-z]*-[a-z]*m|\\(?:[rz]|x0d|x\{0*d\}|u(?:\{0*d\}|0{3,7}d))/i.test(pattern.replaceAll(ESCAPED_BACKSLASH, ''));
}

/** Returns a pattern for a search over several lines with each line feed in it standing for LF and for CRLF. */
export function withEitherLineEnd(pattern: string): string {
  if (!takesCrlf(pattern)) return pattern;
  const isVerbose = /\(\?[a-zA-Z]*x/.test(pattern);
  return pattern.replaceAll(TOKEN, (token) => (token === '\\n' || (token === '\n' && !isVerbose) ? EITHER_LINE_END : token));
}

const ESCAPED_BACKSLASH = /\\\\/g;
/** An escape, a class (nothing in it is replaced), or one character. */
const TOKEN = /\\[^]|\[\^?\]?(?:\\[^]|\[:\^?\w+:\]|[^\\\]])*\]|[^]/g;
const EITHER_LINE_END = '(?:\\r?\\n)';
