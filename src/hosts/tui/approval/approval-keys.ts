import {edit} from '../editor/edit.ts';
import {EMPTY_EDITOR} from '../editor/editor-state.ts';
import type {ApprovalReply} from '../host-adapter.ts';
import {withApproved} from './approved-changes.ts';
import {approvalChoices, type ApprovalChoice} from './approval-choices.ts';
import type {StateChange} from '../model/action.ts';
import {editKey} from '../keys/edit-key.ts';
import {hunkKey, NO_HUNKS} from './hunk-keys.ts';
import type {KeyInput} from '../keys/key.ts';
import type {ApprovalDialog, ScreenState} from '../model/screen-state.ts';

/** Keys while an approval is asked: letters and arrows choose, `e` edits the rule, `h` chooses among the changes, PgUp and PgDn scroll, Esc denies. */
export function approvalKey(state: ScreenState, dialog: ApprovalDialog, key: KeyInput): StateChange<ScreenState> {
  if (dialog.writing !== undefined) return writingKey(state, {dialog, writing: dialog.writing}, key);
  if (key.type === 'paste') return shown(state, dialog);
  const half = Math.max(1, Math.floor(state.size.rows / 2));
  if (dialog.hunks !== undefined) {
    const step = hunkKey(dialog, key.name, half);
    return step.type === 'stay' ? shown(state, step.dialog) : answer(state, dialog, step.reply);
  }
  const choices = approvalChoices(dialog.question);
  const lettered = choices.find(({letter}) => letter === key.name.toLowerCase());
  const chosen = lettered ?? (key.name === 'enter' ? choices[dialog.choice] : undefined);
  if (chosen !== undefined) return choose(state, dialog, chosen.id);
  if (key.name === 'escape') return answer(state, dialog, {decision: 'deny'});
  if (key.name === 'e' && dialog.question.rules.length > 0) return write(state, dialog, 'rule');
  return shown(state, moved(dialog, key.name, {last: choices.length - 1, half}));
}

function moved(dialog: ApprovalDialog, name: string, {last, half}: {readonly last: number; readonly half: number}): ApprovalDialog {
  if (name === 'up') return {...dialog, choice: Math.max(0, dialog.choice - 1)};
  if (name === 'down') return {...dialog, choice: Math.min(last, dialog.choice + 1)};
  if (name === 'pageup') return {...dialog, scroll: Math.max(0, dialog.scroll - half)};
  return name === 'pagedown' ? {...dialog, scroll: dialog.scroll + half} : dialog;
}

function choose(state: ScreenState, dialog: ApprovalDialog, id: ApprovalChoice['id']): StateChange<ScreenState> {
  const rules = dialog.rules ?? dialog.question.rules.map(({rule}) => rule);
  switch (id) {
    case 'once':
      return answer(state, dialog, {decision: 'once'});
    case 'session':
    case 'always':
      return answer(state, dialog, {decision: id, rules});
    case 'hunks':
      return shown(state, {...dialog, hunks: NO_HUNKS, scroll: 0});
    case 'deny':
      return answer(state, dialog, {decision: 'deny'});
    case 'feedback':
      return write(state, dialog, 'feedback');
  }
}

function write(state: ScreenState, dialog: ApprovalDialog, what: 'rule' | 'feedback'): StateChange<ScreenState> {
  const rules = dialog.rules ?? dialog.question.rules.map(({rule}) => rule);
  const text = what === 'rule' ? rules.join('\n') : '';
  return shown(state, {...dialog, writing: {what, editor: edit(EMPTY_EDITOR, {type: 'set', text})}});
}

interface WritingIn {
  readonly dialog: ApprovalDialog;
  readonly writing: NonNullable<ApprovalDialog['writing']>;
}

function writingKey(state: ScreenState, {dialog, writing}: WritingIn, key: KeyInput): StateChange<ScreenState> {
  const {writing: _done, ...rest} = dialog;
  const name = key.type === 'key' ? key.name : '';
  if (name === 'escape') return shown(state, rest);
  if (name !== 'enter')
    return shown(state, {
      ...dialog,
      writing: {...writing, editor: editKey(writing.editor, key, {keymap: state.keymap, width: state.size.columns})},
    });
  const text = writing.editor.text.trim();
  if (writing.what === 'feedback') return answer(state, rest, {decision: 'deny', ...(text === '' ? {} : {feedback: text})});
  const rules = text
    .split('\n')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '');
  return shown(state, rules.length === 0 ? rest : {...rest, rules});
}

function answer(state: ScreenState, dialog: ApprovalDialog, reply: ApprovalReply): StateChange<ScreenState> {
  const entries = withApproved(state.entries, dialog.question, reply);
  return {state: {...state, entries, dialogs: state.dialogs.slice(1)}, effects: [{type: 'answer', id: dialog.id, reply}]};
}

function shown(state: ScreenState, dialog: ApprovalDialog): StateChange<ScreenState> {
  return {state: {...state, dialogs: [dialog, ...state.dialogs.slice(1)]}, effects: []};
}
