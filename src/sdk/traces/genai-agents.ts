import {addSpending, NOTHING_SPENT, type Spending} from '../../agent/budget.ts';
import type {AgentStatusChanged, ThreadEvent} from '../../protocol/events.ts';
import type {RequestCompleted} from '../../protocol/request-events.ts';

type AgentEvent = Extract<ThreadEvent, {type: 'agent.event'}>;

/** The spans of one agent other than the thread itself. */
interface AgentSpan {
  observe(event: ThreadEvent): void;
}

interface Agent {
  readonly name: string;
  /** The agent's thread; '' if its own events will name it. */
  readonly threadId: string;
}

/** The spans of all agents of a thread: subagents have events of their own, planner and evaluator only those of the thread. */
export interface AgentSpans {
  takeEvent(event: AgentEvent): void;
  takeStatus(event: AgentStatusChanged): void;
  /** Returns true if the request was one of these agents', and was added to their spans. */
  takeRequest(event: RequestCompleted): boolean;
}

export function createAgentSpans(open: (agent: Agent) => AgentSpan): AgentSpans {
  const children = new Map<string, AgentSpan>();
  /** The agent that made the current request: the items of a reply arrive before the event that completes it. */
  const asking = new Map<string, AgentSpan>();
  const roles = new Map<string, RoleTurn>();

  const childOf = ({agent_id: id, agent: name}: AgentEvent): AgentSpan => {
    const child = children.get(id) ?? open({name, threadId: ''});
    children.set(id, child);
    return child;
  };

  return {
    takeEvent(event) {
      const child = childOf(event);
      const inner = event.event as ThreadEvent;
      if ((inner.type === 'item.started' || inner.type === 'item.completed') && 'request_id' in inner.item) {
        if (typeof inner.item.request_id === 'string') asking.set(inner.item.request_id, child);
      }
      child.observe(inner);
    },
    takeStatus(event) {
      if (event.role !== 'planner' && event.role !== 'evaluator') return;
      if (event.status === 'running') roles.set(event.agent, begun(event, open({name: event.agent, threadId: event.child_thread_id})));
      else {
        const turn = roles.get(event.agent);
        roles.delete(event.agent);
        turn?.end(event);
      }
    },
    takeRequest(event) {
      if (event.agent === undefined) return false;
      const child = asking.get(event.request_id);
      asking.delete(event.request_id);
      const role = roles.get(event.agent);
      if (child === undefined && role === undefined) return false;
      const own: RequestCompleted = {...event, agent: undefined};
      if (child === undefined) role?.ask(own);
      else child.observe(own);
      return true;
    },
  };
}

/** The one turn of a planner or an evaluator. */
interface RoleTurn {
  ask(request: RequestCompleted): void;
  end(status: AgentStatusChanged): void;
}

function begun({child_thread_id: threadId, run_id: turnId}: AgentStatusChanged, span: AgentSpan): RoleTurn {
  const ids = {thread_id: threadId, turn_id: turnId};
  let spent: Spending = NOTHING_SPENT;
  span.observe({type: 'turn.started', ...ids});
  return {
    ask(request) {
      spent = addSpending(spent, {requests: 1, usage: request.usage, costUsd: request.cost_usd});
      span.observe(request);
    },
    end({status, message = status}) {
      const used = {usage: spent.usage, cost_usd: spent.costUsd, num_requests: spent.requests, duration_ms: 0};
      span.observe(
        status === 'completed'
          ? {type: 'turn.completed', ...ids, ...used}
          : {type: 'turn.failed', ...ids, ...used, outcome_code: 'failed', message},
      );
    },
  };
}
