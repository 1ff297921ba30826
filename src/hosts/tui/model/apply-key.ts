import {toggleAgent} from '../agents/open-agent.ts';
import {edit} from '../editor/edit.ts';
import type {EditAction} from '../editor/editor-state.ts';
import type {Change, Effect} from './action.ts';
import {dialogKey, disarmed, isAnswerable, isWriting} from './dialog-keys.ts';
import type {KeyInput} from './key.ts';
import {editActionOf, type KeyAction} from './key-actions.ts';
import {actionOf} from './keymap.ts';
import {isLeaveArmed} from './leave-armed.ts';
import {overlayKey} from './overlay-keys.ts';
import {queueKey, unchosen} from './queue-keys.ts';
import {backToEditor} from './queued.ts';
import {submittedText, withLineFeeds} from '../editor/paste-marker.ts';
import {pastedPicturePaths} from './pictures/pasted-paths.ts';
import {recall, remember} from '../editor/prompt-history.ts';
import {NEW_SEARCH} from '../editor/history-search.ts';
import {textColumns} from '../editor/layout-editor.ts';
import {promptMark} from '../editor/prompt-mark.ts';
import {typingKey} from '../terminal-view/command-keys.ts';
import type {ScreenState} from './screen-state.ts';
import {retry} from '../stall/stall.ts';
import {submit, steer} from './submit.ts';
import {suggest, suggestionKey} from './suggest.ts';
import {vimSettled, vimStep} from './vim-keys.ts';

/** Gives a key to what it is meant for: a dialog, an overlay, the suggestions, the queue, else the line to type into. */
export function applyKey(before: ScreenState, key: KeyInput): Change<ScreenState> {
  const {overlay} = before;
  const isTyping = overlay?.type === 'command' && overlay.mode === 'typing';
  const change = isTyping ? typingKey(disarmed({...before, lastKeyAt: before.now}), overlay, key) : keyChange(before, key);
  const {suggestions} = change.state;
  // They are for the text as it was.
  const isStale = suggestions !== undefined && suggestions === before.suggestions && change.state.editor.text !== before.editor.text;
  return isStale ? {...change, state: without(change.state, 'suggestions')} : change;
}

function keyChange(before: ScreenState, key: KeyInput): Change<ScreenState> {
  const state = disarmed({...before, lastKeyAt: before.now});
  const command = actionOf(state.keymap, key, {isEmpty: state.editor.text === ''});
  const anywhere = command === undefined ? undefined : ANYWHERE[command];
  if (anywhere !== undefined) return anywhere(state);
  const dialog = state.dialogs[0];
  // What is typed while a question comes up was not meant for it.
  const isText = key.type === 'paste' && dialog !== undefined && !isWriting(dialog);
  if (dialog !== undefined && !isText && isAnswerable(dialog, before)) return dialogKey(state, dialog, key);
  if (state.overlay !== undefined) return overlayKey(state, state.overlay, key);
  if (state.queueAt === undefined) return lineKey(state, key, command);
  return queueKey(state, key) ?? lineKey(unchosen(state), key, command);
}

/** What keys do whatever is open. */
const ANYWHERE: Readonly<Partial<Record<KeyAction, (state: ScreenState) => Change<ScreenState>>>> = {
  interrupt,
  redraw: (state) => ({state, effects: [{type: 'redraw'}]}),
  suspend: (state) => ({state, effects: [{type: 'suspend'}]}),
  retry,
  agents: toggleAgent,
};

function lineKey(state: ScreenState, key: KeyInput, command: KeyAction | undefined): Change<ScreenState> {
  const taken = vimTaken(state, key, command) ?? suggestionKey(state, key);
  if (taken !== undefined) return taken;
  if (key.type === 'paste') return pasted(state, key.text);
  return command === undefined ? typed(state, key) : run(state, command, key);
}

/** Paths of pictures stand in the line as they were pasted until they are kept; for the shell they stay so. */
function pasted(state: ScreenState, text: string): Change<ScreenState> {
  const {state: next, effects} = suggest(edited(state, {type: 'paste', text}));
  const paths = next.editor.text.startsWith('!') ? undefined : pastedPicturePaths(text);
  return {state: next, effects: paths === undefined ? effects : [...effects, {type: 'pictures', pasted: withLineFeeds(text), paths}]};
}

