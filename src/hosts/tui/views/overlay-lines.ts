import {span, type Line} from '../cells/line.ts';
import {cellWidth} from '../cells/cell-width.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine} from '../cells/wrap-line.ts';
import {matchingItems} from '../model/matching-items.ts';
import type {HistoryOverlay, Overlay, PickerOverlay, ScreenState} from '../model/screen-state.ts';
import type {CursorLines} from '../cells/cursor-lines.ts';
import {helpLines} from './help.ts';
import {windowedRows} from './windowed-rows.ts';

const MOST_ROWS = 14;

/** Returns the rows in the place of the line to type into: a picker, the search of the history, the help. The others have the whole screen. */
export function overlayLines(state: ScreenState, overlay: Overlay, rows: number): CursorLines {
  switch (overlay.type) {
    case 'picker':
      return pickerLines(state, overlay, Math.min(rows, MOST_ROWS));
    case 'history':
      return historyLines(state, overlay);
    case 'help':
      return {lines: windowedRows(helpLines(state), {first: overlay.scroll, room: rows, columns: state.size.columns}), cursor: undefined};
    case 'pager':
    case 'diff':
    case 'agent':
    case 'command':
      return {lines: [], cursor: undefined};
  }
}

function pickerLines({size}: ScreenState, {title, items, query, at}: PickerOverlay, rows: number): CursorLines {
  const found = matchingItems(items, query);
  const [headline = '', ...more] = title.split('\n');
  const about = more.slice(0, Math.max(0, rows - 5)).map((line): Line => [span(shownRow(line), 'dim')]);
  const room = Math.max(1, rows - 2 - about.length);
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), found.length - room));
  const list = found.slice(first, first + room).map(({label, detail}, index): Line => {
    const isChosen = first + index === at;
    const name = shownRow(label);
    return [
      span(isChosen ? '▸ ' : '  ', 'accent'),
      isChosen ? span(name, 'selected') : span(name),
      span(`  ${shownRow(detail ?? '')}`, 'dim'),
    ];
  });
  const none: Line[] = found.length === 0 ? [[span('  nothing fits', 'dim')]] : [];
  const head: Line = [span(shownRow(headline), 'heading'), span('  Enter chooses, Esc leaves', 'dim')];
  const typed = shownRow(query);
  const search: Line = [span('› ', 'user', 'bold'), span(typed)];
  const lines = [head, ...about, search, ...list, ...none].map((line) => cutLine(line, size.columns)).slice(0, Math.max(1, rows));
  return {lines, cursor: lines.length > 1 ? {row: 1 + about.length, column: Math.min(2 + cellWidth(typed), size.columns - 1)} : undefined};
}

function historyLines({size}: ScreenState, {search: {query, match, failed}}: HistoryOverlay): CursorLines {
  const text = shownRow((match?.prompt ?? '').replaceAll('\n', ' ⏎ '));
  const typed = shownRow(query);
  const head: Line = [span(`history: ${typed}`, 'user'), span(failed ? '  nothing fits' : '', 'dim')];
  const lines = [head, [span(`  ${text}`)]].map((line) => cutLine(line, size.columns));
  return {lines, cursor: {row: 0, column: Math.min(9 + cellWidth(typed), size.columns - 1)}};
}
