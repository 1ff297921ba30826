import {span, type Line} from '../cells/line.ts';
import {shownRow} from '../cells/shown-text.ts';
import {cutLine} from '../cells/wrap-line.ts';
import {add} from '../model/apply-event.ts';
import type {StateChange} from '../model/action.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {stateText} from './command-screen.ts';
import {runningCommands} from './live-state.ts';

const MOST_ROWS = 3;

/** A row for each command that runs while nothing waits for it, and how to look at them. */
export function runningLines({live, size}: Pick<ScreenState, 'live' | 'size'>): readonly Line[] {
  const running = runningCommands(live);
  const rows = running.length > MOST_ROWS ? running.slice(0, MOST_ROWS - 1) : running;
  const lines = rows.map(({id, command}, index): Line => {
    const hint = index === 0 ? span(' · /ps opens it', 'dim') : undefined;
    const room = size.columns - (hint === undefined ? 0 : hint.text.length);
    const line = cutLine([span('▸ ', 'accent'), span(shownRow(id), 'bold'), span(` ${command}`, 'dim')], Math.max(room, 12));
    return hint === undefined ? line : cutLine([...line, hint], size.columns);
  });
  const more = running.length - rows.length;
  return more === 0 ? lines : [...lines, cutLine([span(`  … ${more} more run`, 'dim')], size.columns)];
}

/** `/ps`: the list to choose from, or with an id the command itself. */
export function openCommands(state: ScreenState, typed: string): StateChange<ScreenState> {
  const {commands} = state.live;
  const chosen = commands.find(({id}) => id === typed);
  if (chosen !== undefined) return {state: {...state, overlay: {type: 'command', id: chosen.id, mode: 'following', up: 0}}, effects: []};
  if (commands.length === 0)
    return {state: add(state, {kind: 'plain', text: 'No command runs in the background.', isDim: true}), effects: []};
  const running = commands.filter(({end}) => end === undefined);
  const ended = commands.filter(({end}) => end !== undefined).toReversed();
  const items = [...running, ...ended].map((command) => ({
    value: command.id,
    label: `${command.id}  ${command.command}`,
    detail: `${stateText(command, state.now)}${command.isKept ? ', goes on after the session' : ''}`,
  }));
  return {state: {...state, overlay: {type: 'picker', title: 'Commands', command: 'ps', items, query: '', at: 0}}, effects: []};
}
