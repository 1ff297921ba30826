import type {DelegatedFinding} from '../../context/memory/envelope.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {ChildRecord} from './child-record.ts';
import {parseFindings} from './findings.ts';

export interface FindingsMerge {
  /** Returns events that precede this one: findings of subagents are in the memory before a turn ends. */
  before(event: ThreadEvent): readonly ThreadEvent[];
}

/**
 * Merges the findings of subagents into the memory of their thread when a turn ends (VT Code architecture ›
 * explicit delegation). Each stays attributed to its subagent. A run that ended just before a crash is merged by
 * the first turn after it; none is merged twice.
 */
export function createFindingsMerge(threadId: string, record: ChildRecord): FindingsMerge {
  return {
    before: ({type}) => (type === 'turn.completed' || type === 'turn.failed' ? findingNotes(threadId, record) : []),
  };
}

/** Returns notes on findings of subagents that the memory of their thread does not have yet. */
export function findingNotes(threadId: string, record: Pick<ChildRecord, 'unmerged'>): readonly ThreadEvent[] {
  return record.unmerged().map(({agent_id: id, run_id: run, response = ''}): ThreadEvent => {
    return {type: 'memory.noted', thread_id: threadId, run_id: run, ...noteOf(parseFindings(id, response))};
  });
}

function noteOf(delegated: DelegatedFinding): Pick<Extract<ThreadEvent, {type: 'memory.noted'}>, 'delegated' | 'facts'> {
  const source = `subagent:${delegated.agent}`;
  return {delegated, ...(delegated.facts.length === 0 ? {} : {facts: delegated.facts.map((fact) => ({fact, source}))})};
}
