import type {StateChange} from '../model/action.ts';
import type {KeyInput} from '../keys/key.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {commandBody} from './command-screen.ts';
import {keyBytes} from './key-bytes.ts';
import type {CommandOverlay} from './live-state.ts';

/** The key that ends typing into a command, as in telnet: hardly a program wants it. */
export const LEAVE_TYPING = 'ctrl+]';

/** Keys while a command is followed in full; Esc leaves, and is not asked here except for the question whether it is to end. */
export function commandKey(state: ScreenState, overlay: CommandOverlay, key: KeyInput): StateChange<ScreenState> {
  const command = state.live.commands.find(({id}) => id === overlay.id);
  const name = key.type === 'key' ? key.name : '';
  const isRunning = command !== undefined && command.end === undefined;
  if (overlay.mode === 'ending') return answered(state, overlay, name === 'y' && isRunning);
  if (name === 'q') return left(state);
  if (name === 'i' && isRunning && command.isInteractive) return shown(state, {...overlay, mode: 'typing', up: 0});
  if (name === 'x' && isRunning) return shown(state, {...overlay, mode: 'ending'});
  const move = MOVES[name];
  if (move === undefined) return shown(state, overlay);
  const {most, least} = commandBody(state, overlay).range;
  const page = Math.max(1, state.size.rows - 2);
  return shown(state, {...overlay, up: Math.max(least, Math.min(most, move(overlay.up, page)))});
}

/** Keys while the person types into a command: all go to the command, except the one that leaves. */
export function typingKey(state: ScreenState, overlay: CommandOverlay, key: KeyInput): StateChange<ScreenState> {
  if (key.type === 'key' && key.name === LEAVE_TYPING) return shown(state, {...overlay, mode: 'following'});
  const content = state.live.contents[overlay.id];
  const modes = content?.type === 'screen' ? content.screen : {applicationKeys: false, bracketedPaste: false};
  const bytes = keyBytes(key, modes);
  return {state, effects: bytes === undefined ? [] : [{type: 'typeInto', id: overlay.id, bytes}]};
}

/** From a number of rows above the followed ones to another; as in less. */
const MOVES: Readonly<Record<string, (up: number, page: number) => number>> = {
  up: (up) => up + 1,
  k: (up) => up + 1,
  down: (up) => up - 1,
  j: (up) => up - 1,
  pageup: (up, page) => up + page,
  b: (up, page) => up + page,
  pagedown: (up, page) => up - page,
  space: (up, page) => up - page,
  home: () => Number.POSITIVE_INFINITY,
  g: () => Number.POSITIVE_INFINITY,
  end: () => 0,
  G: () => 0,
  'shift+g': () => 0,
};

function answered(state: ScreenState, overlay: CommandOverlay, isMeant: boolean): StateChange<ScreenState> {
  const change = shown(state, {...overlay, mode: 'following'});
  return isMeant ? {...change, effects: [{type: 'endCommand', id: overlay.id}]} : change;
}

function shown(state: ScreenState, overlay: CommandOverlay): StateChange<ScreenState> {
  return {state: {...state, overlay}, effects: []};
}

function left(state: ScreenState): StateChange<ScreenState> {
  const {overlay: _overlay, ...rest} = state;
  return {state: rest, effects: []};
}
