import {lineAround, nextStop, previousStop} from './atoms.ts';
import {changed, moved} from './changed.ts';
import type {InputState} from './editor-state.ts';
import type {VimCommand} from './vim-command.ts';
import {textStart} from './vim-motions.ts';
import {placesIn} from './vim-words.ts';

/** Returns the position at which `i`, `a`, `I` or `A` begins to insert. */
export function insertPlace(editor: InputState, what: string): number {
  const {end} = lineAround(editor.text, editor.cursor);
  if (what === 'A') return end;
  if (what === 'I') return textStart(editor);
  return what === 'a' ? Math.min(end, nextStop(editor, editor.cursor)) : editor.cursor;
}

export function put(editor: InputState, at: number, part: string): InputState {
  const {text} = editor;
  return changed(editor, {text: text.slice(0, at) + part + text.slice(at), cursor: at + part.length, last: 'other'});
}

/** Puts a part as often as is counted, as long as that does not grow without bounds. */
export function putTimes(editor: InputState, at: number, {part, count}: {readonly part: string; readonly count: number}): InputState {
  return put(editor, at, part.repeat(Math.min(count, Math.max(1, Math.floor(MOST_PUT / part.length)))));
}

/** A text of this size can still be laid out at each key. Characters. */
const MOST_PUT = 10_000;

/** `p`, `P`: whole lines go below or above the line, anything else after or before the cursor, which then is on its last character. */
export function putKilled(editor: InputState, {what, count}: VimCommand): InputState {
  const part = editor.killed.at(-1) ?? '';
  const isBehind = what === 'p';
  const {start, end} = lineAround(editor.text, editor.cursor);
  if (part === '') return editor;
  if (part.endsWith('\n')) {
    const state = isBehind ? putTimes(editor, end, {part: `\n${part.slice(0, -1)}`, count}) : putTimes(editor, start, {part, count});
    return moved(state, isBehind ? end + 1 : start);
  }
  const state = putTimes(editor, isBehind ? Math.min(end, nextStop(editor, editor.cursor)) : editor.cursor, {part, count});
  return moved(state, previousStop(state, state.cursor));
}

/** `r`: as many characters as are counted, or none. */
export function overwritten(editor: InputState, {count, char = ''}: VimCommand): InputState {
  const {text, cursor} = editor;
  const {end} = lineAround(text, cursor);
  const places = placesIn(editor);
  let to = cursor;
  for (let left = count; left > 0; left--) {
    if (to >= end) return editor;
    to = places.next(to);
  }
  const part = char.repeat(count);
  const state = changed(editor, {text: text.slice(0, cursor) + part + text.slice(to), cursor: cursor + part.length, last: 'other'});
  return moved(state, previousStop(state, state.cursor));
}

export function without(editor: InputState, from: number, end: number): InputState {
  return changed(editor, {text: editor.text.slice(0, from) + editor.text.slice(end), cursor: from, last: 'other'});
}

/** Takes lines out with one of their line feeds. The cursor goes to the line that takes their place. */
export function withoutLines(editor: InputState, from: number, end: number): InputState {
  const isLast = end === editor.text.length;
  const state = isLast ? without(editor, Math.max(0, from - 1), end) : without(editor, from, end + 1);
  return moved(state, lineAround(state.text, state.cursor).start);
}
