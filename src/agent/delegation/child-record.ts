import type {AgentStatusChanged, ThreadEvent} from '../../protocol/events.ts';

/** The record of subagents in the log of a thread. Only what `observe` has seen. */
export interface ChildRecord {
  observe(event: ThreadEvent): void;
  /**
   * The latest status of each subagent that works beside the thread, in the order of their starts; then those of calls that waited for an answer
   * and were interrupted with their process: nothing waits for those any longer, and they can continue in the same way.
   */
  all(): readonly AgentStatusChanged[];
  get(agentId: string): AgentStatusChanged | undefined;
  /** The latest status of every subagent that the thread has had, including those of calls and of the harness, in the order of their starts. */
  every(): readonly AgentStatusChanged[];
  /** Records that a call of this process waits for the subagent's answer, so that it takes no further messages. */
  attend(agentId: string): void;
  /** Runs that ended and whose findings are not yet in the memory of the thread. */
  unmerged(): readonly AgentStatusChanged[];
  /** The first of `<name>-1`, `<name>-2` … that no subagent has. */
  freeId(name: string): string;
}

/**
 * Creates a projection of the log: each `agent.status` is the latest status of a subagent, and a `memory.noted`
 * with a run's id shows that its findings are merged.
 */
export function createChildRecord(): ChildRecord {
  const newest = new Map<string, AgentStatusChanged>();
  const unmerged = new Map<string, AgentStatusChanged>();
  const merged = new Set<string>();
  const every = new Map<string, AgentStatusChanged>();
  const attended = new Set<string>();
  const cutOff = new Map<string, AgentStatusChanged>();
  return {
    attend: (agentId) => void attended.add(agentId),
    observe(event) {
      if (event.type === 'memory.noted' && event.run_id !== undefined) {
        merged.add(event.run_id);
        unmerged.delete(event.run_id);
      }
      if (event.type !== 'agent.status') return;
      every.set(event.agent_id, event);
      cutOff.delete(event.agent_id);
      if (event.role === undefined) newest.set(event.agent_id, event);
      // A continued subagent works beside the thread.
      else if (isWaitedFor(event) && !attended.has(event.agent_id)) cutOff.set(event.agent_id, {...event, role: undefined});
      if (event.response !== undefined && !merged.has(event.run_id)) unmerged.set(event.run_id, event);
    },
    all: () => [...newest.values(), ...cutOff.values()],
    every: () => [...every.values()],
    get: (agentId) => newest.get(agentId) ?? cutOff.get(agentId),
    unmerged: () => [...unmerged.values()],
    freeId(name) {
      for (let number = 1; ; number += 1) if (!every.has(`${name}-${number}`)) return `${name}-${number}`;
    },
  };
}

function isWaitedFor({role, status}: AgentStatusChanged): boolean {
  return role === 'task' && status === 'running';
}
