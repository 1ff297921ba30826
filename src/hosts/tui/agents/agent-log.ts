import type {ThreadEvent} from '../../../protocol/events.ts';
import type {SubagentLog} from '../host-adapter.ts';
import {settled} from '../model/apply-event.ts';
import {isFinal, type Entry} from '../model/entry.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {changed, entriesAfter, spentAfter} from './apply-agent-event.ts';
import {boundedEntries, CLOSED, OPENED} from './bounded-entries.ts';
import {isActive, NOTHING_SPENT, type AgentSpending, type Subagent} from './subagent.ts';

/** Puts the conversation from the log of a subagent in front of newer entries. undefined: without a log. */
export function withLog(state: ScreenState, id: string, log: SubagentLog | undefined): ScreenState {
  if (log === undefined) return changed(state, id, (agent) => ({...agent, hasNoLog: true}));
  return changed(state, id, (agent) => {
    const read = log.events.reduce((entries, event) => entriesAfter(entries, event, state), [] as readonly Entry[]);
    const merged = mergedEntries(isActive(agent) ? read : settled({...state, entries: read}).entries, agent.entries);
    const {entries, dropped} = boundedEntries(merged, OPENED);
    const spent = log.isCut ? agent.spent : mostOf(agent, log.events);
    return {...agent, entries, isCut: log.isCut || dropped > 0, hasNoLog: false, spent};
  });
}

/** Keeps only the newest entries of subagents that are no longer shown: the log has the rest. */
export function released(before: ScreenState, after: ScreenState): ScreenState {
  const left = before.overlay?.type === 'agent' ? before.overlay.id : undefined;
  if (left === undefined || (after.overlay?.type === 'agent' && after.overlay.id === left)) return after;
  return changed(after, left, (agent) => {
    const {entries, dropped} = boundedEntries(agent.entries, CLOSED);
    return {...agent, entries, isCut: agent.isCut || dropped > 0};
  });
}

/** Merges the log with text and output that are still arriving. Entries without an id are in the log already. */
function mergedEntries(read: readonly Entry[], live: readonly Entry[]): readonly Entry[] {
  const newer = new Map(live.flatMap((entry) => (idOf(entry) === undefined ? [] : [[idOf(entry), entry] as const])));
  const merged = read.map((entry) => {
    const id = idOf(entry);
    const other = newer.get(id);
    newer.delete(id);
    return other === undefined || isFinal(entry) ? entry : other;
  });
  return [...merged, ...newer.values()];
}

function idOf(entry: Entry): string | undefined {
  return 'id' in entry && entry.id !== '' ? entry.id : undefined;
}

/** The log is complete for finished items; for running ones the screen may know more. */
function mostOf({spent}: Subagent, events: readonly ThreadEvent[]): AgentSpending {
  const logged = events.reduce(spentAfter, NOTHING_SPENT);
  const workedMs = events.reduce(
    (ms, event) => ms + (event.type === 'turn.completed' || event.type === 'turn.failed' ? event.duration_ms : 0),
    0,
  );
  return {
    requests: Math.max(spent.requests, logged.requests),
    calls: Math.max(spent.calls, logged.calls),
    inputTokens: Math.max(spent.inputTokens, logged.inputTokens),
    outputTokens: Math.max(spent.outputTokens, logged.outputTokens),
    workedMs: Math.max(spent.workedMs, workedMs),
  };
}
