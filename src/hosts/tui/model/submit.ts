import {continueLine} from '../editor/continue-line.ts';
import {emptied} from '../editor/edit.ts';
import {submittedText} from '../editor/paste-marker.ts';
import {remember} from '../editor/prompt-history.ts';
import {vimForNewText} from '../editor/vim.ts';
import {add} from './apply-event.ts';
import type {StateChange} from './action.ts';
import {besideTurn} from './beside-turn.ts';
import {screenCommand} from './screen-commands.ts';
import type {ScreenState, RunningWork} from './screen-state.ts';

/** Enter: begins a turn; while one runs, a command that only looks runs beside it, and all else is queued. A backslash at the end of the line makes a new line instead. */
export function submit(state: ScreenState): StateChange<ScreenState> {
  const continued = continueLine(state.editor);
  if (continued !== undefined) return {state: {...state, editor: continued}, effects: []};
  const text = submittedText(state.editor).trim();
  if (text === '') return {state, effects: []};
  const rest = withoutText(state);
  const kept = {type: 'remember', text: submittedText(state.editor)} as const;
  if (state.work !== undefined || state.isOpening === true) {
    const beside = besideTurn(rest, text);
    if (beside !== undefined) return {state: beside.state, effects: [kept, ...beside.effects]};
    return {state: {...rest, queue: [...state.queue, text]}, effects: [kept]};
  }
  const begun = begin(rest, text);
  return {state: begun.state, effects: [kept, ...begun.effects]};
}

/** Sends the text of the line into the running turn; without one it begins a turn. */
export function steer(state: ScreenState): StateChange<ScreenState> {
  const text = submittedText(state.editor).trim();
  if (text === '' || state.work?.what !== 'turn') return submit(state);
  const steered = add(withoutText(state), {kind: 'user', text, origin: 'steer'});
  return {
    state: steered,
    effects: [
      {type: 'remember', text},
      {type: 'steer', text},
    ],
  };
}

/** Begins the prompt of a scheduled task: never a command of the screen. */
export function beginScheduled(state: ScreenState, text: string): StateChange<ScreenState> {
  const shown = add(state, {kind: 'user', text, origin: 'scheduled'});
  return {state: working(shown, 'turn'), effects: [{type: 'submit', text, origin: 'scheduled'}]};
}

/** A command after `/`, a shell line after `!`, a note after `#`, else a task. */
export function begin(state: ScreenState, text: string): StateChange<ScreenState> {
  if (text.startsWith('!') && text.length > 1) {
    const line = text.slice(1).trim();
    const shown = add(state, {kind: 'user', text: line, origin: 'shell'});
    return {
      state: working(add(shown, {kind: 'plain', text: '', keeps: 'end', isRunning: true}), 'shell'),
      effects: [{type: 'shell', line}],
    };
  }
  if (/^#(?![#!])[^\n]*$/.test(text) && text.slice(1).trim() !== '') {
    return {state: working(state, 'command'), effects: [{type: 'keep', line: text.slice(1).trim()}]};
  }
  const own = ownCommand(state, text);
  if (own !== undefined) return own;
  const [, name, typed = ''] = COMMAND.exec(text) ?? [];
  if (name !== undefined) return {state: working(add(state, {kind: 'user', text}), 'command'), effects: [{type: 'command', name, typed}]};
  return {state: working(add(state, {kind: 'user', text}), 'turn'), effects: [{type: 'submit', text}]};
}

const COMMAND = /^\/([\w:.-]+)(?:\s+([^]*))?$/;

/** Runs a command of the screen itself; undefined: the text is not one. */
function ownCommand(state: ScreenState, text: string): StateChange<ScreenState> | undefined {
  const [, name, typed = ''] = COMMAND.exec(text) ?? [];
  return name === undefined ? undefined : screenCommand(state, name, typed.trim());
}

function working(state: ScreenState, what: RunningWork['what']): ScreenState {
  return {...state, work: {startedAt: state.now, heardAt: state.now, isCancelling: false, what}};
}

/** Empties the line; its text is the newest prompt of the history. */
function withoutText(state: ScreenState): ScreenState {
  const {suggestions: _suggestions, ...rest} = state;
  const vim = state.vim === undefined ? undefined : vimForNewText(state.vim);
  return {...rest, vim, history: remember(state.history, submittedText(state.editor)), editor: emptied(state.editor)};
}
