import type {ChangeObject} from 'diff';
import {diffArrays} from 'diff/lib/diff/array.js';

/** A part of a line, by offsets. */
export interface WordMark {
  readonly from: number;
  readonly to: number;
}

export interface LineMarks {
  readonly removed: readonly WordMark[];
  readonly added: readonly WordMark[];
}

/** The words in which a line and the one that replaces it differ; none if the lines are too unlike for that to help. */
export function wordMarks(before: string, after: string): LineMarks {
  if (before.length > MOST_LINE || after.length > MOST_LINE || before === after) return NONE;
  const changes = diffArrays(before.match(WORDS) ?? [], after.match(WORDS) ?? [], {maxEditLength: MOST_EDITS});
  if (changes === undefined) return NONE;
  const {kept, ...marks} = markedChanges(changes);
  const longer = Math.max(before.replaceAll(' ', '').length, after.replaceAll(' ', '').length);
  return kept * 2 >= longer ? marks : NONE;
}

/** The places of added and removed words, and the number of unchanged characters other than blanks. */
function markedChanges(changes: readonly ChangeObject<string[]>[]): LineMarks & {readonly kept: number} {
  const removed: WordMark[] = [];
  const added: WordMark[] = [];
  let [oldAt, newAt, kept] = [0, 0, 0];
  for (const change of changes) {
    const text = change.value.join('');
    if (change.removed) removed.push({from: oldAt, to: oldAt + text.length});
    else if (change.added) added.push({from: newAt, to: newAt + text.length});
    else kept += text.replaceAll(' ', '').length;
    if (!change.added) oldAt += text.length;
    if (!change.removed) newAt += text.length;
  }
  return {removed, added, kept};
}

const NONE: LineMarks = {removed: [], added: []};
const WORDS = /[\p{L}\p{N}\p{M}_]+|\s+|./gsu;
const MOST_LINE = 1000;
const MOST_EDITS = 60;
