import {agentKey} from '../agents/agent-keys.ts';
import {graphemes} from '../cells/cell-width.ts';
import {edit} from '../editor/edit.ts';
import type {StateChange} from '../model/action.ts';
import {besideTurn} from '../model/beside-turn.ts';
import {searchEarlier, searchFor} from '../editor/history-search.ts';
import type {KeyInput} from './key.ts';
import {matchingItems} from '../model/matching-items.ts';
import {beginQueued} from '../model/queued.ts';
import {screenCommand} from '../model/screen-commands.ts';
import {commandKey} from '../live-commands/command-keys.ts';
import type {HistoryOverlay, Overlay, PickerOverlay, ScreenState} from '../model/screen-state.ts';

/** Keys while an overlay is open. Esc leaves every one of them. */
export function overlayKey(state: ScreenState, overlay: Overlay, key: KeyInput): StateChange<ScreenState> {
  if (key.type === 'key' && key.name === 'escape' && !isAsking(overlay)) return closed(state);
  switch (overlay.type) {
    case 'picker':
      return pickerKey(state, overlay, key);
    case 'pager':
    case 'diff':
    case 'help':
      return {state, effects: [{type: 'pagerKey', key}]};
    case 'agent':
      return agentKey(state, overlay, key);
    case 'command':
      return commandKey(state, overlay, key);
    case 'history':
      return historyKey(state, overlay, key);
  }
}

/** Esc is its answer. */
function isAsking(overlay: Overlay): boolean {
  return ('isTyping' in overlay && overlay.isTyping === true) || (overlay.type === 'command' && overlay.mode === 'ending');
}

function pickerKey(state: ScreenState, overlay: PickerOverlay, key: KeyInput): StateChange<ScreenState> {
  const found = matchingItems(overlay.items, overlay.query);
  const name = key.type === 'key' ? key.name : '';
  const move = (to: number): StateChange<ScreenState> => shown(state, {...overlay, at: Math.max(0, Math.min(found.length - 1, to))});
  if (name === 'up') return move(overlay.at - 1);
  if (name === 'down') return move(overlay.at + 1);
  if (name === 'pageup') return move(overlay.at - 10);
  if (name === 'pagedown') return move(overlay.at + 10);
  if (name === 'enter') {
    const chosen = found[overlay.at];
    if (chosen === undefined) return shown(state, overlay);
    const rest = left(state).state;
    const own = screenCommand(rest, overlay.command, chosen.value);
    if (own !== undefined) return own;
    const text = `/${overlay.command} ${chosen.value}`;
    if (state.work !== undefined) return besideTurn(rest, text) ?? {state: {...rest, queue: [...state.queue, text]}, effects: []};
    const work = {startedAt: state.now, heardAt: state.now, isCancelling: false, what: 'command'} as const;
    return {state: {...rest, work}, effects: [{type: 'command', name: overlay.command, typed: chosen.value}]};
  }
  const query = typedInto(overlay.query, key);
  return shown(state, query === overlay.query ? overlay : {...overlay, query, at: 0});
}

function historyKey(state: ScreenState, {search}: HistoryOverlay, key: KeyInput): StateChange<ScreenState> {
  const name = key.type === 'key' ? key.name : '';
  if (name === 'enter' || name === 'tab') {
    const text = search.match?.prompt ?? state.editor.text;
    return {state: {...left(state).state, editor: edit(state.editor, {type: 'set', text})}, effects: []};
  }
  if (name === 'ctrl+r' || name === 'up') return shown(state, {type: 'history', search: searchEarlier(state.history, search)});
  return shown(state, {type: 'history', search: searchFor(state.history, search, typedInto(search.query, key))});
}

function typedInto(query: string, key: KeyInput): string {
  if (key.type === 'paste') return query + key.text.split('\n', 1)[0];
  if (key.name === 'backspace') return graphemes(query).slice(0, -1).join('');
  if (key.name === 'ctrl+u') return '';
  return key.text === undefined ? query : query + key.text;
}

function shown(state: ScreenState, overlay: Overlay): StateChange<ScreenState> {
  return {state: {...state, overlay}, effects: []};
}

/** Closes the overlay without a choice; queued input then starts. */
function closed(state: ScreenState): StateChange<ScreenState> {
  const change = left(state);
  return (state.work === undefined ? beginQueued(change.state) : undefined) ?? change;
}

function left(state: ScreenState): StateChange<ScreenState> {
  const {overlay: _overlay, ...rest} = state;
  return {state: rest, effects: []};
}
