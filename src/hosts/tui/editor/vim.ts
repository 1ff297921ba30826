import type {KeyInput} from '../keys/key.ts';
import {lineAround, previousStop} from './atoms.ts';
import {asOneStep, moved, steppedBack} from './changed.ts';
import type {InputState, Snapshot} from './editor-state.ts';
import {withKilled} from './kill-ring.ts';
import {moveVertically} from './move-vertically.ts';
import {insertPlace, overwritten, put, putKilled, putTimes, without, withoutLines} from './vim-changes.ts';
import {parseVimCommand, type VimCommand} from './vim-command.ts';
import {vimReach, type VimFind} from './vim-motions.ts';

/** State of the vim keys besides the editor. */
export interface VimState {
  readonly mode: 'insert' | 'normal';
  /** Keys of a command that is not whole. */
  readonly pending: string;
  readonly find: VimFind | undefined;
  /** The last change, for `.`; `inserted` is the text typed after it. */
  readonly change: {readonly command: VimCommand; readonly inserted: string} | undefined;
  /** The insert mode that a command began; absent if it was there before any command. */
  readonly insertion: Insertion | undefined;
}

interface Insertion {
  /** In front of the command, which is one undo step with all that is typed. */
  readonly since: Pick<InputState, 'text' | 'cursor' | 'undo'>;
  /** Behind the command. */
  readonly from: Snapshot;
}

export const NEW_VIM: VimState = {mode: 'insert', pending: '', find: undefined, change: undefined, insertion: undefined};

export interface VimEditor {
  readonly vim: VimState;
  readonly editor: InputState;
  /** `k` on the first row or `j` on the last: the host may go on in its history. */
  readonly edge?: -1 | 1 | undefined;
}

/**
 * The state after a key; undefined for a key that is not vim's: the key map has it then. In insert mode only Esc is, and in normal mode all
 * printable ones. `width`: columns of the text.
 */
export function vimKey(both: VimEditor, input: KeyInput, width: number): VimEditor | undefined {
  if (input.type === 'paste') return undefined;
  const {vim, editor} = both;
  const isEscape = input.name === 'escape' || input.name === 'ctrl+[';
  if (vim.mode === 'insert') return isEscape ? leaveInsert(both) : undefined;
  if (isEscape) return vim.pending === '' ? undefined : settled(both);
  if (input.name === 'ctrl+r') return settled({vim, editor: steppedBack(editor, 'redo')});
  const key = commandKey(input);
  return key === undefined ? undefined : pressed(both, key, width);
}

/** In normal mode the cursor is on a character, never after the last of a line. */
export function onCharacter(editor: InputState): InputState {
  const {text, cursor} = editor;
  const {start, end} = lineAround(text, cursor);
  return cursor === end && cursor > start ? {...editor, cursor: previousStop(editor, cursor)} : editor;
}

/** Insert mode for a new text; `.` and `;` still repeat the same. */
export function vimForNewText(vim: VimState): VimState {
  return {...vim, mode: 'insert', pending: '', insertion: undefined};
}

function commandKey({name, text}: Extract<KeyInput, {type: 'key'}>): string | undefined {
  if (name === 'backspace') return 'h';
  return /^(?:ctrl|alt)\+/.test(name) ? undefined : text;
}

function pressed(both: VimEditor, key: string, width: number): VimEditor {
  const {vim, editor} = both;
  const command = parseVimCommand(vim.pending + key);
  if (command === 'incomplete') return {editor, vim: {...vim, pending: vim.pending + key}};
  return settled(command === undefined ? both : run(both, command, width));
}

function settled({vim, editor, edge}: VimEditor): VimEditor {
  return {vim: {...vim, pending: ''}, editor: vim.mode === 'normal' ? onCharacter(editor) : editor, edge};
}

function leaveInsert({vim, editor}: VimEditor): VimEditor {
  const {change, insertion} = vim;
  const ended = {...vim, mode: 'normal', insertion: undefined} as const;
  if (change === undefined || insertion === undefined) return settled({vim: ended, editor: steppedLeft(editor)});
  const inserted = insertedSince(insertion.from, editor);
  const whole = inserted === undefined ? editor : insertedTimes(editor, change.command, inserted);
  return settled({
    vim: {...ended, change: {...change, inserted: inserted ?? ''}},
    editor: asOneStep(steppedLeft(whole), insertion.since),
  });
}

function steppedLeft(editor: InputState): InputState {
  const {text, cursor} = editor;
  return moved(editor, cursor > lineAround(text, cursor).start ? previousStop(editor, cursor) : cursor);
}

