import type {Look} from './look.ts';

/**
 * A run of text in one look. Views make spans and never write escape sequences: the surface turns styles into what the terminal understands,
 * and shows control characters in `text` as visible text.
 */
export interface Span {
  readonly text: string;
  /** Names of the theme; later ones win if they differ. */
  readonly style?: readonly StyleName[] | undefined;
  /** The look of cells of another terminal, in place of one of the theme. It is shown with the colours that there are. */
  readonly look?: Look | undefined;
}

/** One row of the screen, left to right. Not padded; an empty list is an empty row. */
export type Line = readonly Span[];

/** Everything that a theme gives a look. */
export const STYLE_NAMES = [
  'bold',
  'italic',
  'underline',
  'strike',
  'dim',
  'inverse',
  'accent',
  'success',
  'warning',
  'error',
  'user',
  'heading',
  'link',
  'code',
  'quote',
  'border',
  'selected',
  'added',
  'removed',
  'addedPart',
  'removedPart',
  'keyword',
  'string',
  'number',
  'comment',
  'type',
  'function',
  'variable',
] as const;
export type StyleName = (typeof STYLE_NAMES)[number];

export function span(text: string, ...style: readonly StyleName[]): Span {
  return style.length === 0 ? {text} : {text, style};
}

/** The text of a line without its look. */
export function plainText(line: Line): string {
  return line.map(({text}) => text).join('');
}
