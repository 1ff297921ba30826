import type {KeyInput} from '../model/key.ts';
import {lineAround, nextStop, previousStop} from './atoms.ts';
import {changed, moved, steppedBack} from './changed.ts';
import type {EditorState} from './editor-state.ts';
import {withKilled} from './kill-ring.ts';
import {moveVertically} from './move-vertically.ts';
import {parseVimCommand, type VimCommand} from './vim-command.ts';
import {vimReach, type VimFind} from './vim-motions.ts';

/** What vim's keys need besides the editor. */
export interface VimState {
  readonly mode: 'insert' | 'normal';
  /** Keys of a command that is not whole. */
  readonly pending: string;
  readonly find: VimFind | undefined;
  /** The last change, for `.`; `inserted` is what was typed behind it. */
  readonly change: {readonly command: VimCommand; readonly inserted: string} | undefined;
  /** The text at the beginning of the insert mode. */
  readonly before: Pick<EditorState, 'text' | 'cursor'> | undefined;
}

export const NEW_VIM: VimState = {mode: 'insert', pending: '', find: undefined, change: undefined, before: undefined};

export interface VimEditor {
  readonly vim: VimState;
  readonly editor: EditorState;
}

/**
 * The state after a key; undefined for a key that is not vim's: the key map has it then. In insert mode only Esc is, and in normal mode all
 * printable ones. `width`: columns of the text.
 */
export function vimKey(both: VimEditor, input: KeyInput, width: number): VimEditor | undefined {
  if (input.type === 'paste') return undefined;
  const {vim, editor} = both;
  const isEscape = input.name === 'escape' || input.name === 'esc';
  if (vim.mode === 'insert') return isEscape ? leaveInsert(both) : undefined;
  if (isEscape) return vim.pending === '' ? undefined : {editor, vim: {...vim, pending: ''}};
  if (input.name === 'ctrl+r') return settled({vim, editor: steppedBack(editor, 'redo')});
  const key = input.name === 'backspace' ? 'h' : input.text;
  if (key === undefined || /^(?:ctrl|alt)\+/.test(input.name)) return undefined;
  const command = parseVimCommand(vim.pending + key);
  if (command === 'incomplete') return {editor, vim: {...vim, pending: vim.pending + key}};
  return command === undefined ? settled(both) : settled(run(both, command, width));
}

function leaveInsert({vim, editor}: VimEditor): VimEditor {
  const {text, cursor} = editor;
  const {start} = lineAround(text, cursor);
  const inserted = vim.before === undefined ? '' : insertedSince(vim.before, editor);
  const change = vim.change === undefined || vim.before === undefined ? vim.change : {...vim.change, inserted};
  return settled({
    vim: {...vim, mode: 'normal', change, before: undefined},
    editor: moved(editor, cursor > start ? previousStop(editor, cursor) : cursor),
  });
}

/** What was typed in one piece; empty where something else was done in between. */
function insertedSince(before: Pick<EditorState, 'text' | 'cursor'>, {text, cursor}: EditorState): string {
  const [head, tail] = [before.text.slice(0, before.cursor), before.text.slice(before.cursor)];
  const isOnePiece = cursor >= head.length && text === head + text.slice(head.length, cursor) + tail;
  return isOnePiece ? text.slice(head.length, cursor) : '';
}

/** In normal mode the cursor stands on a character, never behind the last of a line. */
function settled({vim, editor}: VimEditor): VimEditor {
  const {text, cursor, column} = editor;
  const {start, end} = lineAround(text, cursor);
  const isBehind = vim.mode === 'normal' && cursor === end && cursor > start;
  return {vim: {...vim, pending: ''}, editor: isBehind ? {...editor, cursor: previousStop(editor, cursor), column} : editor};
}

function run(both: VimEditor, command: VimCommand, width: number): VimEditor {
  const {vim, editor} = both;
  const {what, operator, count, char} = command;
  if (what === '.') return repeated(both, width);
  if (what === 'u') return {vim, editor: repeat(count, editor, (state) => steppedBack(state, 'undo'))};
  if (operator === undefined && (what === 'j' || what === 'k'))
    return {vim, editor: repeat(count, editor, (state) => moveVertically(state, what === 'j' ? 1 : -1, width))};
  if (operator === undefined && 'iIaAoOxXDCpPr'.includes(what)) return edited(both, command, width);
  const find = char === undefined ? vim.find : {kind: what, char};
  const reach = vimReach(editor, command, find);
  if (reach === undefined) return {editor, vim: {...vim, find}};
  if (operator === undefined) return {editor: moved(editor, reach.to), vim: {...vim, find}};
  const part = editor.text.slice(reach.from, reach.end);
  const kept = withKilled(editor, reach.isLines ? `${part}\n` : part);
  if (operator === 'y') return {vim: {...vim, find}, editor: moved(kept, reach.isLines ? editor.cursor : reach.from)};
  const change = {...vim, find, change: {command, inserted: ''}};
  if (operator === 'c') return inserting(change, without(kept, reach.from, reach.end));
  return {vim: change, editor: reach.isLines ? withoutLines(kept, reach.from, reach.end) : without(kept, reach.from, reach.end)};
}

