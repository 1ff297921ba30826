import {changedRuns, type ChangedRun} from './changed-runs.ts';

/** Groups nearby changes, with the lines around them. */
export interface DiffHunk {
  /** Index of its first line in each text. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly type: 'same' | 'removed' | 'added';
  /** With its line break; only the last line of a text may have none. */
  readonly text: string;
}

/** The changes between two texts, hunk by hunk; LF, CR LF and CR end a line, and a changed line break is a change. */
export function hunksOf(before: string, after: string, contextLines = 3): readonly DiffHunk[] {
  return hunksOfLines(linesOf(before), linesOf(after), contextLines);
}

/** The same for texts that have been taken apart, in whatever way: lines are compared, and put together again, as they are. */
export function hunksOfLines(old: readonly string[], now: readonly string[], contextLines = 3): readonly DiffHunk[] {
  const groups: ChangedRun[][] = [];
  for (const run of changedRuns(old, now)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && run.oldStart - last.oldEnd <= 2 * contextLines) group.push(run);
    else groups.push([run]);
  }
  return groups.map((runs) => hunkOf(runs, {old, now, contextLines}));
}

/** The old text with only the chosen hunks, by index: all of them give the new text, none of them the old one. */
export function applyDiffHunks(before: string, hunks: readonly DiffHunk[], chosen: ReadonlySet<number>): string {
  const old = linesOf(before);
  const parts: string[] = [];
  let at = 0;
  for (const [index, {oldStart, lines}] of hunks.entries()) {
    const left = chosen.has(index) ? 'removed' : 'added';
    for (const line of old.slice(at, oldStart)) parts.push(line);
    for (const {type, text} of lines) if (type !== left) parts.push(text);
    at = oldStart + lines.filter(({type}) => type !== 'added').length;
  }
  for (const line of old.slice(at)) parts.push(line);
  return parts.join('');
}

interface Sides {
  readonly old: readonly string[];
  readonly now: readonly string[];
  readonly contextLines: number;
}

function hunkOf(runs: readonly ChangedRun[], {old, now, contextLines}: Sides): DiffHunk {
  const [first, last] = [runs[0], runs.at(-1)];
  const start = Math.max(0, (first?.oldStart ?? 0) - contextLines);
  const lines: DiffLine[] = [];
  const add = (type: DiffLine['type'], texts: readonly string[]) => {
    for (const text of texts) lines.push({type, text});
  };
  let at = start;
  for (const run of runs) {
    add('same', old.slice(at, run.oldStart));
    add('removed', old.slice(run.oldStart, run.oldEnd));
    add('added', now.slice(run.newStart, run.newEnd));
    at = run.oldEnd;
  }
  add('same', old.slice(at, (last?.oldEnd ?? 0) + contextLines));
  return {oldStart: start, newStart: start + (first?.newStart ?? 0) - (first?.oldStart ?? 0), lines};
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+/g) ?? [];
}
