import {edit} from '../editor/edit.ts';
import type {InputState} from '../editor/editor-state.ts';
import {editActionOf} from './key-actions.ts';
import type {KeyInput} from './key.ts';
import {actionOf, type Keymap} from './keymap.ts';

export interface KeyContext {
  readonly keymap: Keymap;
  /** Columns of the text. */
  readonly width: number;
}

/** The text after a key; keys that do not write leave it as it is. */
export function editKey(editor: InputState, key: KeyInput, {keymap, width}: KeyContext): InputState {
  if (key.type === 'paste') return edit(editor, {type: 'paste', text: key.text});
  const action = actionOf(keymap, key, {isEmpty: false});
  const change = action === undefined ? undefined : editActionOf(action, width);
  if (change !== undefined) return edit(editor, change);
  return action !== undefined || key.text === undefined ? editor : edit(editor, {type: 'insert', text: key.text});
}
