import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import type {PlainEntry} from '../model/entry.ts';
import type {EntryView} from './entry-view.ts';
import {plainLines} from './plain-lines.ts';

/** Rows of a long text in the conversation, and of one that still grows. */
const KEPT_ROWS = 12;
const RUNNING_ROWS = 6;

/** Renders text of the screen itself; for a long text, one end is in the conversation, with the place of the rest. */
export function plainEntryLines({title, text, isDim, keeps, isRunning}: PlainEntry, {width, isWhole}: EntryView): readonly Line[] {
  const head: Line[] = title === undefined ? [] : [[span(shownRow(title), 'heading')]];
  if (text === '') return head;
  const lines = plainLines(text.trimEnd(), {width, style: isDim === true ? ['dim'] : undefined});
  if (isRunning === true && !isWhole) return [...head, ...lines.slice(-RUNNING_ROWS)];
  const hidden = lines.length - KEPT_ROWS;
  if (isWhole || keeps === undefined || hidden <= 1) return [...head, ...lines];
  const more: Line = [span(`… ${hidden} more rows · Ctrl-O shows all`, 'dim')];
  return keeps === 'start' ? [...head, ...lines.slice(0, KEPT_ROWS), more] : [...head, more, ...lines.slice(-KEPT_ROWS)];
}
