import {diffArrays} from 'diff/lib/diff/array.js';

/** Lines of the old text that give way to lines of the new one; ends are exclusive, either may be empty. */
export interface ChangedRun {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * Finds the runs in which two texts differ, in order: the fewest lines where they differ in some hundreds, else as lines that occur once in
 * each text hold them together. The work is bounded by counting, not by time: the same texts always give the same runs.
 */
export function changedRuns(before: readonly string[], after: readonly string[]): readonly ChangedRun[] {
  const whole = narrowed(before, after, {oldStart: 0, oldEnd: before.length, newStart: 0, newEnd: after.length});
  if (isEmpty(whole)) return [];
  const changes = diffArrays(before.slice(whole.oldStart, whole.oldEnd), after.slice(whole.newStart, whole.newEnd), {
    maxEditLength: MOST_EDITS,
  });
  return changes === undefined ? coarseRuns(before, after, whole) : exactRuns(changes, whole);
}

interface Change {
  readonly added: boolean;
  readonly removed: boolean;
  readonly value: readonly string[];
}

function exactRuns(changes: readonly Change[], {oldStart, newStart}: ChangedRun): readonly ChangedRun[] {
  const runs: ChangedRun[] = [];
  let [oldAt, newAt] = [oldStart, newStart];
  for (const {added, removed, value} of changes) {
    const run = {
      oldStart: oldAt,
      oldEnd: oldAt + (added ? 0 : value.length),
      newStart: newAt,
      newEnd: newAt + (removed ? 0 : value.length),
    };
    const last = runs.at(-1);
    if ((added || removed) && last?.oldEnd === oldAt && last.newEnd === newAt) {
      runs[runs.length - 1] = {...last, oldEnd: run.oldEnd, newEnd: run.newEnd};
    } else if (added || removed) runs.push(run);
    [oldAt, newAt] = [run.oldEnd, run.newEnd];
  }
  return runs;
}

function coarseRuns(before: readonly string[], after: readonly string[], whole: ChangedRun): readonly ChangedRun[] {
  const runs: ChangedRun[] = [];
  let [oldAt, newAt] = [whole.oldStart, whole.newStart];
  for (const anchor of [...commonAnchors(before, after, whole), {old: whole.oldEnd, new: whole.newEnd}]) {
    // Text between two anchors often has equal lines around it.
    const run = narrowed(before, after, {oldStart: oldAt, oldEnd: anchor.old, newStart: newAt, newEnd: anchor.new});
    if (!isEmpty(run)) runs.push(run);
    [oldAt, newAt] = [anchor.old + 1, anchor.new + 1];
  }
  return runs;
}

interface Anchor {
  readonly old: number;
  readonly new: number;
}

/** The longest sequence of lines that occur once in each text, in the same order in both (patience). */
function commonAnchors(before: readonly string[], after: readonly string[], whole: ChangedRun): readonly Anchor[] {
  const once = placesOfUnique(after, whole.newStart, whole.newEnd);
  const pairs: Anchor[] = [];
  for (const [line, old] of placesOfUnique(before, whole.oldStart, whole.oldEnd)) {
    const found = once.get(line);
    if (found !== undefined) pairs.push({old, new: found});
  }
  return longestAscending(pairs);
}

function placesOfUnique(lines: readonly string[], start: number, end: number): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [index, line] of lines.slice(start, end).entries()) {
    if (places.has(line)) repeated.add(line);
    else places.set(line, start + index);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

interface Link extends Anchor {
  readonly before: Link | undefined;
}

/** Pairs come in the order of the old text. */
function longestAscending(pairs: readonly Anchor[]): readonly Anchor[] {
  const tails: Link[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle]?.new ?? 0) < pair.new) low = middle + 1;
      else high = middle;
    }
    tails[low] = {...pair, before: tails[low - 1]};
  }
  const row: Anchor[] = [];
  for (let link = tails.at(-1); link !== undefined; link = link.before) row.push(link);
  return row.toReversed();
}

/** The run without equal lines at its beginning and end. */
function narrowed(before: readonly string[], after: readonly string[], run: ChangedRun): ChangedRun {
  let {oldStart, oldEnd, newStart, newEnd} = run;
  while (oldStart < oldEnd && newStart < newEnd && before[oldStart] === after[newStart]) {
    oldStart++;
    newStart++;
  }
  while (oldEnd > oldStart && newEnd > newStart && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  return {oldStart, oldEnd, newStart, newEnd};
}

function isEmpty({oldStart, oldEnd, newStart, newEnd}: ChangedRun): boolean {
  return oldStart === oldEnd && newStart === newEnd;
}

/** Work grows with the square of it. */
const MOST_EDITS = 250;
