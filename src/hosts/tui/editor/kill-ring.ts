import {lineAround} from './atoms.ts';
import {changed, moved} from './changed.ts';
import type {EditAction, InputState} from './editor-state.ts';
import {wordEndAfter, wordStartBefore} from './words.ts';

type CutPart = Extract<EditAction, {type: 'cut'}>['what'];

/** Takes a part out of the text into the ring; cuts that follow each other are one entry. */
export function cut(state: InputState, what: CutPart): InputState {
  const other = cutEnd(state, what);
  const [from, to] = [Math.min(state.cursor, other), Math.max(state.cursor, other)];
  if (from === to) return moved(state, state.cursor);
  const part = state.text.slice(from, to);
  const killed = state.last === 'cut' ? joined(state.killed, part, other < state.cursor) : [...state.killed, part];
  return changed(
    {...state, killed: killed.slice(-MOST_ENTRIES)},
    {text: state.text.slice(0, from) + state.text.slice(to), cursor: from, last: 'cut'},
  );
}

/** The ring with one more entry; an empty one is none. */
export function withKilled(state: InputState, part: string): InputState {
  return part === '' ? state : {...state, killed: [...state.killed, part].slice(-MOST_ENTRIES)};
}

/** Inserts the newest entry. */
export function yank(state: InputState): InputState {
  return inserted(state, state.killed.at(-1) ?? '');
}

/** Replaces the entry inserted just now by the next older one, and makes that the newest; cyclic. */
export function yankEarlier(state: InputState): InputState {
  const before = state.undo.at(-1);
  const newest = state.killed.at(-1);
  if (state.last !== 'yank' || before === undefined || newest === undefined) return moved(state, state.cursor);
  const killed = [newest, ...state.killed.slice(0, -1)];
  return inserted({...state, ...before, killed, undo: state.undo.slice(0, -1)}, killed.at(-1) ?? '');
}

/** Returns the end of the cut part at the cursor. At the edge of a line its line feed is the part. */
function cutEnd(state: InputState, what: CutPart): number {
  const {text, cursor} = state;
  const {start, end} = lineAround(text, cursor);
  if (what === 'wordLeft') return wordStartBefore(state, cursor);
  if (what === 'wordRight') return wordEndAfter(state, cursor);
  if (what === 'lineStart') return cursor > start ? start : Math.max(0, start - 1);
  return cursor < end ? end : Math.min(text.length, end + 1);
}

function joined(killed: readonly string[], part: string, isBefore: boolean): readonly string[] {
  const newest = killed.at(-1) ?? '';
  return [...killed.slice(0, -1), isBefore ? part + newest : newest + part];
}

function inserted(state: InputState, part: string): InputState {
  const {text, cursor} = state;
  return changed(state, {text: text.slice(0, cursor) + part + text.slice(cursor), cursor: cursor + part.length, last: 'yank'});
}

const MOST_ENTRIES = 60;