function vimTaken(state: ScreenState, key: KeyInput, command: KeyAction | undefined): Change<ScreenState> | undefined {
  const step = vimStep(state, key, {command, width: textWidth(state)});
  if (step === undefined) return undefined;
  return step.edge === undefined ? quiet(step.state) : vertical(step.state, step.edge);
}

/** Ctrl-C: cancels what runs, leaves an overlay, empties the line; twice it leaves. What stood on the line is kept as a prompt. */
function interrupt(state: ScreenState): Change<ScreenState> {
  if (isLeaveArmed(state)) return {state, effects: [...keptText(state), {type: 'leave'}]};
  const armed = {...state, leaveArmedAt: state.now};
  if (state.work !== undefined) {
    return {state: {...armed, work: {...state.work, isCancelling: true}}, effects: [{type: 'cancel'}]};
  }
  if (state.overlay !== undefined) return quiet(backToEditor(without(state, 'overlay')));
  if (state.editor.text !== '') return cleared(state);
  return {state: armed, effects: []};
}

/** The line is empty; what stood there is the newest of the earlier prompts. */
function cleared(state: ScreenState): Change<ScreenState> {
  const history = remember(state.history, submittedText(state.editor));
  return {state: {...edited(without(state, 'suggestions'), {type: 'set', text: ''}), history}, effects: keptText(state)};
}

/** Keeps what stands on the line for another session. */
function keptText({editor}: ScreenState): readonly Effect[] {
  const text = submittedText(editor);
  return text.trim() === '' ? [] : [{type: 'remember', text}];
}

function run(state: ScreenState, command: KeyAction, key: Extract<KeyInput, {type: 'key'}>): Change<ScreenState> {
  const own = COMMANDS[command];
  if (own !== undefined) return own(state, key);
  const action = editActionOf(command, textWidth(state));
  return action === undefined ? quiet(state) : suggest(edited(state, action));
}

type Command = (state: ScreenState, key: Extract<KeyInput, {type: 'key'}>) => Change<ScreenState>;

/** What keys do besides writing; all others are for the text. */
const COMMANDS: Readonly<Partial<Record<KeyAction, Command>>> = {
  submit,
  steer,
  deleteOrLeave: (state) =>
    state.editor.text === '' ? {state, effects: [{type: 'leave'}]} : quiet(edited(state, {type: 'delete', what: 'right'})),
  nextMode: (state) => ({state, effects: [{type: 'nextMode'}]}),
  expand: (state) => quiet({...state, overlay: {type: 'pager', entry: Math.max(0, state.entries.length - 1), skip: 0}}),
  todo: (state) => quiet({...state, isTodoShown: !state.isTodoShown}),
  searchHistory: (state) => quiet({...state, overlay: {type: 'history', search: NEW_SEARCH}}),
  externalEditor: (state) => ({state, effects: [{type: 'externalEditor', text: state.editor.text}]}),
  pastePicture: (state) => ({state, effects: [{type: 'clipboard'}]}),
  help: (state, key) => (state.editor.text === '' ? quiet({...state, overlay: {type: 'help', scroll: 0}}) : typed(state, key)),
  up: (state) => vertical(state, -1),
  down: (state) => vertical(state, 1),
};

function textWidth(state: ScreenState): number {
  return textColumns(state.size.columns, promptMark(state.editor));
}

/** Up at the first row goes back in the history, or into the queue; down at the last row comes back. */
function vertical(state: ScreenState, by: -1 | 1): Change<ScreenState> {
  const moved = edited(state, {type: 'vertical', by, width: textWidth(state)});
  if (moved.editor.cursor !== state.editor.cursor) return quiet(moved);
  if (by === -1 && state.editor.text === '' && state.queue.length > 0) return quiet({...state, queueAt: state.queue.length - 1});
  const recalled = recall(state.history, by, state.editor.text);
  return recalled === undefined ? quiet(state) : quiet({...edited(state, {type: 'set', text: recalled.text}), history: recalled.history});
}

function typed(state: ScreenState, key: Extract<KeyInput, {type: 'key'}>): Change<ScreenState> {
  return key.text === undefined ? quiet(state) : suggest(edited(state, {type: 'insert', text: key.text}));
}

function edited(state: ScreenState, action: EditAction): ScreenState {
  return vimSettled({...state, editor: edit(state.editor, action)});
}

function quiet(state: ScreenState): Change<ScreenState> {
  return {state, effects: []};
}

function without(state: ScreenState, name: 'overlay' | 'suggestions'): ScreenState {
  const {[name]: _gone, ...rest} = state;
  return rest;
}
