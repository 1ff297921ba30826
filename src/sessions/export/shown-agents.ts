import type {SubagentLog} from './subagent-logs.ts';
import type {Transcript} from './transcript.ts';

/** Gives each subagent of a thread once: to the call that started it, or at the end. */
export interface ShownAgents {
  /** Returns subagents that the call with this item id started, each once. */
  of(callItemId: string): readonly SubagentLog[];
  /** Those that no call was asked for. */
  others(): readonly SubagentLog[];
}

export function createShownAgents(logs: readonly SubagentLog[]): ShownAgents {
  const left = new Set(logs);
  const take = (wanted: (log: SubagentLog) => boolean): readonly SubagentLog[] => {
    const found = [...left].filter(wanted);
    for (const log of found) left.delete(log);
    return found;
  };
  return {of: (callItemId) => take(({callId}) => callId === callItemId), others: () => take(() => true)};
}

/** A line that says who a subagent is: `Subagent explore-task-1 (explore, script/demo): success, 2 requests`. */
export function describeAgent({agent, threadId}: SubagentLog, {started, totals}: Transcript): string {
  const facts = [started?.agent ?? agent?.agent, started?.model].filter((fact) => fact !== undefined).join(', ');
  const requests = `${totals.requests} ${totals.requests === 1 ? 'request' : 'requests'}`;
  return `Subagent ${agent?.agent_id ?? threadId}${facts === '' ? '' : ` (${facts})`}: ${totals.outcome ?? 'no turn yet'}, ${requests}`;
}
