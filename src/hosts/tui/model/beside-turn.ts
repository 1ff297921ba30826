import {add} from './apply-event.ts';
import type {StateChange} from './action.ts';
import {screenCommand} from './screen-commands.ts';
import type {ScreenState} from './screen-state.ts';

/** Runs a command while a turn goes on; undefined for commands that have to wait for its end. */
export function besideTurn(state: ScreenState, text: string): StateChange<ScreenState> | undefined {
  const [, name, typed = ''] = /^\/([\w:.-]+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
  if (name === undefined) return undefined;
  const own = screenCommand(state, name, typed);
  if (own !== undefined) return own;
  const when = state.commands.find((command) => command.name === name)?.whileWorking;
  if (when === undefined || (when === 'bare' && typed !== '')) return undefined;
  return {state: add(state, {kind: 'user', text}), effects: [{type: 'command', name, typed, isBeside: true}]};
}
