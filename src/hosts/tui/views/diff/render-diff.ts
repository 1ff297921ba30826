import {counted} from '../../../../base/counted.ts';
import {span, type Line, type Span} from '../../cells/line.ts';
import {shownRows} from '../../cells/shown-text.ts';
import {wrapLine} from '../../cells/wrap-line.ts';
import {languageOfFile} from '../code/code-languages.ts';
import {hunkRows} from './hunk-rows.ts';
import {hunksOf, type DiffHunk} from '../../../../text/diff/hunks.ts';

export interface ShownDiff {
  readonly path: string;
  /** The former path of a renamed file. */
  readonly from?: string | undefined;
  /** Undefined: the file does not exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface RenderDiffOptions {
  readonly width: number;
  readonly contextLines?: number | undefined;
  /** Replaces the language that the path implies. */
  readonly language?: string | undefined;
}

/** A changed file as rows at most `width` wide: its name, and its hunks; at most 500 rows, and how much was left out. */
export function renderDiff(diff: ShownDiff, {width, contextLines, language}: RenderDiffOptions): readonly Line[] {
  const {before = '', after = ''} = diff;
  const isBinary = before.includes('\0') || after.includes('\0');
  const hunks = isBinary ? [] : hunksOf(before, after, contextLines);
  const rows: Line[] = [...wrapLine(headOf(diff, hunks), width)];
  if (isBinary && before !== after) rows.push(...wrapLine([span('Binary file: its content is not shown.', 'dim')], width));
  const layout = {width, language: language ?? languageOfFile(diff.path), digits: digitsOf(hunks)};
  let left = hunks.reduce((sum, {lines}) => sum + lines.length, 0);
  for (const [index, hunk] of hunks.entries()) {
    if (index > 0) rows.push([span('⋮', 'dim')]);
    // A hunk is read no further than it can be shown.
    for (const line of hunkRows({...hunk, lines: hunk.lines.slice(0, MOST_ROWS)}, layout)) {
      if (rows.length + line.length > MOST_ROWS) return [...rows, ...wrapLine([span(`… ${counted(left, 'more line')}`, 'dim')], width)];
      rows.push(...line);
      left--;
    }
  }
  return rows;
}

/** The rows of one change of a file, with the numbers of their lines. */
export function renderHunk(hunk: DiffHunk, {path, width}: {readonly path: string; readonly width: number}): readonly Line[] {
  return hunkRows(hunk, {width, language: languageOfFile(path), digits: digitsOf([hunk])}).flat();
}

export interface ShownPiece {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Rows of a piece of a file whose place in the file is not known, without its name and without numbers. */
export function renderPiece({path, before, after}: ShownPiece, width: number): readonly Line[] {
  const language = languageOfFile(path);
  return hunksOf(closed(before), closed(after), PIECE_CONTEXT).flatMap((hunk, index) => {
    const rows = hunkRows({...hunk, lines: hunk.lines.slice(0, MOST_ROWS)}, {width, language}).flat();
    return index === 0 ? rows : [[span('⋮', 'dim')], ...rows];
  });
}

/** Lines that pieces add and remove. */
export function countLines(pieces: readonly ShownPiece[]): {readonly added: number; readonly removed: number} {
  const lines = pieces.flatMap(({before, after}) => hunksOf(closed(before), closed(after), 0)).flatMap(({lines: all}) => all);
  return {added: lines.filter(({type}) => type === 'added').length, removed: lines.filter(({type}) => type === 'removed').length};
}

/** A piece ends where the model cut it: a missing line break at its end says nothing about the file. */
function closed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Returns `src/a.ts +3 −1`, and the kind of change. */
export function headOf({path, from, before, after}: ShownDiff, hunks: readonly DiffHunk[]): Line {
  const count = (type: 'added' | 'removed') => hunks.reduce((sum, {lines}) => sum + lines.filter((line) => line.type === type).length, 0);
  const [added, removed] = [count('added'), count('removed')];
  const name = (text: string) => shownRows(text).join(' ');
  const parts: Span[] = from === undefined ? [] : [span(`${name(from)} → `, 'bold')];
  parts.push(span(name(path), 'bold'));
  const fate = before === undefined ? 'new file' : after === undefined ? 'deleted' : from === undefined ? undefined : 'renamed';
  if (fate !== undefined) parts.push(span(` (${fate})`, 'dim'));
  if (added > 0) parts.push(span(` +${added}`, 'added'));
  if (removed > 0) parts.push(span(` −${removed}`, 'removed'));
  return parts;
}

/** Returns the columns of the largest line number of a file. */
export function digitsOf(hunks: readonly DiffHunk[]): number {
  const last = hunks.at(-1);
  return last === undefined ? 1 : `${Math.max(last.oldStart, last.newStart) + last.lines.length}`.length;
}

const MOST_ROWS = 500;
const PIECE_CONTEXT = 1;
