import type {StateChange} from '../model/action.ts';
import type {KeyInput} from '../keys/key.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {lastScroll} from './reader.ts';
import {chosenAnswer, chosenEntry, TRUST_CHOICES, type TrustChoice, type TrustDialog} from './trust-dialog.ts';

/** Applies a key to the list, or to the open entry. Esc closes the entry; in the list it is the safe answer. */
export function trustKey(state: ScreenState, dialog: TrustDialog, key: KeyInput): StateChange<ScreenState> {
  if (key.type === 'paste') return shown(state, dialog);
  if (dialog.reading !== undefined) return shown(state, readerKey(state, dialog, key.name));
  if (key.name === 'escape') return answer(state, dialog, 'ignore');
  if (key.name === 'enter' || key.name === 'space' || key.name === 'right') return opened(state, dialog, key.name);
  return shown(state, {...dialog, at: moved(dialog, key.name)});
}

function moved({at, question}: TrustDialog, name: string): number {
  const firstAnswer = question.entries.length;
  const last = firstAnswer + TRUST_CHOICES.length - 1;
  const to: Readonly<Record<string, number>> = {
    up: at - 1,
    down: at + 1,
    pageup: at - PAGE,
    pagedown: at + PAGE,
    home: 0,
    end: last,
    tab: at < firstAnswer ? firstAnswer : 0,
  };
  return Math.max(0, Math.min(last, to[name] ?? at));
}

const PAGE = 10;

/** Enter opens an entry or gives an answer; other keys only open. */
function opened(state: ScreenState, dialog: TrustDialog, name: string): StateChange<ScreenState> {
  if (chosenEntry(dialog) !== undefined) return shown(state, {...dialog, reading: {scroll: 0, isWhole: false}});
  const choice = chosenAnswer(dialog);
  return name !== 'enter' || choice === undefined ? shown(state, dialog) : answer(state, dialog, choice.reply);
}

function readerKey(state: ScreenState, dialog: TrustDialog, name: string): TrustDialog {
  const {reading = {scroll: 0, isWhole: false}, ...list} = dialog;
  const {at, question} = dialog;
  const to = (scroll: number): TrustDialog => {
    const clamped = Math.max(0, Math.min(lastScroll(state.size, dialog), scroll));
    return {...dialog, reading: {...reading, scroll: clamped}};
  };
  const page = Math.max(1, state.size.rows - 2);
  const other = (by: 1 | -1): TrustDialog => ({
    ...dialog,
    at: Math.max(0, Math.min(question.entries.length - 1, at + by)),
    reading: {scroll: 0, isWhole: false},
  });
  const moves: Readonly<Record<string, () => TrustDialog>> = {
    escape: () => list,
    q: () => list,
    left: () => list,
    up: () => to(reading.scroll - 1),
    k: () => to(reading.scroll - 1),
    down: () => to(reading.scroll + 1),
    j: () => to(reading.scroll + 1),
    pageup: () => to(reading.scroll - page),
    b: () => to(reading.scroll - page),
    pagedown: () => to(reading.scroll + page),
    space: () => to(reading.scroll + page),
    home: () => to(0),
    g: () => to(0),
    end: () => to(Number.MAX_SAFE_INTEGER),
    G: () => to(Number.MAX_SAFE_INTEGER),
    'shift+g': () => to(Number.MAX_SAFE_INTEGER),
    tab: () => ({...dialog, reading: {scroll: 0, isWhole: !reading.isWhole}}),
    n: () => other(1),
    p: () => other(-1),
  };
  return Object.hasOwn(moves, name) ? (moves[name]?.() ?? dialog) : dialog;
}

function answer(state: ScreenState, {id}: TrustDialog, reply: TrustChoice['reply']): StateChange<ScreenState> {
  const next = {...state, dialogs: state.dialogs.slice(1)};
  return {state: next, effects: [reply === 'leave' ? {type: 'leave'} : {type: 'trustReply', id, reply}]};
}

function shown(state: ScreenState, dialog: TrustDialog): StateChange<ScreenState> {
  return {state: {...state, dialogs: [dialog, ...state.dialogs.slice(1)]}, effects: []};
}
