import type {StateChange} from '../model/action.ts';
import {add} from '../model/apply-event.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {isActive, statusWord} from './subagent.ts';

/** Opens the view into a subagent; its log is asked for. */
export function openAgent(state: ScreenState, id: string, isWhole = false): StateChange<ScreenState> {
  return {state: {...state, overlay: {type: 'agent', id, isWhole}}, effects: [{type: 'agentLog', id}]};
}

/**
 * Opens the view of the subagent that asks, else the newest working one, else the newest. If the view is open,
 * closes it and leaves a question unanswered.
 */
export function toggleAgent(state: ScreenState): StateChange<ScreenState> {
  const {subagents, dialogs, overlay, ...rest} = state;
  if (overlay?.type === 'agent') return {state: {...rest, subagents, dialogs}, effects: []};
  const [dialog] = dialogs;
  const asking = dialog?.type === 'approval' ? subagents.find(({id}) => id === dialog.question.agent) : undefined;
  const agent = asking ?? subagents.findLast(isActive) ?? subagents.at(-1);
  return agent === undefined ? none(state) : openAgent(state, agent.id);
}

/** `/agents`: a list to choose from, or the one that is named. */
export function agentsCommand(state: ScreenState, typed: string): StateChange<ScreenState> {
  const {subagents} = state;
  if (subagents.length === 0) return none(state);
  if (subagents.some(({id}) => id === typed)) return openAgent(state, typed);
  const items = subagents.toReversed().map((agent) => ({
    value: agent.id,
    label: agent.id,
    detail: `${statusWord(agent)} · ${agent.task.replaceAll(/\s+/g, ' ')}`,
  }));
  return {state: {...state, overlay: {type: 'picker', title: 'Subagents', command: 'agents', items, query: typed, at: 0}}, effects: []};
}

function none(state: ScreenState): StateChange<ScreenState> {
  return {state: add(state, {kind: 'plain', text: 'No subagent was started.'}), effects: []};
}
