import {NEW_SEARCH} from '../editor/history-search.ts';
import {textColumns} from '../editor/layout-editor.ts';
import {withLineFeeds} from '../editor/paste-marker.ts';
import {recall} from '../editor/prompt-history.ts';
import {promptMark} from '../editor/prompt-mark.ts';
import type {StateChange} from '../model/action.ts';
import {only} from '../model/only.ts';
import {pastedPicturePaths} from '../model/pictures/pasted-paths.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {submit, steer} from '../model/submit.ts';
import {suggest, suggestionKey} from '../model/suggest.ts';
import {editLine} from './edit-line.ts';
import type {KeyInput} from './key.ts';
import {editActionOf, type KeyAction} from './key-actions.ts';
import {vimStep} from './vim-keys.ts';

/** Gives a key to the line: to the keys of vim, the suggestions, a command of the key map, else it is text. */
export function lineKey(state: ScreenState, key: KeyInput, command: KeyAction | undefined): StateChange<ScreenState> {
  const taken = vimTaken(state, key, command) ?? suggestionKey(state, key);
  if (taken !== undefined) return taken;
  if (key.type === 'paste') return pasted(state, key.text);
  return command === undefined ? typed(state, key) : run(state, command, key);
}

/** Paths of pictures stay in the line as pasted until the pictures are saved; for the shell they stay as they are. */
function pasted(state: ScreenState, text: string): StateChange<ScreenState> {
  const {state: next, effects} = suggest(editLine(state, {type: 'paste', text}));
  const paths = next.editor.text.startsWith('!') ? undefined : pastedPicturePaths(text);
  return {state: next, effects: paths === undefined ? effects : [...effects, {type: 'pictures', pasted: withLineFeeds(text), paths}]};
}

function vimTaken(state: ScreenState, key: KeyInput, command: KeyAction | undefined): StateChange<ScreenState> | undefined {
  const step = vimStep(state, key, {command, width: textWidth(state)});
  if (step === undefined) return undefined;
  return step.edge === undefined ? only(step.state) : vertical(step.state, step.edge);
}

function run(state: ScreenState, command: KeyAction, key: Extract<KeyInput, {type: 'key'}>): StateChange<ScreenState> {
  const own = COMMANDS[command];
  if (own !== undefined) return own(state, key);
  const action = editActionOf(command, textWidth(state));
  return action === undefined ? only(state) : suggest(editLine(state, action));
}

type Command = (state: ScreenState, key: Extract<KeyInput, {type: 'key'}>) => StateChange<ScreenState>;

/** Actions of keys besides writing; all others are for the text. */
const COMMANDS: Readonly<Partial<Record<KeyAction, Command>>> = {
  submit,
  steer,
  deleteOrLeave: (state) =>
    state.editor.text === '' ? {state, effects: [{type: 'leave'}]} : only(editLine(state, {type: 'delete', what: 'right'})),
  nextMode: (state) => ({state, effects: [{type: 'nextMode'}]}),
  expand: (state) => only({...state, overlay: {type: 'pager', entry: Math.max(0, state.entries.length - 1), skip: 0}}),
  todo: (state) => only({...state, isTodoShown: !state.isTodoShown}),
  searchHistory: (state) => only({...state, overlay: {type: 'history', search: NEW_SEARCH}}),
  externalEditor: (state) => ({state, effects: [{type: 'externalEditor', text: state.editor.text}]}),
  pastePicture: (state) => ({state, effects: [{type: 'clipboard'}]}),
  help: (state, key) => (state.editor.text === '' ? only({...state, overlay: {type: 'help', scroll: 0}}) : typed(state, key)),
  up: (state) => vertical(state, -1),
  down: (state) => vertical(state, 1),
};

function textWidth(state: ScreenState): number {
  return textColumns(state.size.columns, promptMark(state.editor));
}

/** Up at the first row goes back in the history, or into the queue; down at the last row comes back. */
function vertical(state: ScreenState, by: -1 | 1): StateChange<ScreenState> {
  const moved = editLine(state, {type: 'vertical', by, width: textWidth(state)});
  if (moved.editor.cursor !== state.editor.cursor) return only(moved);
  if (by === -1 && state.editor.text === '' && state.queue.length > 0) return only({...state, queueAt: state.queue.length - 1});
  const recalled = recall(state.history, by, state.editor.text);
  return recalled === undefined ? only(state) : only({...editLine(state, {type: 'set', text: recalled.text}), history: recalled.history});
}

function typed(state: ScreenState, key: Extract<KeyInput, {type: 'key'}>): StateChange<ScreenState> {
  return key.text === undefined ? only(state) : suggest(editLine(state, {type: 'insert', text: key.text}));
}
