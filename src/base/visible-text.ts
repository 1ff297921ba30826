/**
 * Text that a terminal can show without being steered by it: line feeds and tabs stay, every other control character, and the invisible
 * and direction-changing characters that make text look like other text, are written as `\u{…}`. A carriage return before a line feed goes.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** C0 without tab and line feed, DEL, C1; soft hyphen, zero-width, bidirectional and tag characters, line separators, lone surrogates. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;