/** Returns the text typed in one piece; undefined if something else was done in between. */
function insertedSince(from: Snapshot, {text, cursor}: InputState): string | undefined {
  const [head, tail] = [from.text.slice(0, from.cursor), from.text.slice(from.cursor)];
  const isOnePiece = cursor >= head.length && text === head + text.slice(head.length, cursor) + tail;
  return isOnePiece ? text.slice(head.length, cursor) : undefined;
}

/** vim › count before `i`, `a`, `o`: the typed text is repeated as often. */
function insertedTimes(editor: InputState, {what, operator, count}: VimCommand, inserted: string): InputState {
  if (operator !== undefined) return editor;
  return putTimes(editor, editor.cursor, {part: what === 'o' || what === 'O' ? `\n${inserted}` : inserted, count: count - 1});
}

function run(both: VimEditor, command: VimCommand, width: number): VimEditor {
  const act = command.operator === undefined ? ACTS[command.what] : undefined;
  return act === undefined ? reached(both, command) : act(both, command, width);
}

type Act = (both: VimEditor, command: VimCommand, width: number) => VimEditor;

const vertical: Act = ({vim, editor}, {what, count}, width) => {
  const by = what === 'j' ? 1 : -1;
  const next = moveVertically(editor, by * count, width);
  return {vim, editor: next, edge: next.cursor === editor.cursor ? by : undefined};
};

const insert: Act = (both, command) => inserting(both, command, moved(both.editor, insertPlace(both.editor, command.what)));

const paste: Act = ({vim, editor}, command) => ({vim: changing(vim, command), editor: putKilled(editor, command)});

/** Keys that act and are not motions. */
const ACTS: Readonly<Record<string, Act>> = {
  j: vertical,
  k: vertical,
  i: insert,
  I: insert,
  a: insert,
  A: insert,
  o: (both, command) => inserting(both, command, put(both.editor, lineAround(both.editor.text, both.editor.cursor).end, '\n')),
  O(both, command) {
    const {start} = lineAround(both.editor.text, both.editor.cursor);
    return inserting(both, command, moved(put(both.editor, start, '\n'), start));
  },
  p: paste,
  P: paste,
  r: ({vim, editor}, command) => ({vim: changing(vim, command), editor: overwritten(editor, command)}),
  u: ({vim, editor}, {count}) => ({vim, editor: undone(editor, count)}),
  '.': repeated,
  x: (both, command) => reached(both, {...command, operator: 'd', what: 'l'}),
  X: (both, command) => reached(both, {...command, operator: 'd', what: 'h'}),
  D: (both, command) => reached(both, {...command, operator: 'd', what: '$'}),
  C: (both, command) => reached(both, {...command, operator: 'c', what: '$'}),
};

function changing(vim: VimState, command: VimCommand): VimState {
  return {...vim, change: {command, inserted: ''}};
}

function inserting({vim, editor}: VimEditor, command: VimCommand, next: InputState): VimEditor {
  const {text, cursor, undo} = editor;
  const insertion = {since: {text, cursor, undo}, from: {text: next.text, cursor: next.cursor}};
  return {editor: next, vim: {...changing(vim, command), mode: 'insert', insertion}};
}

function undone(editor: InputState, count: number): InputState {
  let state = editor;
  for (let left = Math.min(count, editor.undo.length); left > 0; left--) state = steppedBack(state, 'undo');
  return state;
}

/** vim › `.`: a count replaces that of the change. */
function repeated(both: VimEditor, {count, counted}: VimCommand, width: number): VimEditor {
  const {change} = both.vim;
  if (change === undefined) return both;
  const after = run(both, counted ? {...change.command, count, counted} : change.command, width);
  return after.vim.mode === 'normal'
    ? after
    : leaveInsert({vim: after.vim, editor: put(after.editor, after.editor.cursor, change.inserted)});
}

/** A motion, alone or after an operator. */
function reached({vim, editor}: VimEditor, command: VimCommand): VimEditor {
  const {operator, what, char} = command;
  const kept = {...vim, find: char === undefined ? vim.find : {kind: what, char}};
  const reach = vimReach(editor, command, kept.find);
  if (reach === undefined) return {vim: kept, editor};
  const {to, from, end, isLines} = reach;
  if (operator === undefined) return {vim: kept, editor: moved(editor, to)};
  const part = editor.text.slice(from, end);
  const taken = withKilled(editor, isLines ? `${part}\n` : part);
  if (operator === 'y') return {vim: kept, editor: moved(taken, isLines ? editor.cursor : from)};
  if (operator === 'c') return inserting({vim: kept, editor}, command, without(taken, from, end));
  return {vim: changing(kept, command), editor: isLines ? withoutLines(taken, from, end) : without(taken, from, end)};
}
