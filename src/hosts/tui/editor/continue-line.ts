import {changed} from './changed.ts';
import type {InputState} from './editor-state.ts';

/** Enter behind a backslash that ends a line: the two become a new line. Undefined where Enter is what it is anywhere else. */
export function continueLine(state: InputState): InputState | undefined {
  const {text, cursor} = state;
  const before = text.slice(0, cursor);
  const isAtEnd = cursor === text.length || text.charAt(cursor) === '\n';
  // Two backslashes are one that was meant.
  if (!isAtEnd || !/(?:^|[^\\])(?:\\\\)*\\$/.test(before)) return undefined;
  return changed(state, {text: `${before.slice(0, -1)}\n${text.slice(cursor)}`, cursor, last: 'other'});
}
