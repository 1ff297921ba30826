import {visibleText} from '../../../base/visible-text.ts';
import {lineWidth, wrapLine} from '../cells/wrap-line.ts';
import type {Line, Span, StyleName} from '../cells/line.ts';

export interface PlainView {
  readonly width: number;
  readonly style?: readonly StyleName[] | undefined;
  /** Stands in front of the first row, and of the others. */
  readonly first?: Span | undefined;
  readonly rest?: Span | undefined;
  /** `first` precedes every row of the text, `rest` the wrapped rows. */
  readonly eachRow?: boolean | undefined;
}

/** Text without markup, wrapped at the width. A tab becomes four blanks. */
export function plainLines(text: string, {width, style, first, rest, eachRow}: PlainView): readonly Line[] {
  const hanging: Line = rest === undefined ? [] : [rest];
  const inner = Math.max(1, width - lineWidth(hanging));
  const rows = visibleText(text)
    .replaceAll('\t', '    ')
    .split('\n')
    .map((row) => wrapLine([style === undefined ? {text: row} : {text: row, style}], inner));
  return rows.flatMap((parts, index) => {
    const front = first !== undefined && (index === 0 || eachRow === true) ? [first] : hanging;
    return parts.map((part, at) => [...(at === 0 ? front : hanging), ...part]);
  });
}
