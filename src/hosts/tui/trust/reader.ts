import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, lineWidth} from '../cells/wrap-line.ts';
import type {ScreenSize} from '../surface/surface.ts';
import {diffLines} from '../views/diff-lines.ts';
import {loadedDiff} from '../views/diff/load-diff.ts';
import {plainLines} from '../views/plain-lines.ts';
import {chosenEntry, type TrustDialog} from './trust-dialog.ts';
import type {TrustItem} from './trust-question.ts';

/** Shows the open entry on a screen of its own: its effects, and its text, or how that differs from the trusted one. */
export function readerLines(size: ScreenSize, dialog: TrustDialog): readonly Line[] {
  const {columns, rows} = size;
  const {question, at, reading} = dialog;
  const room = Math.max(0, rows - 1);
  const first = Math.min(reading?.scroll ?? 0, lastScroll(size, dialog));
  const body = rowsOf(size, dialog)
    .slice(first, first + room)
    .map((line) => cutLine(line, columns));
  const blank = Array.from({length: room - body.length}, (): Line => []);
  const entry = chosenEntry(dialog);
  const hasBoth = entry?.change === 'changed' && entry.before !== undefined;
  const tab = hasBoth ? `Tab: ${reading?.isWhole === true ? 'the difference' : 'the whole text'} · ` : '';
  const help = `${at + 1} of ${question.entries.length} · Esc goes back · ${tab}arrows, PgUp, PgDn, g, G · n, p: next, previous`;
  const foot = cutLine([span(help, 'inverse')], columns);
  return [...body, ...blank, [...foot, span(' '.repeat(Math.max(0, columns - lineWidth(foot))), 'inverse')]];
}

/** Returns the last row that can be at the top. */
export function lastScroll(size: ScreenSize, dialog: TrustDialog): number {
  return Math.max(0, rowsOf(size, dialog).length - Math.max(1, size.rows - 1));
}

interface Laid {
  readonly key: string;
  readonly rows: readonly Line[];
}

/** An entry is laid out once for each width, not for each key. */
const laid = new WeakMap<TrustItem, Laid>();

function rowsOf({columns}: ScreenSize, dialog: TrustDialog): readonly Line[] {
  const entry = chosenEntry(dialog);
  if (entry === undefined) return [];
  const isWhole = dialog.reading?.isWhole === true;
  const key = `${columns} ${isWhole} ${loadedDiff() === undefined}`;
  const known = laid.get(entry);
  if (known?.key === key) return known.rows;
  const rows = entryRows(entry, columns, isWhole);
  laid.set(entry, {key, rows});
  return rows;
}

function entryRows(entry: TrustItem, width: number, isWhole: boolean): readonly Line[] {
  const {path, change, does} = entry;
  const head = change === undefined ? path : `${change}: ${path}`;
  const about = does.flatMap((text) => plainLines(shownRow(text), {width}));
  return [...plainLines(shownRow(head), {width, style: ['bold']}), ...about, [], ...textRows(entry, width, isWhole)];
}

function textRows({path, change, before, after = ''}: TrustItem, width: number, isWhole: boolean): readonly Line[] {
  const note = (text: string): readonly Line[] => plainLines(text, {width, style: ['dim']});
  if (change === 'gone') {
    return before === undefined
      ? note('It is gone. The text that was trusted was not kept.')
      : [...note('It is gone. This was trusted:'), ...quoted(before, width)];
  }
  if (change !== 'changed' || isWhole) return quoted(after, width);
  if (before === undefined) return [...note('The text that was trusted was not kept. This is all of it now:'), ...quoted(after, width)];
  if (before === after) return note('The folder is another one, or bytes differ that are not text: the text is the same.');
  return diffLines({path, before, after}, width);
}

/** A border precedes each row: no text can look like a part of the screen. */
function quoted(text: string, width: number): readonly Line[] {
  const rest = text.length - MOST_CHARS;
  const border = span('│ ', 'border');
  const rows = plainLines(text.slice(0, MOST_CHARS).replace(/\n$/, ''), {width, first: border, rest: border, eachRow: true});
  return rest <= 0
    ? rows
    : [...rows, ...plainLines(`… and ${rest} more characters: open the file to read them`, {width, style: ['warning']})];
}

/** More would hold up the keys. */
const MOST_CHARS = 256 * 1024;
