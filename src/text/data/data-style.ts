import {lineBreaks, type LineEnding} from '../line-endings.ts';

/** The indentation of a text. */
export interface IndentStyle {
  readonly unit: ' ' | '\t';
  /** Spaces for each level; 1 for tabs. */
  readonly width: number;
}

/** By the least indented line that is indented; undefined: none is. */
export function indentOf(text: string): IndentStyle | undefined {
  const indents = Array.from(text.matchAll(/^([ \t]+)[^\s*#/]/gm), ([, indent]) => indent ?? '');
  const least = indents.reduce<string | undefined>(
    (least, indent) => (least === undefined || indent.length < least.length ? indent : least),
    undefined,
  );
  if (least === undefined) return undefined;
  return least.startsWith('\t') ? {unit: '\t', width: 1} : {unit: ' ', width: least.length};
}

/** The line ending that a text uses most; undefined: it has none. */
export function commonEnding(text: string): LineEnding | undefined {
  const counts = new Map<LineEnding, number>();
  for (const ending of lineBreaks(text)) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
}
