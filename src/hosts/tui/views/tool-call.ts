import {span, type Line, type StyleName} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine, lineWidth} from '../cells/wrap-line.ts';
import type {ToolEntry} from '../model/entry.ts';
import {toolWords} from '../model/tool-words.ts';
import {changeLines} from './change-lines.ts';
import type {EntryView} from './entry-lines.ts';
import {plainLines} from './plain-lines.ts';

/** Rows of running output, and of the output of what failed. */
const LIVE_ROWS = 6;
const FAILED_ROWS = 4;
const CHANGE_ROWS = 14;

/** One row for a call: verb, subject, what came of it, time. Below it a change, the output while it runs, or the end of a failure. */
export function toolCallLines(entry: ToolEntry, view: EntryView): readonly Line[] {
  const row = headRow(entry, view);
  if (view.isWhole) return [row, ...wholeLines(entry, view)];
  if (entry.state === 'running') return [row, ...tail(entry.output, {view, rows: LIVE_ROWS, style: 'dim'})];
  if (entry.state === 'error' || entry.state === 'invalid') {
    return [row, ...tail(entry.output, {view, rows: FAILED_ROWS, style: 'dim'})];
  }
  if (entry.state !== 'success') return [row];
  return [row, ...indented(changeLines(entry, {width: view.width - INDENT.length, rows: CHANGE_ROWS}))];
}

const INDENT = '  ';

function headRow(entry: ToolEntry, {width, now}: EntryView): Line {
  const {verb, subject} = toolWords(entry);
  const {mark, style} = MARKS[entry.state];
  const seconds = (entry.durationMs ?? now - entry.startedAt) / 1000;
  const time = entry.state === 'running' ? `${Math.floor(seconds)} s` : seconds >= 0.1 ? `${seconds.toFixed(1)} s` : '';
  const result = entry.state === 'running' ? undefined : resultText(entry, subject);
  const agent = entry.agent === undefined ? [] : [span(`${shownRow(entry.agent)}: `, 'dim')];
  const front: Line = [span(`${mark} `, style), ...agent, span(shownRow(verb), 'bold'), span(` ${subject}`)];
  const end: Line = [result ?? '', time].filter((part) => part !== '').map((part) => span(`  ${shownRow(part)}`, 'dim'));
  const room = width - lineWidth(end);
  return room >= 12 ? [...cutLine(front, room), ...end] : cutLine([...front, ...end], width);
}

function resultText(entry: ToolEntry, subject: string): string | undefined {
  if (entry.state === 'denied') return entry.decision?.replace(/^deny by /, 'denied by ') ?? 'denied';
  if (entry.state === 'cancelled') return 'cancelled';
  const summary = entry.summary?.trim();
  return summary === undefined || summary === subject || summary === '' ? undefined : summary;
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

/** Input, who decided, the change, and all of the output that is kept. */
function wholeLines(entry: ToolEntry, {width}: EntryView): readonly Line[] {
  const inner = width - INDENT.length;
  const decided: Line[] = entry.decision === undefined ? [] : [[span(shownRow(entry.decision), 'dim')]];
  const change = changeLines(entry, {width: inner, rows: Number.POSITIVE_INFINITY});
  const input = change.length > 0 ? change : plainLines(inputText(entry.arguments), {width: inner, style: ['dim']});
  return indented([...decided, ...input, ...plainLines(entry.output.trimEnd(), {width: inner})]);
}

function inputText(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
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
  const lines = plainLines(end, {width: view.width - 4, style: [style]}).slice(-rows);
  return lines.map((line) => [span('  │ ', 'border'), ...line]);
}

function indented(lines: readonly Line[]): readonly Line[] {
  return lines.map((line) => [span(INDENT), ...line]);
}
