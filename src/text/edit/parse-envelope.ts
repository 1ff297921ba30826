import {FettleError} from '../../base/errors.ts';
import {toEnding} from '../line-endings.ts';

export type EnvelopeSection =
  | {readonly kind: 'add'; readonly path: string; readonly lines: readonly string[]}
  | {readonly kind: 'delete'; readonly path: string}
  | {readonly kind: 'update'; readonly path: string; readonly moveTo: string | undefined; readonly hunks: readonly Hunk[]};

export interface Hunk {
  /** Lines before it, in order (`@@ class A`, `@@ def f`). */
  readonly contexts: readonly string[];
  readonly rows: readonly HunkRow[];
  /** `*** End of File`: its last old line is the last of the file. */
  readonly atEnd: boolean;
}

export interface HunkRow {
  /** Kept, taken out, put in. */
  readonly op: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * Reads the patch format of `*** Begin Patch` … `*** End Patch`. Lenient about blanks around markers, and about a here-document or a fence
 * around the whole.
 * @throws FettleError BAD_ARGS with the line.
 */
export function parseEnvelope(patch: string): EnvelopeSection[] {
  const cursor = openCursor(patch);
  const sections: EnvelopeSection[] = [];
  for (let line = cursor.next(); line !== undefined; line = cursor.next()) {
    if (line.trim() === '') continue;
    sections.push(readSection(line.trim(), cursor));
  }
  if (sections.length === 0) throw malformed('The patch names no file', undefined);
  return sections;
}

interface Cursor {
  /** 1-based number of the line that `next` gave last. */
  readonly line: number;
  peek(): string | undefined;
  next(): string | undefined;
}

function openCursor(patch: string): Cursor {
  const lines = toEnding(patch, '\n').split('\n');
  const begin = lines.findIndex((line) => line.trim() !== '' && !WRAPPER.test(line));
  if (lines[begin]?.trim() !== '*** Begin Patch') throw malformed('The first line must be "*** Begin Patch"', begin + 1);
  const end = lines.findLastIndex((line) => line.trim() === '*** End Patch');
  if (end < 0) throw malformed('There is no line "*** End Patch"', lines.length);
  const rest = lines.slice(end + 1).findIndex((line) => line.trim() !== '' && !CLOSING.test(line));
  if (rest >= 0) throw malformed('Something follows "*** End Patch"', end + rest + 2);
  let at = begin;
  return {
    get line() {
      return at + 1;
    },
    peek: () => (at + 1 < end ? lines[at + 1] : undefined),
    next: () => (at + 1 < end ? lines[++at] : undefined),
  };
}

const WRAPPER = /^\s*(?:```\w*|(?:apply_patch\s*)?<<-?\s*(['"]?)\w+\1)\s*$/;
const CLOSING = /^\s*(?:```|\w+)\s*$/;
const HEADER = /^\*\*\* (Add|Delete|Update) File: *(.*)$/;
const MOVE = /^\*\*\* Move to: *(.*)$/;
const END_OF_FILE = '*** End of File';

function readSection(header: string, cursor: Cursor): EnvelopeSection {
  const [, verb, path = ''] = HEADER.exec(header) ?? [];
  if (verb === undefined) {
    throw malformed(`"${header}" is not a header: *** Add File: PATH, *** Delete File: PATH or *** Update File: PATH`, cursor.line);
  }
  if (path === '') throw malformed('A path is missing', cursor.line);
  if (verb === 'Delete') return {kind: 'delete', path};
  if (verb === 'Add') return {kind: 'add', path, lines: addedLines(cursor)};
  return readUpdate(path, cursor);
}

function addedLines(cursor: Cursor): string[] {
  const lines: string[] = [];
  while (cursor.peek()?.startsWith('+') === true) lines.push((cursor.next() ?? '').slice(1));
  return lines;
}

function readUpdate(path: string, cursor: Cursor): EnvelopeSection {
  const headerLine = cursor.line;
  const moveTo = MOVE.exec(cursor.peek()?.trim() ?? '')?.[1];
  if (moveTo !== undefined) cursor.next();
  if (moveTo === '') throw malformed('A path is missing', cursor.line);
  const hunks: Hunk[] = [];
  for (let line = cursor.peek(); line !== undefined && !line.startsWith('***'); line = cursor.peek()) {
    if (line.trim() === '') cursor.next();
    else hunks.push(readHunk(cursor, hunks.length === 0));
  }
  if (hunks.length === 0 && moveTo === undefined) throw malformed(`The update of ${path} has no hunk`, headerLine);
  return {kind: 'update', path, moveTo, hunks};
}

function readHunk(cursor: Cursor, first: boolean): Hunk {
  const contexts: string[] = [];
  let headed = false;
  while (cursor.peek()?.startsWith('@@') === true) {
    const context = (cursor.next() ?? '').slice(2).replace(/^ /, '');
    headed = true;
    if (context.trim() !== '') contexts.push(context);
  }
  if (!headed && !first) throw malformed(`A hunk begins with "@@", not with "${cursor.peek() ?? ''}"`, cursor.line + 1);
  const rows: HunkRow[] = [];
  for (let row = hunkRow(cursor.peek()); row !== undefined; row = hunkRow(cursor.peek())) {
    rows.push(row);
    cursor.next();
  }
  const atEnd = cursor.peek()?.trim() === END_OF_FILE;
  if (atEnd) cursor.next();
  if (rows.length === 0) throw malformed('A hunk has no lines; each begins with a blank, "-" or "+"', cursor.line + 1);
  return {contexts, rows, atEnd};
}

function hunkRow(line: string | undefined): HunkRow | undefined {
  if (line === '') return {op: ' ', text: ''};
  const op = line?.[0];
  return op === ' ' || op === '-' || op === '+' ? {op, text: line?.slice(1) ?? ''} : undefined;
}

function malformed(what: string, line: number | undefined): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `${what}${line === undefined ? '' : ` (line ${line} of the patch)`}. Nothing was changed.`,
    hint: 'Form: *** Begin Patch, then *** Update File: PATH with @@ hunks of " ", "-" and "+" lines (or Add File, Delete File), *** End Patch.',
  });
}
