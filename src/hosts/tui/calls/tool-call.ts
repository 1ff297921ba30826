import {span, type Line, type StyleName} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {truncateToWidth} from '../cells/truncate-to-width.ts';
import {cutLine, lineWidth} from '../cells/wrap-line.ts';
import type {ToolEntry} from '../model/entry.ts';
import {runMs} from './tool-entry.ts';
import {toolWords} from './tool-labels.ts';
import {liveBlock} from '../live-commands/live-block.ts';
import {changeLines} from './change-lines.ts';
import type {EntryView} from '../views/entry-view.ts';
import {elapsed} from '../views/duration-text.ts';
import {plainLines} from '../views/plain-lines.ts';
import {toolResult} from './tool-result.ts';

/** Rows of running output, and of the output of failed calls. */
const LIVE_ROWS = 6;
const FAILED_ROWS = 6;
const CHANGE_ROWS = 14;

/** One row for a call: verb, subject, result, time. Below it a change, the output while it runs, or the end of a failure. */
export function toolCallLines(entry: ToolEntry, view: EntryView): readonly Line[] {
  const row = headRow(entry, view);
  if (view.isWhole) return [row, ...wholeLines(entry, view)];
  const block = liveRows(entry, view);
  if (block !== undefined) return [row, ...block];
  if (entry.state === 'running') return [row, ...tail(entry.output, {view, rows: LIVE_ROWS, style: 'dim'})];
  if (entry.state === 'error' || entry.state === 'invalid') return [row, ...failureLines(entry, view)];
  if (entry.state !== 'success') return [row];
  return [row, ...indented(changeLines(entry, {width: view.width - INDENT.length, rows: CHANGE_ROWS}))];
}

/** The terminal that it waits for. */
function liveRows(entry: ToolEntry, {live, width, rows = Number.POSITIVE_INFINITY}: EntryView): readonly Line[] | undefined {
  if (entry.state !== 'running' || live === undefined) return undefined;
  const block = liveBlock(entry, {live, columns: Math.max(1, width - GUTTER.text.length), rows});
  return block === undefined ? undefined : gutter(block);
}

const INDENT = '  ';

function headRow(entry: ToolEntry, {width, now, root}: EntryView): Line {
  const words = toolWords(entry, root);
  const {mark, style} = MARKS[entry.state];
  const front: Line = [
    span(`${mark} `, style),
    ...(entry.agent === undefined ? [] : [span(`${shownRow(entry.agent)}: `, 'dim')]),
    span(shownRow(words.verb), 'bold'),
  ];
  const isBad = entry.state === 'error' || entry.state === 'invalid';
  const result = span(
    truncateToWidth(shownRow(toolResult(entry, words)), Math.max(12, Math.floor(width / 2)), 'start'),
    isBad ? 'error' : 'dim',
  );
  const time = span(timeText(entry, now), 'dim');
  const end: Line = [result, time].filter(({text}) => text !== '').flatMap((part) => [span('  '), part]);
  const room = width - lineWidth(front) - lineWidth(end) - 1;
  if (words.subject === '' || room < LEAST_SUBJECT) return cutLine([...front, ...end], width);
  return [...front, span(` ${truncateToWidth(shownRow(words.subject), room, KEPT[words.shape])}`), ...end];
}

const LEAST_SUBJECT = 6;
const KEPT = {path: 'end', command: 'both', text: 'start'} as const;

function timeText(entry: ToolEntry, now: number): string {
  const seconds = runMs(entry, now) / 1000;
  if (entry.state === 'running') return seconds < 1 ? '' : elapsed(Math.floor(seconds));
  if (seconds < 1) return '';
  return seconds < 10 ? `${seconds.toFixed(1)} s` : elapsed(Math.round(seconds));
}

const MARKS: Readonly<Record<ToolEntry['state'], {readonly mark: string; readonly style: StyleName}>> = {
  running: {mark: '◌', style: 'accent'},
  success: {mark: '●', style: 'success'},
  error: {mark: '✗', style: 'error'},
  invalid: {mark: '✗', style: 'error'},
  denied: {mark: '⊘', style: 'warning'},
  cancelled: {mark: '⊘', style: 'dim'},
  loop: {mark: '↻', style: 'warning'},
};

/** Input, decision, the change, and all stored output. */
function wholeLines(entry: ToolEntry, {width}: EntryView): readonly Line[] {
  const inner = width - INDENT.length;
  const decided: Line[] = entry.decision === undefined ? [] : [[span(`${shownRow(entry.decision)}${waitText(entry)}`, 'dim')]];
  const change = changeLines(entry, {width: inner, rows: Number.POSITIVE_INFINITY});
  const input = change.length > 0 ? change : plainLines(inputText(entry.arguments), {width: inner, style: ['dim']});
  return indented([...decided, ...input, ...plainLines(entry.output.trimEnd(), {width: inner})]);
}

/** Says how long a question waited, from a second on. */
function waitText({waitedMs = 0}: ToolEntry): string {
  return waitedMs < 1000 ? '' : ` · waited ${elapsed(Math.round(waitedMs / 1000))} for the answer`;
}

function inputText(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}

/** The end of a command's output; of other calls the beginning, which has the error. */
function failureLines(entry: ToolEntry, view: EntryView): readonly Line[] {
  if (toolWords(entry).shape === 'command') return tail(withoutExit(entry.output), {view, rows: FAILED_ROWS, style: 'dim'});
  const text = entry.output
    .trim()
    .replace(/^Error: /, '')
    .slice(0, FAILED_ROWS * view.width);
  return text === '' ? [] : gutter(plainLines(text, {width: view.width - GUTTER.text.length, style: ['dim']}).slice(0, FAILED_ROWS));
}

/** The row above says how the command ended. */
function withoutExit(output: string): string {
  return output.trimEnd().replace(/\n?\[?exit[ _]code:? [^\n]*$/i, '');
}

interface Tail {
  readonly view: EntryView;
  readonly rows: number;
  readonly style: StyleName;
}

/** The last rows of a text, under a gutter. */
function tail(output: string, {view, rows, style}: Tail): readonly Line[] {
  const text = output.trimEnd();
  if (text === '') return [];
  // Only the end is laid out: the text may be long.
  const end = text
    .slice(-rows * view.width)
    .split('\n')
    .slice(-rows)
    .join('\n');
  return gutter(plainLines(end, {width: view.width - GUTTER.text.length, style: [style]}).slice(-rows));
}

function gutter(lines: readonly Line[]): readonly Line[] {
  return lines.map((line) => [GUTTER, ...line]);
}

const GUTTER = span('  │ ', 'border');

function indented(lines: readonly Line[]): readonly Line[] {
  return lines.map((line) => [span(INDENT), ...line]);
}
