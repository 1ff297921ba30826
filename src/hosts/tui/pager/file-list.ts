import {counted} from '../../../base/counted.ts';
import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine} from '../cells/wrap-line.ts';
import type {FileDiff} from '../host-adapter.ts';
import type {DiffOverlay} from '../model/screen-state.ts';
import {loadedDiff} from '../views/diff/load-diff.ts';

/** The rows of the list of changed files around the chosen one; only files in these rows are compared. */
export function fileListLines(
  {title, files, file}: DiffOverlay,
  {columns, rows}: {readonly columns: number; readonly rows: number},
): readonly Line[] {
  const room = Math.max(1, rows - 1);
  const first = Math.max(0, Math.min(file - Math.floor(room / 2), files.length - room));
  const head: Line = [span(shownRow(title), 'heading'), span(`  ${counted(files.length, 'file')}`, 'dim')];
  const list = files.slice(first, first + room).map((one, index): Line => {
    const isChosen = first + index === file;
    return [span(isChosen ? '▸ ' : '  ', 'accent'), ...nameOf(one, isChosen)];
  });
  return [head, ...list].slice(-rows).map((line) => cutLine(line, columns));
}

function nameOf(diff: FileDiff, isChosen: boolean): Line {
  const [name = span(shownRow(diff.path)), ...counts] = loadedDiff()?.filePartsOf(diff).head ?? [];
  const note = diff.note === undefined ? [] : [span(`  ${shownRow(diff.note)}`, 'dim')];
  return [isChosen ? span(name.text, 'selected') : span(name.text), ...counts, ...note];
}
