import type {AgentStatusChanged} from '../../../protocol/events.ts';
import type {Entry} from '../model/entry.ts';

/** A subagent of the conversation, with the kept part of its own conversation. */
export interface Subagent {
  /** As the thread calls it: `worker-1`. */
  readonly id: string;
  readonly profile: string;
  readonly status: AgentStatusChanged['status'];
  /** True if a call of the subagent waits for a person. */
  readonly isAsking: boolean;
  /** The beginning of its task. */
  readonly task: string;
  /** The reason why it did not complete. */
  readonly message?: string | undefined;
  /** The newest entries of its conversation: few while it is not shown, see `bounded-entries.ts`. */
  readonly entries: readonly Entry[];
  /** True if earlier entries were left out. */
  readonly isCut: boolean;
  /** Its log was asked for, and there is none. */
  readonly hasNoLog: boolean;
  readonly spent: AgentSpending;
  /** The time at which the subagent began its newest order; absent while it does not work. */
  readonly since?: number | undefined;
  /** The time of its last event. */
  readonly heardAt: number;
}

export interface AgentSpending {
  readonly requests: number;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Milliseconds, of the orders that have ended. */
  readonly workedMs: number;
}

export const NOTHING_SPENT: AgentSpending = {requests: 0, calls: 0, inputTokens: 0, outputTokens: 0, workedMs: 0};

/** The view into one subagent, over the whole screen. */
export interface AgentOverlay {
  readonly type: 'agent';
  readonly id: string;
  /** The first row shown; absent: the newest rows are shown. */
  readonly from?: RowPlace | undefined;
  /** True: every call is shown with its full input and output. */
  readonly isWhole: boolean;
  /** The key that cancels it was pressed once. */
  readonly isCancelArmed?: boolean | undefined;
}

/** A row of a conversation: an entry, and how many of its rows are above. */
export interface RowPlace {
  readonly entry: number;
  readonly skip: number;
}

/** Returns true if it works, or waits to work. */
export function isActive({status}: Pick<Subagent, 'status'>): boolean {
  return status === 'queued' || status === 'running' || status === 'waiting';
}

/** Returns true if it waits for a model, as far as its events show: none of its calls runs, and nobody is asked. */
export function waitsForModel(agent: Subagent): boolean {
  return isActive(agent) && agent.status !== 'queued' && !agent.isAsking && !hasRunningCall(agent.entries);
}

/** Returns true if a call has not ended. */
export function hasRunningCall(entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.kind === 'tool' && entry.state === 'running');
}

const WORDS: Readonly<Record<Subagent['status'], string>> = {
  queued: 'queued',
  running: 'running',
  waiting: 'waits for approval',
  completed: 'done',
  failed: 'failed',
  closed: 'cancelled',
};

/** Its status, for a person. */
export function statusWord({status, isAsking}: Pick<Subagent, 'status' | 'isAsking'>): string {
  return isAsking && status === 'running' ? WORDS.waiting : WORDS[status];
}
