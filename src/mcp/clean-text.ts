/**
 * Text of a server as a model may see it: no control, invisible, direction-changing or tag characters (they carry hidden orders and
 * redraw screens), at most `max` characters. Line feeds and tabs stay.
 */
export function cleanServerText(text: string, max: number): string {
  // Text far beyond the bound is not looked at: a description of megabytes costs nothing.
  const clean = text
    .slice(0, max * 4)
    .replaceAll(HIDDEN, '')
    .trim();
  return clean.length > max
    ? `${clean
        .slice(0, max)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
    : clean;
}

/** The same on one line: for names, and for text within a sentence. */
export function cleanLine(text: string, max: number): string {
  return cleanServerText(text.slice(0, max * 4).replaceAll(/\s+/g, ' '), max);
}

/** Returns true if a name contains such characters, or line ends: people could not distinguish it from another. */
export function hasHidden(name: string): boolean {
  return name.search(HIDDEN) >= 0 || /[\t\n]/.test(name);
}

const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]|\p{Surrogate}/gu;
