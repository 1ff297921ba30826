import type {SessionCommand} from '../host-adapter.ts';
import type {Change} from './action.ts';
import {openCommands} from '../terminal-view/running-commands.ts';
import type {ScreenState} from './screen-state.ts';

/** Commands of the screen itself: they stand in front of those of a session. */
export const SCREEN_COMMANDS: readonly SessionCommand[] = [
  {name: 'help', description: 'keys and commands', group: 'session'},
  {name: 'ps', hint: '[ID]', description: 'the commands that run in the background: follow one, type into it, end it', group: 'session'},
  {name: 'theme', hint: '[auto | dark | light]', description: 'colours for a dark or a light terminal', group: 'session'},
];

/** Runs a command of the screen; undefined where it has none of this name. */
export function screenCommand(state: ScreenState, name: string, typed: string): Change<ScreenState> | undefined {
  if (name === 'help') return {state: {...state, overlay: {type: 'help', scroll: 0}}, effects: []};
  if (name === 'ps') return openCommands(state, typed);
  if (name !== 'theme') return undefined;
  const theme = THEMES.find(({value}) => value === typed)?.value;
  if (theme !== undefined) return {state, effects: [{type: 'theme', theme}]};
  return {state: {...state, overlay: {type: 'picker', title: 'Theme', command: 'theme', items: THEMES, query: '', at: 0}}, effects: []};
}

const THEMES = [
  {value: 'auto', label: 'auto', detail: 'as the terminal says'},
  {value: 'dark', label: 'dark'},
  {value: 'light', label: 'light'},
] as const;
