import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine} from '../cells/wrap-line.ts';
import {layoutEditor} from '../editor/layout-editor.ts';
import {promptMark} from '../editor/prompt-mark.ts';
import {isLeaveArmed} from '../model/exit-confirmation.ts';
import type {ScreenState, Suggestions} from '../model/screen-state.ts';
import type {CursorLines} from '../cells/cursor-lines.ts';

/** Rows of the list of suggestions. */
export const SUGGESTED_ROWS = 8;

/** The line to type into, with the suggestions below it. */
export function inputLines(state: ScreenState, rows: number): CursorLines {
  const {editor, size, suggestions} = state;
  const list =
    suggestions === undefined ? [] : suggestionLines(suggestions, {columns: size.columns, rows: Math.min(SUGGESTED_ROWS, rows - 2)});
  const maxRows = Math.max(1, Math.min(Math.floor(size.rows / 2), rows - list.length));
  const prompt = promptMark(editor);
  if (editor.text === '') {
    const placeholder = placeholderOf(state);
    return {lines: [cutLine([...prompt, span(placeholder, 'dim')], size.columns)], cursor: {row: 0, column: Math.min(2, size.columns - 1)}};
  }
  const {lines, cursor} = layoutEditor(editor, {width: size.columns, maxRows, prompt});
  return {lines: [...lines, ...list], cursor};
}

function placeholderOf(state: ScreenState): string {
  if (state.work !== undefined) return 'Type ahead: Enter queues, Ctrl-S sends now';
  return isLeaveArmed(state) ? 'Ctrl-C again leaves' : 'Type a task, / for commands, @ for files';
}

function suggestionLines({items, at}: Suggestions, {columns, rows}: {readonly columns: number; readonly rows: number}): readonly Line[] {
  if (rows <= 0) return [];
  const first = Math.max(0, Math.min(at - Math.floor(rows / 2), items.length - rows));
  return items.slice(first, first + rows).map(({label, detail}, index) => {
    const isChosen = first + index === at;
    const name = shownRow(label);
    const line: Line = [
      span(isChosen ? '▸ ' : '  ', 'accent'),
      isChosen ? span(name, 'selected') : span(name),
      span(`  ${shownRow(detail ?? '')}`, 'dim'),
    ];
    return cutLine(line, columns);
  });
}
