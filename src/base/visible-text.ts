/**
 * Text that a terminal can show without being steered by it: line feeds and tabs stay, every other control character, and the invisible
 * and direction-changing characters that make text look like other text, are written as `\u{…}`. A carriage return before a line feed goes.
 * Joiners stay where scripts and emoji need them (Unicode 23.2: Persian, the scripts of India, "woman + joiner + laptop").
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Letters and signs after which a joiner changes the form of what it joins; elsewhere it is only invisible. */
const JOINED = String.raw`\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}${[
  'Arab',
  'Syrc',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
]
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')}`;

/** C0 without tab and line feed, DEL, C1; soft hyphen, zero-width, bidirectional and tag characters, line separators, lone surrogates. */
const HIDDEN = new RegExp(
  String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]` +
    String.raw`|(?<![${JOINED}])[\u200c\u200d]|\p{Surrogate}`,
  'gu',
);
