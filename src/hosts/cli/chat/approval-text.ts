import {escapeInvisible} from '../../../base/escape-invisible.ts';
import type {Subject} from '../../../policy/decision.ts';
import type {ApprovalRequest} from '../../../tools/dispatch/dispatch.ts';

export interface ApprovalText {
  /** The question. Long texts are shortened to their first lines and the number of further ones; commands never are. */
  readonly lines: readonly string[];
  /** Every text whole, with numbers of lines; undefined if nothing was cut. */
  readonly whole: readonly string[] | undefined;
}

/**
 * Shows the whole call to the person who decides on it: commands with their folder, paths with their real targets, every argument
 * (CVE-2026-25805). Invisible characters are escaped and counted; what the model says about its own call is marked as such.
 */
export function approvalText(request: ApprovalRequest): ApprovalText {
  const counter: Counter = {hidden: 0, cut: false};
  const lines = [...request.subjects.flatMap((subject) => subjectLines(subject, counter)), ...argumentLines(request, counter, MOST_LINES)];
  const {hidden, cut} = counter;
  const warning = hidden === 0 ? [] : [`  ! ${hidden} invisible or control character${hidden === 1 ? ' is' : 's are'} escaped (\\u…).`];
  return {lines: [...lines, ...warning], whole: cut ? argumentLines(request, counter, Infinity) : undefined};
}

const MOST_LINES = 40;
const MOST_CHARS = 8000;

interface Counter {
  hidden: number;
  cut: boolean;
}

function shown(text: string, counter: Counter): string {
  const {text: escaped, hidden} = escapeInvisible(text);
  counter.hidden += hidden;
  return escaped;
}

function subjectLines(subject: Subject, counter: Counter): string[] {
  if (subject.kind === 'name') return [`  ${oneLine(subject.name, counter)}`];
  if (subject.kind === 'command') {
    const {cwd, workspace} = subject;
    const folder = workspace === undefined || workspace === cwd ? [] : [`  in ${oneLine(cwd, counter)}`];
    return [...numbered(shown(subject.command, counter)), ...folder];
  }
  const {requested, path, relative, inside, write} = subject;
  const real = inside && relative !== '' ? relative : path;
  const asked =
    requested === undefined || [real, path, `./${real}`].includes(requested) ? '' : ` (asked for as ${oneLine(requested, counter)})`;
  return [`  ${write ? 'write' : 'read'} ${oneLine(real, counter)}${asked}`];
}

/** A name must not look like several lines. */
function oneLine(text: string, counter: Counter): string {
  return shown(text, counter)
    .replaceAll('\n', String.raw`\u000a`)
    .replaceAll('\t', String.raw`\u0009`);
}

/** A command of several lines has line numbers. */
function numbered(text: string): string[] {
  const lines = text.split('\n');
  const width = String(lines.length).length;
  return lines.length === 1 ? [`  ${text}`] : lines.map((line, index) => `  ${String(index + 1).padStart(width)} | ${line}`);
}

/** Fields that the subjects show already; they are not repeated. */
const SHOWN_FIELDS = new Set(['command', 'path', 'file_path', 'filepath']);
const OPINIONS = new Set(['description', 'explanation', 'reason', 'justification', 'purpose', 'intent']);

function argumentLines({input, subjects}: ApprovalRequest, counter: Counter, most: number): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const shownFields = subjects.some(({kind}) => kind !== 'name') ? SHOWN_FIELDS : new Set<string>();
  return Object.entries(input).flatMap(([name, value]) => {
    if (value === undefined || shownFields.has(name)) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    const label = OPINIONS.has(name) ? `the model says (${oneLine(name, counter)})` : oneLine(name, counter);
    return textLines(label, text, {counter, most});
  });
}

function textLines(label: string, text: string, {counter, most}: {counter: Counter; most: number}): string[] {
  const escaped = shown(text, counter).replace(/\n$/, '');
  if (!escaped.includes('\n') && escaped.length <= 100) return [`  ${label}: ${escaped}`];
  const lines = numbered(escaped);
  const first = most === Infinity ? lines : withinChars(lines.slice(0, most));
  const more = lines.length - first.length;
  const cutLine = first.some((line, index) => line !== lines[index]);
  if (more > 0 || cutLine) counter.cut = true;
  return [
    `  ${label}:`,
    ...first,
    ...(more > 0 ? [`  … ${more} more lines: [v]iew shows all`] : cutLine ? ['  … the line goes on: [v]iew shows all'] : []),
  ];
}

function withinChars(lines: readonly string[]): string[] {
  let left = MOST_CHARS;
  return lines.flatMap((line) => {
    const part = line.slice(0, Math.max(0, left));
    left -= line.length;
    return part === '' && line !== '' ? [] : [part];
  });
}
