import {lineAround, nextStop, previousStop} from './atoms.ts';
import {changed, moved, steppedBack} from './changed.ts';
import {EMPTY_EDITOR, type EditAction, type InputState} from './editor-state.ts';
import {cut, yank, yankEarlier} from './kill-ring.ts';
import {moveVertically} from './move-vertically.ts';
import {foldPaste, pastesNamedIn, withLineFeeds} from './paste-marker.ts';
import {wordEndAfter, wordStartBefore} from './words.ts';

/** The editor after an action. Where there is nothing to do (no text on that side, nothing to undo), text and cursor stay. */
export function edit(state: InputState, action: EditAction): InputState {
  switch (action.type) {
    case 'insert':
      return typed(state, withLineFeeds(action.text));
    case 'paste':
      return pasted(state, action.text);
    case 'move':
      return moved(state, destination(state, action.to));
    case 'vertical':
      return moveVertically(state, action.by, action.width);
    case 'delete':
      return deleted(state, action.what);
    case 'cut':
      return cut(state, action.what);
    case 'yank':
      return yank(state);
    case 'yankEarlier':
      return yankEarlier(state);
    case 'undo':
    case 'redo':
      return steppedBack(state, action.type);
    case 'set':
      return replaced(state, withLineFeeds(action.text), action.cursor);
  }
}

/** An empty editor that still has the cut texts of this one, and the pasted texts that they may name. */
export function emptied({killed, pastes}: InputState): InputState {
  return {...EMPTY_EDITOR, killed, pastes: pastesNamedIn(killed, pastes)};
}

function typed(state: InputState, text: string): InputState {
  if (text === '') return moved(state, state.cursor);
  // A step is a word with the blanks in front of it.
  const beginsWord = /^\s/.test(text) && !/\s$/.test(state.text.slice(0, state.cursor));
  return inserted(state, text, {last: 'type', joins: state.last === 'type' && !beginsWord});
}

function pasted(state: InputState, raw: string): InputState {
  const {text, pastes} = foldPaste(raw, state);
  return inserted({...state, pastes}, text, {last: 'other'});
}

function inserted(state: InputState, part: string, how: {last: InputState['last']; joins?: boolean}): InputState {
  const {text, cursor} = state;
  return changed(state, {text: text.slice(0, cursor) + part + text.slice(cursor), cursor: cursor + part.length, ...how});
}

function deleted(state: InputState, what: 'left' | 'right'): InputState {
  const {text, cursor} = state;
  const [from, to] = what === 'left' ? [previousStop(state, cursor), cursor] : [cursor, nextStop(state, cursor)];
  const isMore = state.last === 'delete';
  return changed(state, {text: text.slice(0, from) + text.slice(to), cursor: from, last: 'delete', joins: isMore});
}

function replaced(state: InputState, text: string, cursor = text.length): InputState {
  return changed(state, {text, cursor, last: 'other'});
}

function destination(state: InputState, to: Extract<EditAction, {type: 'move'}>['to']): number {
  const {text, cursor} = state;
  switch (to) {
    case 'left':
      return previousStop(state, cursor);
    case 'right':
      return nextStop(state, cursor);
    case 'wordLeft':
      return wordStartBefore(state, cursor);
    case 'wordRight':
      return wordEndAfter(state, cursor);
    case 'lineStart':
      return lineAround(text, cursor).start;
    case 'lineEnd':
      return lineAround(text, cursor).end;
    case 'textStart':
      return 0;
    case 'textEnd':
      return text.length;
  }
}
