import {visibleText} from '../../../base/visible-text.ts';
import type {AgentStatusChanged, ThreadEvent} from '../../../protocol/events.ts';
import {applyEvent, settled} from '../model/apply-event.ts';
import type {Entry} from '../model/entry.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {boundedEntries, CLOSED, MOST_ENDED, OPENED} from './bounded-entries.ts';
import {isActive, NOTHING_SPENT, type AgentSpending, type Subagent} from './subagent.ts';

/** Applies an event of the thread to the subagents: status, calls, usage. Other events change nothing. */
export function applyAgentEvent(state: ScreenState, event: ThreadEvent): ScreenState {
  switch (event.type) {
    case 'agent.status':
      return withFewEnded(withStatus(state, event));
    case 'agent.event':
      return withOwnEvent(state, event.agent_id, event.event as ThreadEvent);
    case 'request.completed':
    case 'request.failed':
    case 'permission.requested':
    case 'permission.resolved':
      return event.agent_id === undefined ? state : withOwnEvent(state, event.agent_id, event);
    default:
      return state;
  }
}

/** Applies the latest status of each subagent, including those without any event on the screen. */
export function withAgents(state: ScreenState, agents: readonly AgentStatusChanged[]): ScreenState {
  const known = agents.reduce(withStatus, state);
  const order = new Map(agents.map(({agent_id: id}, index) => [id, index]));
  const at = ({id}: Subagent): number => order.get(id) ?? agents.length;
  return {...known, subagents: known.subagents.toSorted((a, b) => at(a) - at(b))};
}

function withStatus(state: ScreenState, event: AgentStatusChanged): ScreenState {
  const known = state.subagents.find(({id}) => id === event.agent_id);
  if (known === undefined) return {...state, subagents: [...state.subagents, statusOf(newAgent(event, state.now), event, state)]};
  return changed(state, known.id, (agent) => statusOf(agent, event, state));
}

/** A session may have any number of subagents: the oldest of those that have ended keep nothing of their conversation. */
function withFewEnded(state: ScreenState): ScreenState {
  const {subagents, overlay} = state;
  const opened = overlay?.type === 'agent' ? overlay.id : undefined;
  const ended = subagents.filter((agent) => !isActive(agent) && agent.entries.length > 0 && agent.id !== opened);
  if (ended.length <= MOST_ENDED) return state;
  const oldest = new Set(ended.slice(0, -MOST_ENDED));
  return {...state, subagents: subagents.map((agent) => (oldest.has(agent) ? {...agent, entries: [], isCut: true} : agent))};
}

function newAgent({agent_id: id, agent}: AgentStatusChanged, now: number): Subagent {
  return {
    id,
    profile: visibleText(agent),
    status: 'queued',
    isAsking: false,
    task: '',
    entries: [],
    isCut: false,
    hasNoLog: false,
    spent: NOTHING_SPENT,
    heardAt: now,
  };
}

function statusOf(agent: Subagent, {status, task, message}: AgentStatusChanged, state: ScreenState): Subagent {
  const next: Subagent = {
    ...agent,
    status,
    task: visibleText(task),
    message: message === undefined ? undefined : visibleText(message),
    heardAt: state.now,
  };
  if (isActive(next)) return {...next, since: status === 'queued' ? undefined : (agent.since ?? state.now)};
  const workedMs = agent.spent.workedMs + (agent.since === undefined ? 0 : state.now - agent.since);
  const {entries} = settled({...state, entries: agent.entries});
  return {...next, isAsking: false, since: undefined, entries, spent: {...agent.spent, workedMs}};
}

function withOwnEvent(state: ScreenState, id: string, event: ThreadEvent): ScreenState {
  const agent = state.subagents.find((one) => one.id === id);
  if (agent === undefined) return state;
  const {overlay} = state;
  const opened = overlay?.type === 'agent' && overlay.id === id ? overlay : undefined;
  const {entries, dropped} = boundedEntries(entriesAfter(agent.entries, event, state), opened === undefined ? CLOSED : OPENED);
  const next = changed(state, id, () => ({
    ...agent,
    entries,
    isCut: agent.isCut || dropped > 0,
    isAsking: event.type === 'permission.requested' || (agent.isAsking && event.type !== 'permission.resolved'),
    spent: spentAfter(agent.spent, event),
    // Silence is reported by the harness itself.
    heardAt: event.type === 'item.completed' && event.item.type === 'harness' ? agent.heardAt : state.now,
  }));
  // The rows that are shown stay where they are when the oldest entries go.
  if (dropped === 0 || opened?.from === undefined) return next;
  const {entry, skip} = opened.from;
  return {...next, overlay: {...opened, from: entry < dropped ? {entry: 0, skip: 0} : {entry: entry - dropped, skip}}};
}

/** A conversation of a subagent is one like that of the thread. */
export function entriesAfter(entries: readonly Entry[], event: ThreadEvent, state: ScreenState): readonly Entry[] {
  return applyEvent({...state, entries}, event).entries;
}

/** Returns what a subagent has used after one more event. */
export function spentAfter(spent: AgentSpending, event: ThreadEvent): AgentSpending {
  if (event.type === 'item.completed' && event.item.type === 'tool_output') return {...spent, calls: spent.calls + 1};
  if (event.type !== 'request.completed' && event.type !== 'request.failed') return spent;
  return {
    ...spent,
    requests: spent.requests + (event.type === 'request.completed' ? 1 : 0),
    inputTokens: spent.inputTokens + event.usage.input_tokens,
    outputTokens: spent.outputTokens + event.usage.output_tokens,
  };
}

/** The state with one of its subagents changed. */
export function changed(state: ScreenState, id: string, change: (agent: Subagent) => Subagent): ScreenState {
  const at = state.subagents.findIndex((agent) => agent.id === id);
  const agent = state.subagents[at];
  return agent === undefined ? state : {...state, subagents: state.subagents.with(at, change(agent))};
}
