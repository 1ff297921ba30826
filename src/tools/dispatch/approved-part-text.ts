import {counted} from '../../base/counted.ts';
import type {DiffLine, DiffHunk} from '../../text/diff/hunks.ts';
import type {PartialChange, PartialFile} from './call-preview.ts';

/**
 * Describes a partly approved change for the model, above all the part that was not written. The text of the
 * files is left out: the model may change files that it may not read.
 */
export function partText(part: PartialChange, feedback?: string): {readonly text: string; readonly summary: string} {
  const applied = `applied ${part.map(shareOf).join(', ')}`;
  const said = feedback === undefined ? [] : [`They said: ${feedback}`];
  const text = [`The user ${applied}. Left out:`, ...part.flatMap(leftOut), ...said, HINT].join('\n');
  return {text, summary: `${applied}, as chosen`};
}

const HINT = 'Do not send it again; go on with the files as they are.';

function shareOf({path, hunks, chosen}: PartialFile): string {
  if (chosen.size === hunks.length) return `all changes to ${path}`;
  return chosen.size === 0 ? `no change to ${path}` : `${chosen.size} of ${counted(hunks.length, 'change')} to ${path}`;
}

function leftOut({path, before, hunks, chosen}: PartialFile): readonly string[] {
  if (before === undefined) return chosen.size === 0 && hunks.length > 0 ? [`${path}: not created`] : [];
  const rows: string[] = [];
  let moved = 0;
  for (const [index, hunk] of hunks.entries()) {
    if (chosen.has(index)) moved += count(hunk.lines, 'added') - count(hunk.lines, 'removed');
    else rows.push(...hunkRows(hunk, {path, moved}));
  }
  return rows;
}

/** Line numbers refer to the current file. */
function hunkRows({oldStart, lines}: DiffHunk, {path, moved}: {path: string; moved: number}): readonly string[] {
  const rows: string[] = [];
  let line = oldStart + moved + 1;
  for (let start = 0; start < lines.length; start++) {
    const length = lines.slice(start).findIndex(({type}) => type === 'same');
    const run = lines.slice(start, length < 0 ? undefined : start + length);
    if (run.length > 0) rows.push(...runRows(run, {path, line}));
    // The unchanged line after the run is skipped, too.
    line += count(run, 'removed') + 1;
    start += run.length;
  }
  return rows;
}

function runRows(run: readonly DiffLine[], {path, line}: {path: string; line: number}): readonly string[] {
  const removed = count(run, 'removed');
  const place = removed > 1 ? `lines ${line}-${line + removed - 1}` : `line ${line}`;
  const added = run.filter(({type}) => type === 'added').map(({text}) => `+${shownLine(text)}`);
  if (added.length === 0) return [`${path}, ${place}: not removed`];
  const more = added.length - MOST_LINES;
  const rows = more > 1 ? [...added.slice(0, MOST_LINES), `… ${counted(more, 'more line')}`] : added;
  return [removed === 0 ? `${path}, before ${place}: not added` : `${path}, ${place}: not replaced by`, ...rows];
}

function count(lines: readonly DiffLine[], type: 'added' | 'removed'): number {
  return lines.filter((line) => line.type === type).length;
}

/** A line is shown in full or not at all: the beginning of a secret must not appear without its end. */
function shownLine(text: string): string {
  const line = text.replace(/[\r\n]+$/, '');
  return line.length <= MOST_LINE ? line : `(a line of ${line.length} characters)`;
}

/** Most lines shown of one hunk: the model wrote it, and only needs to recognize it. */
const MOST_LINES = 12;
const MOST_LINE = 500;
