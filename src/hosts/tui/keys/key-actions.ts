import type {EditAction} from '../editor/editor-state.ts';

/** Everything that a key can do, with its default keys (as in readline where that has them) and its description in the help. */
export const KEY_ACTIONS = {
  left: {keys: ['left', 'ctrl+b'], does: 'one character to the left'},
  right: {keys: ['right', 'ctrl+f'], does: 'one character to the right'},
  wordLeft: {keys: ['alt+b', 'ctrl+left', 'alt+left'], does: 'one word to the left'},
  wordRight: {keys: ['alt+f', 'ctrl+right', 'alt+right'], does: 'one word to the right'},
  lineStart: {keys: ['home', 'ctrl+a'], does: 'to the beginning of the line'},
  lineEnd: {keys: ['end', 'ctrl+e'], does: 'to the end of the line'},
  textStart: {keys: ['ctrl+home', 'alt+<'], does: 'to the beginning of the text'},
  textEnd: {keys: ['ctrl+end', 'alt+>'], does: 'to the end of the text'},
  deleteLeft: {keys: ['backspace', 'shift+backspace', 'ctrl+h'], does: 'delete the character to the left'},
  deleteRight: {keys: ['delete'], does: 'delete the character to the right'},
  cutWordLeft: {keys: ['ctrl+w', 'alt+backspace', 'ctrl+backspace'], does: 'cut the word to the left'},
  cutWordRight: {keys: ['alt+d', 'alt+delete', 'ctrl+delete'], does: 'cut the word to the right'},
  cutLineStart: {keys: ['ctrl+u'], does: 'cut up to the beginning of the line'},
  cutLineEnd: {keys: ['ctrl+k'], does: 'cut up to the end of the line'},
  yank: {keys: ['ctrl+y'], does: 'insert what was cut'},
  yankEarlier: {keys: ['alt+y'], does: 'insert what was cut before that instead'},
  undo: {keys: ['ctrl+_', 'ctrl+-', 'ctrl+shift+_'], does: 'undo'},
  redo: {keys: ['alt+_'], does: 'redo'},
  submit: {keys: ['enter'], does: 'send; while a turn runs, queue'},
  steer: {keys: ['ctrl+s', 'ctrl+enter'], does: 'send into the running turn'},
  newline: {keys: ['shift+enter', 'alt+enter', 'ctrl+j'], does: 'new line; so does \\ and Enter at the end of a line'},
  up: {keys: ['up', 'ctrl+p'], does: 'one row up, or the earlier prompt; with a queue, choose an entry'},
  down: {keys: ['down', 'ctrl+n'], does: 'one row down, or the later prompt'},
  complete: {keys: ['tab'], does: 'complete'},
  nextMode: {keys: ['shift+tab'], does: 'next permission mode'},
  interrupt: {keys: ['ctrl+c'], does: 'cancel the turn; clear the line; twice: leave'},
  deleteOrLeave: {keys: ['ctrl+d'], does: 'delete the character to the right; in an empty editor: leave'},
  cancel: {keys: ['escape'], does: 'close what is open'},
  searchHistory: {keys: ['ctrl+r'], does: 'search earlier prompts'},
  expand: {keys: ['ctrl+o'], does: 'the whole conversation, with the output of every call'},
  agents: {keys: ['alt+a'], does: 'look into a subagent'},
  retry: {keys: ['alt+r'], does: 'ask the model again, when nothing comes from it'},
  todo: {keys: ['ctrl+t'], does: 'show or hide the task list'},
  externalEditor: {keys: ['ctrl+g'], does: 'write in $EDITOR'},
  pastePicture: {keys: ['ctrl+v', 'alt+v'], does: 'attach the picture in the clipboard'},
  suspend: {keys: ['ctrl+z'], does: 'back to the shell; `fg` returns'},
  redraw: {keys: ['ctrl+l'], does: 'draw the screen anew'},
  pageUp: {keys: ['pageup'], does: 'one page up'},
  pageDown: {keys: ['pagedown'], does: 'one page down'},
  help: {keys: ['?'], does: 'this list; in an empty editor'},
} as const satisfies Readonly<Record<string, {readonly keys: readonly string[]; readonly does: string}>>;

export type KeyAction = keyof typeof KEY_ACTIONS;

/** Returns the editor action of a key action; undefined for those of the session. `width`: columns of its text. */
export function editActionOf(action: KeyAction, width: number): EditAction | undefined {
  if (action === 'up' || action === 'down') return {type: 'vertical', by: action === 'up' ? -1 : 1, width};
  return EDITS[action];
}

const EDITS: Readonly<Partial<Record<KeyAction, EditAction>>> = {
  left: {type: 'move', to: 'left'},
  right: {type: 'move', to: 'right'},
  wordLeft: {type: 'move', to: 'wordLeft'},
  wordRight: {type: 'move', to: 'wordRight'},
  lineStart: {type: 'move', to: 'lineStart'},
  lineEnd: {type: 'move', to: 'lineEnd'},
  textStart: {type: 'move', to: 'textStart'},
  textEnd: {type: 'move', to: 'textEnd'},
  deleteLeft: {type: 'delete', what: 'left'},
  deleteRight: {type: 'delete', what: 'right'},
  deleteOrLeave: {type: 'delete', what: 'right'},
  cutWordLeft: {type: 'cut', what: 'wordLeft'},
  cutWordRight: {type: 'cut', what: 'wordRight'},
  cutLineStart: {type: 'cut', what: 'lineStart'},
  cutLineEnd: {type: 'cut', what: 'lineEnd'},
  yank: {type: 'yank'},
  yankEarlier: {type: 'yankEarlier'},
  undo: {type: 'undo'},
  redo: {type: 'redo'},
  newline: {type: 'insert', text: '\n'},
};