/** What is done at once; some are short for an operator with its motion. */
function edited({vim, editor}: VimEditor, command: VimCommand, width: number): VimEditor {
  const {text, cursor} = editor;
  const {start, end} = lineAround(text, cursor);
  const short = SHORT[command.what];
  const change: VimState = {...vim, change: {command, inserted: ''}};
  if (short !== undefined) {
    const after = run({vim, editor}, {...command, ...short}, width);
    return {...after, vim: {...after.vim, change: change.change}};
  }
  switch (command.what) {
    case 'o':
      return inserting(change, put(editor, end, '\n'));
    case 'O':
      return inserting(change, moved(put(editor, start, '\n'), start));
    case 'p':
    case 'P':
      return {vim: change, editor: repeat(command.count, editor, (state) => putKilled(state, command.what === 'p'))};
    case 'r':
      return {vim: change, editor: overwritten(editor, command)};
    default:
      return inserting(change, moved(editor, insertPlace(editor, command.what)));
  }
}

const SHORT: Readonly<Record<string, Pick<VimCommand, 'operator' | 'what'>>> = {
  x: {operator: 'd', what: 'l'},
  X: {operator: 'd', what: 'h'},
  D: {operator: 'd', what: '$'},
  C: {operator: 'c', what: '$'},
};

function insertPlace(editor: EditorState, what: string): number {
  const {start, end} = lineAround(editor.text, editor.cursor);
  if (what === 'A') return end;
  if (what === 'I') return start + (/^[ \t]*/.exec(editor.text.slice(start, end))?.[0].length ?? 0);
  return what === 'a' ? Math.min(end, nextStop(editor, editor.cursor)) : editor.cursor;
}

function inserting(vim: VimState, editor: EditorState): VimEditor {
  return {editor, vim: {...vim, mode: 'insert', before: {text: editor.text, cursor: editor.cursor}}};
}

function repeated(both: VimEditor, width: number): VimEditor {
  const {change} = both.vim;
  if (change === undefined) return both;
  const {vim, editor} = run(both, change.command, width);
  if (vim.mode === 'normal') return {vim, editor};
  return leaveInsert({vim, editor: put(editor, editor.cursor, change.inserted)});
}

function repeat(count: number, editor: EditorState, step: (state: EditorState) => EditorState): EditorState {
  let state = editor;
  for (let left = count; left > 0; left--) {
    const next = step(state);
    if (next.text === state.text && next.cursor === state.cursor) break;
    state = next;
  }
  return state;
}

function put(editor: EditorState, at: number, part: string): EditorState {
  const {text} = editor;
  return changed(editor, {text: text.slice(0, at) + part + text.slice(at), cursor: at + part.length, last: 'other'});
}

/** Whole lines go below or above the line, anything else behind or in front of the cursor, which stands on its last character then. */
function putKilled(editor: EditorState, isBehind: boolean): EditorState {
  const part = editor.killed.at(-1) ?? '';
  const {start, end} = lineAround(editor.text, editor.cursor);
  if (part.endsWith('\n')) {
    const state = isBehind ? put(editor, end, `\n${part.slice(0, -1)}`) : put(editor, start, part);
    return moved(state, isBehind ? end + 1 : start);
  }
  const state = put(editor, isBehind ? Math.min(end, nextStop(editor, editor.cursor)) : editor.cursor, part);
  return part === '' ? state : moved(state, previousStop(state, state.cursor));
}

function overwritten(editor: EditorState, {count, char = ''}: VimCommand): EditorState {
  const {text, cursor} = editor;
  const {end} = lineAround(text, cursor);
  let to = cursor;
  for (let left = count; left > 0; left--) {
    if (to >= end) return editor;
    to = nextStop(editor, to);
  }
  const state = changed(editor, {
    text: text.slice(0, cursor) + char.repeat(count) + text.slice(to),
    cursor: cursor + char.length * count,
    last: 'other',
  });
  return moved(state, previousStop(state, state.cursor));
}

function without(editor: EditorState, from: number, end: number): EditorState {
  return changed(editor, {text: editor.text.slice(0, from) + editor.text.slice(end), cursor: from, last: 'other'});
}

/** Lines with one of their line feeds. The cursor goes to the line that takes their place. */
function withoutLines(editor: EditorState, from: number, end: number): EditorState {
  const isLast = end === editor.text.length;
  const state = isLast ? without(editor, Math.max(0, from - 1), end) : without(editor, from, end + 1);
  return moved(state, lineAround(state.text, state.cursor).start);
}
