import {agentsCommand} from '../agents/open-agent.ts';
import type {SessionCommand, ThemePreference} from '../host-adapter.ts';
import type {StateChange} from './action.ts';
import {openCommands} from '../live-commands/running-commands.ts';
import type {ScreenState} from './screen-state.ts';

/** Commands of the screen itself; they come before those of a session. */
export const SCREEN_COMMANDS: readonly SessionCommand[] = [
  {name: 'help', description: 'list keys and commands', group: 'session'},
  {name: 'theme', hint: '[auto | dark | light | none]', description: 'choose colours for a dark or a light terminal', group: 'session'},
  {name: 'agents', hint: '[ID]', description: 'look into a subagent', group: 'session'},
  {name: 'ps', hint: '[ID]', description: 'list commands that run in the background: follow one, type into it, end it', group: 'session'},
];

/** Runs a command of the screen; undefined if it has none of this name. */
export function screenCommand(state: ScreenState, name: string, typed: string): StateChange<ScreenState> | undefined {
  if (name === 'help') return {state: {...state, overlay: {type: 'help', scroll: 0}}, effects: []};
  if (name === 'agents') return agentsCommand(state, typed);
  if (name === 'ps') return openCommands(state, typed);
  if (name !== 'theme') return undefined;
  const theme = state.themes.find((one) => one === typed);
  if (theme !== undefined) return {state, effects: [{type: 'theme', theme}]};
  const items = state.themes.map((value) => ({value, label: value, detail: DETAILS[value]}));
  return {state: {...state, overlay: {type: 'picker', title: 'Theme', command: 'theme', items, query: '', at: 0}}, effects: []};
}

const DETAILS: Readonly<Record<ThemePreference, string>> = {
  auto: 'as the terminal says',
  dark: 'for a dark background',
  light: 'for a light background',
  none: 'without colours',
};
