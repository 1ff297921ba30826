import {withLog} from '../agents/agent-log.ts';
import {applyAgentEvent, withAgents} from '../agents/apply-agent-event.ts';
import type {ThreadEvent} from '../../../protocol/events.ts';
import type {Action} from './action.ts';
import {add, applyEvent, settled} from './apply-event.ts';
import {endTurn} from './end-turn.ts';
import type {Entry} from './entry.ts';
import {only} from './only.ts';
import type {ScreenState} from './screen-state.ts';
import type {Steps} from './steps.ts';

/** Steps that add to the conversation, and to those of the subagents. */
export const CONVERSATION_STEPS: Steps<'event' | 'replay' | 'agents' | 'agentLog' | 'entry' | 'shell' | 'ended'> = {
  event: (state, {event}) => only(taken(state, event)),
  // A killed process has left its running entries without an end.
  replay: (state, {events}) => only(add(settled(events.reduce(taken, state)), goesOn(state))),
  agents: (state, {agents}) => only(withAgents(state, agents)),
  agentLog: (state, {id, log}) => only(withLog(state, id, log)),
  entry: (state, {entry}) => only(add(state, entry)),
  shell: (state, action) => only(shellOutput(state, action)),
  ended: endTurn,
};

function taken(state: ScreenState, event: ThreadEvent): ScreenState {
  return applyAgentEvent(applyEvent(state, event), event);
}

function goesOn({info}: ScreenState): Entry {
  const title = info.title === undefined ? '' : `: ${info.title}`;
  return {kind: 'notice', level: 'info', text: `Resumed${title}`};
}

/** The running line of the shell is the newest text that more comes for. */
function shellOutput(state: ScreenState, {output, end}: Extract<Action, {type: 'shell'}>): ScreenState {
  const at = state.entries.findLastIndex((entry) => entry.kind === 'plain' && entry.isRunning === true);
  const entry = state.entries[at];
  if (entry?.kind !== 'plain') return state;
  if (end === undefined) {
    const text = (entry.text + output).slice(-MOST_SHELL);
    return {...state, entries: state.entries.with(at, {...entry, text})};
  }
  const text = [output.trimEnd(), end].filter((part) => part !== '').join('\n') || '(no output)';
  return {...state, entries: state.entries.with(at, {kind: 'plain', text, keeps: 'end'})};
}

/** Characters of running output that are kept; the final event brings everything that is shown of it. */
const MOST_SHELL = 16 * 1024;
