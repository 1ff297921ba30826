import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, lineWidth} from '../cells/wrap-line.ts';
import type {PagerOverlay, ScreenState} from '../model/screen-state.ts';
import {entryLines, needsGap} from './entry-lines.ts';

/** One screen of the conversation with everything in it, from the chosen entry on, with a row of help below. */
export function pagerLines(state: ScreenState, {entry, skip, query, isTyping}: PagerOverlay): readonly Line[] {
  const {entries, size, now, root, dialogs} = state;
  const rows = size.rows - 1;
  const lines: Line[] = [];
  for (let at = entry; at < entries.length && lines.length < rows + skip; at += 1) {
    const one = entries[at];
    if (one === undefined) break;
    if (needsGap(entries[at - 1], one)) lines.push([]);
    lines.push(...entryLines(one, {width: size.columns, now, isWhole: true, root}));
  }
  const shown = lines.slice(skip, skip + rows).map((line) => marked(cutLine(line, size.columns), query));
  const blank = Array.from({length: Math.max(0, rows - shown.length)}, (): Line => []);
  const waiting = dialogs.length === 0 ? '' : 'A question waits: Esc · ';
  const help =
    isTyping === true
      ? `/${shownRow(query ?? '')}`
      : `${waiting}${entry + 1} of ${entries.length} · arrows, PgUp, PgDn, g, G · / searches · Esc leaves`;
  const foot = cutLine([span(help, 'inverse')], size.columns);
  return [...shown, ...blank, [...foot, span(' '.repeat(Math.max(0, size.columns - lineWidth(foot))), 'inverse')]];
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
