import {edit} from '../editor/edit.ts';
import type {TurnEnding} from '../host-adapter.ts';
import type {Action, StateChange, ScreenEffect} from './action.ts';
import {add, settled} from './apply-event.ts';
import type {Entry} from './entry.ts';
import {only} from './only.ts';
import {backToEditor, beginQueued} from './queued.ts';
import type {ScreenState} from './screen-state.ts';

/** The turn is over: its ending is shown, and the next of the queue begins. An agent may have left entries open. */
export function endTurn(state: ScreenState, {ending}: Extract<Action, {type: 'ended'}>): StateChange<ScreenState> {
  const wasCancelled = ending?.outcome === 'cancelled';
  const {work, ...rest} = settled(state);
  const withLines = withEnding(rest, ending);
  const wasLong = work !== undefined && state.now - work.startedAt > LONG_TURN;
  const notify: ScreenEffect = {type: 'notify', kind: 'turn_ended', text: ending?.lines[0] ?? 'The turn has ended.'};
  // Input typed ahead may be meant for the choice made here.
  if (withLines.overlay?.type === 'picker' && !wasCancelled) return only(withLines);
  // Input typed ahead of a cancelled turn relied on its result: it goes back to the person.
  const begun = wasCancelled ? undefined : beginQueued(withLines);
  return begun ?? {state: offered(backToEditor(withLines), ending), effects: ending === undefined || !wasLong ? [] : [notify]};
}

function withEnding(state: ScreenState, ending: TurnEnding | undefined): ScreenState {
  const lines = ending?.lines.filter((line) => !isAlreadyShown(state, line)) ?? [];
  return ending === undefined || lines.length === 0 ? state : add(state, endingEntry({...ending, lines}));
}

/** The end of a turn that takes longer rings the bell. Milliseconds. */
const LONG_TURN = 10_000;

/** True if the end of a turn repeats its last event. */
function isAlreadyShown({entries}: ScreenState, line: string): boolean {
  const last = entries.at(-1);
  return last?.kind === 'notice' && last.text === line;
}

/** A limit is not an end: Enter goes on. */
function offered(state: ScreenState, ending: TurnEnding | undefined): ScreenState {
  if (ending?.outcome !== 'limit' || state.editor.text !== '') return state;
  return {...state, editor: edit(state.editor, {type: 'set', text: 'go on'})};
}

function endingEntry({outcome, lines}: TurnEnding): Entry {
  const text = lines.join('\n');
  return outcome === 'success' || outcome === 'cancelled'
    ? {kind: 'plain', text, isDim: true}
    : {kind: 'notice', level: outcome === 'limit' ? 'warning' : 'error', text};
}
