import {eastAsianWidth} from 'get-east-asian-width';

/** Columns that a terminal gives to a text without control characters: 2 for wide characters and emoji, 0 for marks on a letter. */
export function cellWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  if (isSimple(text)) {
    for (let at = 0; at < text.length; at += 1) width += simpleWidth(text.charCodeAt(at));
    return width;
  }
  for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme);
  return width;
}

/**
 * The characters as a person counts them (UAX 29: extended grapheme clusters). A cluster of several letters, as conjuncts of Devanagari are,
 * is one for each letter: terminals give a column to each, and a long one must not be wider than a row.
 */
export function graphemes(text: string): readonly string[] {
  if (isSimple(text)) return text.split('');
  segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
  return Array.from(segmenter.segment(text), ({segment}) =>
    segment.length > 1 && !PICTURE.test(segment) ? segment.split(LETTER) : segment,
  ).flat();
}

const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;
/** Before a letter or a sign that has a column of its own: no vowel of a Hangul syllable, which joins what is in front of it. */
const LETTER = /(?<=[^])(?=(?![\u1160-\u11ff\ud7b0-\ud7ff])[\p{Letter}\p{Number}\p{Punctuation}\p{Symbol}\p{Space_Separator}])/u;

/**
 * Returns true if each UTF-16 unit of a text is a visible character of its own that steers nothing: letters of many scripts, Han, signs,
 * frames. Most text is of this kind, which saves the cost of segmenting and of Unicode classes.
 */
export function isSimple(text: string): boolean {
  return SIMPLE.test(text);
}

/** Columns of one grapheme. */
export function graphemeWidth(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0;
  if (isSimple(grapheme)) return simpleWidth(code);
  if (code < 0x7f) return grapheme.includes('\ufe0f\u20e3') ? 2 : 1;
  if (ZERO_WIDTH.test(grapheme)) return 0;
  // An emoji selector, a flag or a sequence with joiners makes a narrow character wide.
  if (grapheme.length > 1 && (grapheme.includes('\ufe0f') || FLAG.test(grapheme))) return 2;
  return eastAsianWidth(code);
}

function simpleWidth(code: number): number {
  return code < 0x7f ? 1 : eastAsianWidth(code);
}

/** No marks, joiners, selectors, controls, invisible or right-to-left characters, halves of pairs, parts of Hangul syllables, or flags. */
const SIMPLE = new RegExp(
  String.raw`^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u27bf` +
    String.raw`\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9d]*$`,
);
const ASCII = /^[\x20-\x7e]*$/;
const ZERO_WIDTH = /^[\p{Mark}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u;
const FLAG = /^\p{Regional_Indicator}{2}/u;

/** Made when the first text beyond ASCII comes: it costs some milliseconds of the start. */
let segmenter: Intl.Segmenter | undefined;
