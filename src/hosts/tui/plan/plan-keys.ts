import type {StateChange} from '../model/action.ts';
import type {KeyInput} from '../keys/key.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {commentKey, removeComment, writeComment, writeOnWhole} from './comment-keys.ts';
import {chosenUnits, planAnswers, type PlanDialog} from './plan-dialog.ts';
import {planLayout} from './plan-lines.ts';
import type {PlanReply} from './plan-question.ts';
import {planUnits, sectionAround} from './plan-units.ts';

/** Gives a key to the comment that is written, to the answers, or to the plan. */
export function planKey(state: ScreenState, dialog: PlanDialog, key: KeyInput): StateChange<ScreenState> {
  if (dialog.writing !== undefined) return shown(state, commentKey(dialog, key, {keymap: state.keymap, width: state.size.columns}));
  if (key.type === 'paste') return shown(state, dialog);
  return dialog.answering === undefined ? textKey(state, dialog, key.name) : answerKey(state, dialog, key.name);
}

/** Esc leaves the plan as it is; where there are comments, they are not lost by it: the answers come first. */
function textKey(state: ScreenState, dialog: PlanDialog, name: string): StateChange<ScreenState> {
  const {anchor, ...single} = dialog;
  if (name === 'escape') {
    if (anchor !== undefined) return shown(state, single);
    return dialog.comments.length === 0 ? answer(state, dialog, undefined) : shown(state, answers(dialog));
  }
  if (name === 'tab' || name === 'a') return shown(state, answers(dialog));
  const change = Object.hasOwn(TEXT_KEYS, name) ? TEXT_KEYS[name] : undefined;
  return shown(state, change === undefined ? dialog : change(dialog, state));
}

type TextKey = (dialog: PlanDialog, state: ScreenState) => PlanDialog;

const byRows =
  (by: 1 | -1): TextKey =>
  ({anchor: _chosen, ...dialog}, state) =>
    scrolled(dialog, state, by) ?? moved(dialog, by);
const byPage =
  (by: 1 | -1): TextKey =>
  ({anchor: _chosen, ...dialog}, {size}) =>
    moved(dialog, by * Math.max(1, size.rows - 4));
const extended =
  (by: 1 | -1): TextKey =>
  (dialog) => ({...moved(dialog, by), anchor: dialog.anchor ?? dialog.at});
const toStart: TextKey = ({anchor: _chosen, ...dialog}) => moved(dialog, -dialog.at);
const toEnd: TextKey = ({anchor: _chosen, ...dialog}) => moved(dialog, planUnits(dialog.question.plan).length);
const section: TextKey = (dialog) => {
  const {first, last} = sectionAround(planUnits(dialog.question.plan), chosenUnits(dialog).first);
  return {...dialog, at: first, anchor: last, skip: 0};
};

const TEXT_KEYS: Readonly<Record<string, TextKey>> = {
  up: byRows(-1),
  k: byRows(-1),
  down: byRows(1),
  j: byRows(1),
  'shift+up': extended(-1),
  'shift+down': extended(1),
  K: extended(-1),
  J: extended(1),
  pageup: byPage(-1),
  b: byPage(-1),
  pagedown: byPage(1),
  space: byPage(1),
  home: toStart,
  g: toStart,
  end: toEnd,
  G: toEnd,
  'shift+g': toEnd,
  s: section,
  enter: writeComment,
  c: writeComment,
  w: writeOnWhole,
  d: removeComment,
  delete: removeComment,
  backspace: removeComment,
};

/** Within a unit that is higher than the screen; undefined if it has no more rows in that direction. */
function scrolled(dialog: PlanDialog, {size}: ScreenState, by: 1 | -1): PlanDialog | undefined {
  const {room, height} = planLayout(size, dialog);
  if (height <= room) return undefined;
  const skip = Math.max(0, Math.min(height - room, dialog.skip + by));
  return skip === dialog.skip ? undefined : {...dialog, skip};
}

/** Moves by this many units with text, or to the last one. */
function moved(dialog: PlanDialog, by: number): PlanDialog {
  const units = planUnits(dialog.question.plan);
  const target = Math.max(0, Math.min(units.length - 1, dialog.at + by));
  const ahead = by < 0 ? units.slice(0, target + 1).findLastIndex(hasText) : target + units.slice(target).findIndex(hasText);
  const isThere = hasText(units[ahead] ?? BLANK);
  const at = isThere ? ahead : by < 0 ? units.findIndex(hasText) : units.findLastIndex(hasText);
  return {...dialog, at: Math.max(0, at), skip: 0};
}

const BLANK = {isBlank: true};

function hasText({isBlank}: {readonly isBlank: boolean}): boolean {
  return !isBlank;
}

/** With comments the plan goes back, unless the person chooses otherwise. */
function answers(dialog: PlanDialog): PlanDialog {
  const back = planAnswers(dialog).findIndex(({accepts}) => !accepts);
  return {...dialog, answering: dialog.comments.length === 0 ? 0 : Math.max(0, back)};
}

function answerKey(state: ScreenState, dialog: PlanDialog, name: string): StateChange<ScreenState> {
  const {answering = 0, ...text} = dialog;
  const all = planAnswers(dialog);
  if (name === 'escape' || name === 'tab') return shown(state, text);
  if (name === 'up' || name === 'k') return shown(state, {...dialog, answering: Math.max(0, answering - 1)});
  if (name === 'down' || name === 'j') return shown(state, {...dialog, answering: Math.min(all.length - 1, answering + 1)});
  if (name !== 'enter') return shown(state, dialog);
  const choice = all[answering]?.choice;
  return answer(state, dialog, choice === undefined ? undefined : {choice, comments: dialog.comments});
}

function answer(state: ScreenState, {id}: PlanDialog, reply: PlanReply | undefined): StateChange<ScreenState> {
  return {state: {...state, dialogs: state.dialogs.slice(1)}, effects: [{type: 'planReply', id, reply}]};
}

function shown(state: ScreenState, dialog: PlanDialog): StateChange<ScreenState> {
  return {state: {...state, dialogs: [dialog, ...state.dialogs.slice(1)]}, effects: []};
}
