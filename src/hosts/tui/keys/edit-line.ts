import {edit} from '../editor/edit.ts';
import type {EditAction} from '../editor/editor-state.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {vimSettled} from './vim-keys.ts';

/** Edits the line, and leaves it as the keys of vim want it. */
export function editLine(state: ScreenState, action: EditAction): ScreenState {
  return vimSettled({...state, editor: edit(state.editor, action)});
}
