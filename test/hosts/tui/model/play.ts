import type {Action, ScreenEffect} from '../../../../src/hosts/tui/model/action.ts';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState, type ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {updateScreen} from '../../../../src/hosts/tui/pager/update-screen.ts';
import {keyOf} from '../../../screen/test-screen.ts';

/** A key by its name, milliseconds that pass, or an action. */
export type Move = string | number | Action;

export interface Played {
  readonly state: ScreenState;
  readonly effects: readonly ScreenEffect[];
}

export const EMPTY = initialState({
  size: {columns: 80, rows: 24},
  now: 0,
  appName: 'Fettle',
  folder: 'project',
  prompts: ['older', 'newer'],
  keymap: createKeymap().keymap,
});

/** The state after some moves, and the effects of all of them. */
export function play(moves: readonly Move[], from: ScreenState = EMPTY): Played {
  let state = from;
  const effects: ScreenEffect[] = [];
  for (const move of moves) {
    if (typeof move === 'number') state = {...state, now: state.now + move};
    else {
      const action = typeof move === 'string' ? ({type: 'key', key: keyOf(move)} as const) : move;
      const change = updateScreen(state, action, state.now);
      ({state} = change);
      effects.push(...change.effects);
    }
  }
  return {state, effects};
}

/** Characters one by one. */
export const typed = (text: string): readonly string[] => Array.from(text, (char) => (char === ' ' ? 'space' : char));
export const pasted = (text: string): Action => ({type: 'key', key: {type: 'paste', text}});
/** The frame is on the screen. */
export const drawn: Action = {type: 'drawn', printed: EMPTY.printed};
