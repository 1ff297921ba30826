import {visibleText} from '../../../base/visible-text.ts';
import {lineWidth, wrapLine} from '../cells/wrap-line.ts';
import type {Line, Span, StyleName} from '../cells/line.ts';

export interface PlainView {
  readonly width: number;
  readonly style?: readonly StyleName[] | undefined;
  /** Stands in front of the first row, and of the others. */
  readonly first?: Span | undefined;
  readonly rest?: Span | undefined;
}

/** Text without markup, wrapped at the width. A tab becomes four blanks. */
export function plainLines(text: string, {width, style, first, rest}: PlainView): readonly Line[] {
  const hanging: Line = rest === undefined ? [] : [rest];
  const inner = Math.max(1, width - lineWidth(hanging));
  const rows = visibleText(text)
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap((row) => wrapLine([style === undefined ? {text: row} : {text: row, style}], inner));
  return rows.map((row, index) => [...(index === 0 && first !== undefined ? [first] : hanging), ...row]);
}
