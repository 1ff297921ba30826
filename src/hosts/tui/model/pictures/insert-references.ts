import {edit} from '../../editor/edit.ts';
import type {Action} from '../action.ts';
import type {ScreenState} from '../screen-state.ts';
import {vimSettled} from '../../keys/vim-keys.ts';

/** Puts references to pictures in the place of the pasted paths; of a picture from the clipboard, or where the cursor is. Pasted text that was changed meanwhile stays. */
export function insertReferences(state: ScreenState, {pasted, references}: Extract<Action, {type: 'pictured'}>): ScreenState {
  const {text, cursor} = state.editor;
  const isShell = text.startsWith('!');
  const put = `${references.map((path) => (isShell ? path : referenceTo(path))).join(' ')} `;
  const from = pasted === undefined ? cursor : text.lastIndexOf(pasted);
  if (from < 0) return state;
  const to = from + (pasted?.length ?? 0);
  const next = text.slice(0, from) + put + text.slice(to);
  const moved = cursor >= to ? cursor + put.length - (to - from) : Math.min(cursor, from);
  const {suggestions: _stale, ...rest} = state;
  return vimSettled({...rest, editor: edit(state.editor, {type: 'set', text: next, cursor: moved})});
}

/** With quotes if the end of the path would be ambiguous, or if `@/` would search for text. */
function referenceTo(path: string): string {
  return path.startsWith('/') || /\s/.test(path) ? `@"${path}"` : `@${path}`;
}
