import {FettleError} from '../../base/errors.ts';
import type {AgentStatusChanged} from '../../protocol/events.ts';
import {findSession} from '../../sessions/session-files.ts';
import {assertArguments} from '../arguments/check-arguments.ts';
import {earlierEvents, type EarlierEvents} from './earlier-events.ts';
import type {OneRun} from './single-run.ts';
import type {Delegation} from '../subagents/open-delegation.ts';
import {THREAD_ARGUMENTS} from '../arguments/thread-arguments.ts';

/** Shows the subagents of a thread to a person, and lets them end one. */
export interface ThreadAgents {
  /**
   * The latest state of every subagent that the thread has had, in the order in which they were started. A
   * subagent that died with its process counts as failed.
   */
  agents(): readonly AgentStatusChanged[];
  /** Returns the newest events of the log of a subagent, at most so many. Throws NOT_FOUND for an unknown subagent, or if its log was deleted. */
  agentEvents(agentId: string, most: number): EarlierEvents;
  /** Ends one subagent and nothing else; an agent that waits for it is notified. Returns false if it is not working. Throws NOT_FOUND. */
  cancelAgent(agentId: string): Promise<boolean>;
  /**
   * Aborts the open model requests of the thread and its subagents, or those of one subagent, and sends them again
   * at once; the turn goes on. The part of a reply that had arrived is discarded, as after every retry
   * (`request.failed`, `model_retry`). Returns the number of requests.
   */
  retryRequest(agentId?: string): number;
}

export interface AgentsOptions {
  readonly delegation: Delegation;
  readonly calls: Pick<OneRun, 'assertOpen'>;
}

export function threadAgents({delegation, calls}: AgentsOptions): ThreadAgents {
  const {record, requests, session} = delegation;
  // A state that this process has not reported itself comes from a process that has ended.
  const earlier = new Set(record.every());
  const known = (agentId: string): AgentStatusChanged => {
    const entries = record.every();
    const entry = entries.find(({agent_id: id}) => id === agentId);
    if (entry !== undefined) return entry;
    const hint = entries.length === 0 ? 'None was started.' : `There are: ${entries.map(({agent_id: id}) => id).join(', ')}.`;
    throw new FettleError({code: 'NOT_FOUND', message: `There is no subagent "${agentId}".`, hint});
  };
  return {
    agents: () => record.every().map((entry) => (earlier.has(entry) && isActive(entry) ? cutOff(entry) : entry)),
    agentEvents(agentId, most) {
      assertArguments('thread.agentEvents', THREAD_ARGUMENTS.agentEvents, [agentId, most]);
      const {child_thread_id: threadId} = known(agentId);
      return earlierEvents(findSession(session.paths.stateDir, threadId).file, most);
    },
    async cancelAgent(agentId) {
      assertArguments('thread.cancelAgent', THREAD_ARGUMENTS.cancelAgent, [agentId]);
      calls.assertOpen();
      known(agentId);
      return await delegation.cancel(agentId);
    },
    retryRequest(agentId) {
      assertArguments('thread.retryRequest', THREAD_ARGUMENTS.retryRequest, [agentId]);
      calls.assertOpen();
      return requests.retry(agentId);
    },
  };
}

function isActive({status}: AgentStatusChanged): boolean {
  return status === 'queued' || status === 'running' || status === 'waiting';
}

function cutOff(entry: AgentStatusChanged): AgentStatusChanged {
  return {...entry, status: 'failed', message: 'It was cut off.'};
}
