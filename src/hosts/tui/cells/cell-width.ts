import {eastAsianWidth} from 'get-east-asian-width';

/** Columns that a terminal gives to a text without control characters: 2 for wide characters and emoji, 0 for marks on a letter. */
export function cellWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme);
  return width;
}

/** The characters as a person counts them (UAX 29: extended grapheme clusters). */
export function graphemes(text: string): readonly string[] {
  if (ASCII.test(text)) return Array.from(text);
  segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
  return Array.from(segmenter.segment(text), ({segment}) => segment);
}

/** Columns of one grapheme. */
export function graphemeWidth(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0;
  if (code < 0x7f) return grapheme.includes('\ufe0f\u20e3') ? 2 : 1;
  if (ZERO_WIDTH.test(grapheme)) return 0;
  // An emoji selector, a flag or a sequence with joiners makes a wide picture of what is narrow alone.
  if (grapheme.length > 1 && (grapheme.includes('\ufe0f') || FLAG.test(grapheme))) return 2;
  return eastAsianWidth(code);
}

const ASCII = /^[\x20-\x7e]*$/;
const ZERO_WIDTH = /^[\p{Mark}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u;
const FLAG = /^\p{Regional_Indicator}{2}/u;

/** Made when the first text beyond ASCII comes: it costs some milliseconds of the start. */
let segmenter: Intl.Segmenter | undefined;
