import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, lineWidth} from '../cells/wrap-line.ts';
import type {PagerPlace} from '../model/screen-state.ts';
import type {ScreenSize} from '../surface/surface.ts';
import type {Sections} from './sections.ts';

export interface PagerView {
  readonly size: ScreenSize;
  /** Stands in the last row while no search is typed. */
  readonly help: string;
}

/** One screen of a long text from its place on, with a row of help below. */
export function pagerLines(sections: Sections, {entry, skip, query, isTyping}: PagerPlace, {size, help}: PagerView): readonly Line[] {
  const rows = size.rows - 1;
  const lines: Line[] = [];
  for (let at = entry; at < sections.count && lines.length < rows + skip; at += 1) {
    // A section may have more rows than a call can have arguments.
    for (const line of sections.rows(at)) lines.push(line);
  }
  const shown = lines.slice(skip, skip + rows).map((line) => marked(cutLine(line, size.columns), query));
  return screenOf(shown, isTyping === true ? `/${shownRow(query ?? '')}` : help, size);
}

/** Returns a whole screen: rows from its top on, and one row at its end. */
export function screenOf(shown: readonly Line[], help: string, {columns, rows}: ScreenSize): readonly Line[] {
  const blank = Array.from({length: Math.max(0, rows - 1 - shown.length)}, (): Line => []);
  const foot = cutLine([span(help, 'inverse')], columns);
  return [...shown, ...blank, [...foot, span(' '.repeat(Math.max(0, columns - lineWidth(foot))), 'inverse')]];
}

/** The line with every place of the searched text marked. */
function marked(line: Line, query: string | undefined): Line {
  if (query === undefined || query === '') return line;
  return line.flatMap((part) => {
    const at = part.text.toLowerCase().indexOf(query.toLowerCase());
    if (at < 0) return [part];
    const style = part.style ?? [];
    const [before, hit, after] = [part.text.slice(0, at), part.text.slice(at, at + query.length), part.text.slice(at + query.length)];
    return [
      {...part, text: before},
      {text: hit, style: [...style, 'inverse' as const]},
      {...part, text: after},
    ];
  });
}
