import {EMPTY_EDITOR} from '../editor/editor-state.ts';
import type {StateChange} from '../model/action.ts';
import {editKey} from '../keys/edit-key.ts';
import type {KeyInput} from '../keys/key.ts';
import type {QuestionsDialog, ScreenState} from '../model/screen-state.ts';

/** Keys while the model asks: arrows, Space and Enter choose, Tab changes the question, Esc leaves without an answer. */
export function questionsKey(state: ScreenState, dialog: QuestionsDialog, key: KeyInput): StateChange<ScreenState> {
  if (dialog.writing !== undefined) return writingKey(state, dialog, key);
  const question = dialog.questions[dialog.tab];
  if (key.type === 'paste' || question === undefined) return shown(state, dialog);
  if (/^[1-9]$/.test(key.name)) return take(state, moved(dialog, Math.min(Number(key.name) - 1, question.options.length)));
  if (key.name === 'escape') return answer(state, dialog, undefined);
  if (key.name === 'enter') return isMarked(dialog) ? onward(state, dialog) : take(state, dialog);
  if (key.name === 'space') return question.multiple ? mark(state, dialog) : take(state, dialog);
  return shown(state, stepped(dialog, key.name));
}

/** Returns true if at least one of several answers is marked. */
function isMarked({questions, tab, chosen}: QuestionsDialog): boolean {
  return questions[tab]?.multiple === true && (chosen[tab] ?? []).length > 0;
}

function stepped(dialog: QuestionsDialog, name: string): QuestionsDialog {
  const at = dialog.at[dialog.tab] ?? 0;
  const last = dialog.questions[dialog.tab]?.options.length ?? 0;
  if (name === 'up') return moved(dialog, Math.max(0, at - 1));
  if (name === 'down') return moved(dialog, Math.min(last, at + 1));
  if (name === 'left' || name === 'shift+tab') return {...dialog, tab: Math.max(0, dialog.tab - 1)};
  return name === 'right' || name === 'tab' ? {...dialog, tab: Math.min(dialog.questions.length - 1, dialog.tab + 1)} : dialog;
}

/** The option under the cursor is the answer; the entry after the last one takes a text. */
function take(state: ScreenState, dialog: QuestionsDialog): StateChange<ScreenState> {
  const question = dialog.questions[dialog.tab];
  const option = question?.options[dialog.at[dialog.tab] ?? 0];
  if (option === undefined) return shown(state, {...dialog, writing: EMPTY_EDITOR});
  if (question?.multiple === true) return mark(state, dialog);
  return onward(state, {...dialog, chosen: dialog.chosen.with(dialog.tab, [option.label])});
}

function mark(state: ScreenState, dialog: QuestionsDialog): StateChange<ScreenState> {
  const option = dialog.questions[dialog.tab]?.options[dialog.at[dialog.tab] ?? 0];
  if (option === undefined) return shown(state, {...dialog, writing: EMPTY_EDITOR});
  const chosen = dialog.chosen[dialog.tab] ?? [];
  const next = chosen.includes(option.label) ? chosen.filter((label) => label !== option.label) : [...chosen, option.label];
  return shown(state, {...dialog, chosen: dialog.chosen.with(dialog.tab, next)});
}

/** The next question without an answer; if there is none, the dialog is done. */
function onward(state: ScreenState, dialog: QuestionsDialog): StateChange<ScreenState> {
  const open = dialog.chosen.findIndex((labels) => labels.length === 0);
  return open === -1 ? answer(state, dialog, dialog.chosen) : shown(state, {...dialog, tab: open});
}

function writingKey(state: ScreenState, dialog: QuestionsDialog, key: KeyInput): StateChange<ScreenState> {
  const {writing = EMPTY_EDITOR, ...rest} = dialog;
  const name = key.type === 'key' ? key.name : '';
  if (name === 'escape') return shown(state, rest);
  if (name !== 'enter') return shown(state, {...dialog, writing: editKey(writing, key, {keymap: state.keymap, width: state.size.columns})});
  const text = writing.text.trim();
  if (text === '') return shown(state, rest);
  const isMultiple = dialog.questions[dialog.tab]?.multiple === true;
  const chosen = isMultiple ? [...(dialog.chosen[dialog.tab] ?? []), text] : [text];
  return onward(state, {...rest, chosen: dialog.chosen.with(dialog.tab, chosen)});
}

function moved(dialog: QuestionsDialog, to: number): QuestionsDialog {
  return {...dialog, at: dialog.at.with(dialog.tab, to)};
}

function answer(state: ScreenState, {id}: QuestionsDialog, answers: readonly (readonly string[])[] | undefined): StateChange<ScreenState> {
  return {state: {...state, dialogs: state.dialogs.slice(1)}, effects: [{type: 'answers', id, answers}]};
}

function shown(state: ScreenState, dialog: QuestionsDialog): StateChange<ScreenState> {
  return {state: {...state, dialogs: [dialog, ...state.dialogs.slice(1)]}, effects: []};
}
