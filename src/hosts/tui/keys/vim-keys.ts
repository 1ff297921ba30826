import {onCharacter, vimKey} from '../editor/vim.ts';
import type {KeyInput} from './key.ts';
import type {KeyAction} from './key-actions.ts';
import type {ScreenState} from '../model/screen-state.ts';

export interface VimStep {
  readonly state: ScreenState;
  /** The history is asked for: `k` on the first row, or `j` on the last. */
  readonly edge: -1 | 1 | undefined;
}

/** Handles a key in vim mode; undefined: the key map has it. A printable key that is bound for an empty line is the key map's. */
export function vimStep(
  state: ScreenState,
  key: KeyInput,
  {command, width}: {readonly command: KeyAction | undefined; readonly width: number},
): VimStep | undefined {
  if (state.vim === undefined || key.type === 'paste' || isBound(state.vim, key, command)) return undefined;
  const {vim, editor} = withCursorOnCharacter(state);
  const after = vim === undefined ? undefined : vimKey({vim, editor}, key, width);
  if (after === undefined) return undefined;
  const {suggestions: _suggestions, ...rest} = state;
  return {state: {...rest, vim: after.vim, editor: after.editor}, edge: after.edge};
}

/** Called after a change that was not vim's own: in normal mode no command is pending, and the cursor is on a character. */
export function vimSettled(state: ScreenState): ScreenState {
  return state.vim?.mode === 'normal' ? {...withCursorOnCharacter(state), vim: {...state.vim, pending: ''}} : state;
}

function isBound(
  {mode, pending}: NonNullable<ScreenState['vim']>,
  key: Extract<KeyInput, {type: 'key'}>,
  command: KeyAction | undefined,
): boolean {
  return mode === 'normal' && pending === '' && key.text !== undefined && command !== undefined;
}

function withCursorOnCharacter(state: ScreenState): ScreenState {
  return state.vim?.mode === 'normal' ? {...state, editor: onCharacter(state.editor)} : state;
}
