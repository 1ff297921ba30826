import {hunksOf, type DiffLine, type DiffHunk} from '../../../../text/diff/hunks.ts';
import {span, type Line} from '../../cells/line.ts';
import {wrapLine} from '../../cells/wrap-line.ts';
import type {FileDiff} from '../../host-adapter.ts';
import {languageOfFile} from '../code/code-languages.ts';
import {unreadLanguages} from '../code/highlight-code.ts';
import {hunkRows, shownLine} from './hunk-rows.ts';
import {digitsOf, headOf} from './render-diff.ts';

/** A changed file in parts of some hundred lines, each of which is laid out by itself. */
export interface FileParts {
  /** The name of the file, its kind of change, and the numbers of added and removed lines. */
  readonly head: Line;
  readonly parts: readonly DiffPart[];
  readonly digits: number;
}

export interface DiffPart {
  readonly hunk: DiffHunk;
  /** True if a change begins with this part; otherwise it continues one. */
  readonly isStart: boolean;
}

/** Returns the parts of a file; found once for each file. */
export function filePartsOf(diff: FileDiff): FileParts {
  let parts = known.get(diff);
  if (parts === undefined) known.set(diff, (parts = foundParts(diff)));
  return parts;
}

const known = new WeakMap<FileDiff, FileParts>();

function foundParts(diff: FileDiff): FileParts {
  const {path, before, after, note} = diff;
  const hunks = note === undefined ? hunksOf(before ?? '', after ?? '') : [];
  const head = headOf({path, before, after}, hunks);
  return {head, parts: hunks.flatMap(partsOfHunk), digits: digitsOf(hunks)};
}

/** Parts end where a change within the hunk ends, if one does so in time: lines that replace each other are marked together. */
function partsOfHunk(hunk: DiffHunk): readonly DiffPart[] {
  const parts: DiffPart[] = [];
  let {oldStart, newStart} = hunk;
  for (let start = 0; start < hunk.lines.length;) {
    const lines = hunk.lines.slice(start, endOfPart(hunk.lines, start));
    parts.push({hunk: {oldStart, newStart, lines}, isStart: start === 0});
    oldStart += lines.filter(({type}) => type !== 'added').length;
    newStart += lines.filter(({type}) => type !== 'removed').length;
    start += lines.length;
  }
  return parts;
}

function endOfPart(lines: readonly DiffLine[], start: number): number {
  for (let at = start + PART_LINES; at < Math.min(lines.length, start + 2 * PART_LINES); at += 1) {
    const [before, type] = [lines[at - 1]?.type, lines[at]?.type];
    if (before === 'same' || type === 'same' || (before === 'added' && type === 'removed')) return at;
  }
  return Math.min(lines.length, start + 2 * PART_LINES);
}

/** Returns the rows of a part, with the numbers of their lines, at most `width` wide; laid out once for each width. */
export function partRows(
  {path}: FileDiff,
  part: DiffPart,
  {digits, width}: {readonly digits: number; readonly width: number},
): readonly Line[] {
  const language = languageOfFile(path);
  // Its colours come when the language has been read.
  const isPlain = unreadLanguages([language]).length > 0;
  const found = laidOut.get(part);
  if (found?.width === width && found.isPlain === isPlain) return found.rows;
  const rows = hunkRows(part.hunk, {width, language, digits}).flat();
  laidOut.set(part, {width, isPlain, rows});
  return rows;
}

const laidOut = new WeakMap<DiffPart, {readonly width: number; readonly isPlain: boolean; readonly rows: readonly Line[]}>();

/**
 * Returns whether a row of a part may show a text in lower case, without laying it out: the part of the text after numbers and a sign has to
 * be in the lines.
 */
export function mayShow({hunk}: DiffPart, text: string): boolean {
  const [, rest = ''] = /^[\d\s⋮]*[-+]?\s*(.*)$/su.exec(text) ?? [];
  return rest === '' || hunk.lines.some((line) => `${shownLine(line.text)}${ENDS}`.toLowerCase().includes(rest));
}

/** Shown after some lines. */
const ENDS = '\u240d\n\\ No newline at end of file';

/** Returns the rows above the changes of a file: its name, and the text in place of its content. */
export function headRows({head}: FileParts, {note}: FileDiff, width: number): readonly Line[] {
  return [...wrapLine(head, width), ...(note === undefined ? [] : wrapLine([span(note, 'dim')], width))];
}

const PART_LINES = 100;
