import type {StateChange} from '../model/action.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {without} from '../model/without.ts';
import {typingKey} from '../live-commands/command-keys.ts';
import {ANYWHERE} from './anywhere-keys.ts';
import {dialogKey, disarmed, isAnswerable, isWriting} from './dialog-keys.ts';
import type {KeyInput} from './key.ts';
import {actionOf} from './keymap.ts';
import {lineKey} from './line-keys.ts';
import {overlayKey} from './overlay-keys.ts';
import {queueKey, unchosen} from './queue-keys.ts';

/** Passes a key to its target: a dialog, an overlay, the suggestions, the queue, else the input line. */
export function applyKey(before: ScreenState, key: KeyInput): StateChange<ScreenState> {
  const {overlay} = before;
  const isTyping = overlay?.type === 'command' && overlay.mode === 'typing';
  const change = isTyping ? typingKey(disarmed({...before, lastKeyAt: before.now}), overlay, key) : keyChange(before, key);
  const {suggestions} = change.state;
  // True if the results are for an earlier text.
  const isStale = suggestions !== undefined && suggestions === before.suggestions && change.state.editor.text !== before.editor.text;
  return isStale ? {...change, state: without(change.state, 'suggestions')} : change;
}

function keyChange(before: ScreenState, key: KeyInput): StateChange<ScreenState> {
  const state = disarmed({...before, lastKeyAt: before.now});
  const command = actionOf(state.keymap, key, {isEmpty: state.editor.text === ''});
  const anywhere = command === undefined ? undefined : ANYWHERE[command];
  if (anywhere !== undefined) return anywhere(state);
  const dialog = state.dialogs[0];
  // Text typed while a question comes up was not meant for it.
  const isText = key.type === 'paste' && dialog !== undefined && !isWriting(dialog);
  if (dialog !== undefined && !isText && isAnswerable(dialog, before)) return dialogKey(state, dialog, key);
  if (state.overlay !== undefined) return overlayKey(state, state.overlay, key);
  if (state.queueAt === undefined) return lineKey(state, key, command);
  return queueKey(state, key) ?? lineKey(unchosen(state), key, command);
}
