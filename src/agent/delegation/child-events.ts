import type {ThreadEvent} from '../../protocol/events.ts';

export interface ChildEvents {
  /** Every event of the child, in order. */
  take(event: ThreadEvent): void;
  /** Returns every text of the child so far. */
  readonly said: readonly string[];
  readonly calls: number;
}

export interface ChildEventsOptions {
  /** Emits to the thread that started the child. */
  readonly emit: (event: ThreadEvent) => void;
  /** The turn that the child belongs to, of that thread. */
  readonly turnId: () => string;
  /** The profile. */
  readonly agent: string;
  /** The id that the thread gives to the child. */
  readonly agentId: string;
  /** Called with a line for each step of the child. */
  readonly onProgress: (line: string) => void;
  /** Called when a call of the child was refused. */
  readonly onRefused: () => void;
  /** Returns true if the thread has gone on without the child, and gets no more events of it. */
  readonly isOver: () => boolean;
}

/** Forwards the events of a child that concern its parent: its requests and its permissions are events of the thread, with its profile. */
export function createChildEvents({emit, turnId, agent, agentId, onProgress, onRefused, isOver}: ChildEventsOptions): ChildEvents {
  const said: string[] = [];
  let calls = 0;

  const takeItem = (item: Extract<ThreadEvent, {type: 'item.completed'}>['item']): void => {
    if (item.type === 'agent_message' && item.text.trim() !== '') said.push(item.text.trim());
    if (item.type === 'harness') onProgress(item.message ?? item.event);
    if (item.type !== 'tool_output') return;
    calls += 1;
    onProgress(`${item.tool_name}: ${item.summary ?? item.status}`);
  };

  return {
    take(event) {
      if (isOver()) return;
      if (event.type === 'item.completed') takeItem(event.item);
      if (!isShared(event)) return;
      if (event.type === 'permission.resolved' && event.decision === 'deny' && event.decided_by !== 'mode:plan') onRefused();
      emit({...withoutCopies(event), turn_id: turnId(), agent, agent_id: agentId});
    },
    said,
    get calls() {
      return calls;
    },
  };
}

type Shared = Extract<ThreadEvent, {type: 'request.completed' | 'request.failed' | 'permission.requested' | 'permission.resolved'}>;

const SHARED: ReadonlySet<ThreadEvent['type']> = new Set<Shared['type']>([
  'request.completed',
  'request.failed',
  'permission.requested',
  'permission.resolved',
]);

/** Drops partial replies and log probabilities: the log of the subagent has them, so here they would be a copy. */
function withoutCopies(event: Shared): Shared {
  if (event.type === 'request.completed') return {...event, logprobs: undefined};
  return event.type === 'request.failed' ? {...event, received: undefined} : event;
}

/** Returns true if an event belongs to the parent thread, too: its budget pays, and its person is asked. */
export function isShared(event: ThreadEvent): event is Shared {
  return SHARED.has(event.type);
}
