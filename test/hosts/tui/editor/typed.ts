import {edit} from '../../../../src/hosts/tui/editor/edit.ts';
import {EMPTY_EDITOR, type EditAction, type InputState} from '../../../../src/hosts/tui/editor/editor-state.ts';

/** An editor whose cursor stands at the `|` of a text. */
export function editorAt(marked: string): InputState {
  const cursor = marked.indexOf('|');
  return {...EMPTY_EDITOR, text: marked.replace('|', ''), cursor};
}

/** The text with a `|` at the cursor. */
export function shown({text, cursor}: InputState): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

export function after(state: InputState, ...actions: readonly EditAction[]): InputState {
  return actions.reduce(edit, state);
}

export const insert = (text: string): EditAction => ({type: 'insert', text});
export const paste = (text: string): EditAction => ({type: 'paste', text});
export const move = (to: Extract<EditAction, {type: 'move'}>['to']): EditAction => ({type: 'move', to});
export const cut = (what: Extract<EditAction, {type: 'cut'}>['what']): EditAction => ({type: 'cut', what});
export const remove = (what: 'left' | 'right'): EditAction => ({type: 'delete', what});
export const vertical = (by: -1 | 1, width: number): EditAction => ({type: 'vertical', by, width});
export const [yank, yankEarlier, undo, redo] = (['yank', 'yankEarlier', 'undo', 'redo'] as const).map((type): EditAction => ({type})) as [
  EditAction,
  EditAction,
  EditAction,
  EditAction,
];
