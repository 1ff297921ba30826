import {changed} from './changed.ts';
import type {InputState} from './editor-state.ts';

/** Enter after a backslash at the end of a line: both become a new line. Undefined if Enter has its usual meaning. */
export function continueLine(state: InputState): InputState | undefined {
  const {text, cursor} = state;
  const before = text.slice(0, cursor);
  const isAtEnd = cursor === text.length || text.charAt(cursor) === '\n';
  // Two backslashes are one that was meant.
  if (!isAtEnd || !/(?:^|[^\\])(?:\\\\)*\\$/.test(before)) return undefined;
  return changed(state, {text: `${before.slice(0, -1)}\n${text.slice(cursor)}`, cursor, last: 'other'});
}
