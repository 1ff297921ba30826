import {addUsage, NO_USAGE, type Usage} from '../../../protocol/usage.ts';
import {parseEvent} from '../../../protocol/parse-event.ts';
import type {RequestCompleted, RequestFailed} from '../../../protocol/request-events.ts';
import {isFettleError} from '../../../base/errors.ts';

/** The part of an agent's run that its events tell. */
export interface EventSummary {
  /** `outcome_code` of the end; undefined if there was none. */
  readonly outcome: string | undefined;
  readonly threadId: string | undefined;
  /** Why the turn failed. */
  readonly message: string | undefined;
  /** The last answer; '' without one. */
  readonly answer: string;
  readonly requests: number;
  readonly usage: Usage;
  /** null: the price is not known. */
  readonly costUsd: number | null;
}

export const NO_EVENTS: EventSummary = {
  outcome: undefined,
  threadId: undefined,
  message: undefined,
  answer: '',
  requests: 0,
  usage: NO_USAGE,
  costUsd: 0,
};

/** Adds a line of `fettle exec --json`. Until the end is there, usage and cost are the sums of the requests: a killed run is paid, too. */
export function withEvent(before: EventSummary, line: string): EventSummary {
  const event = COUNTED.test(line) ? eventOf(line) : undefined;
  switch (event?.type) {
    case 'request.completed':
    case 'request.failed':
      return withRequest(before, event);
    case 'thread.started':
      return {...before, threadId: before.threadId ?? event.thread_id};
    case 'turn.failed':
      return {...before, message: event.message};
    case 'error':
      return {...before, message: before.message ?? event.message};
    case 'thread.completed':
      return {...before, outcome: event.outcome_code, answer: event.result ?? '', usage: event.usage, costUsd: event.total_cost_usd};
    default:
      return before;
  }
}

type RequestEvent = Pick<RequestCompleted | RequestFailed, 'type' | 'usage' | 'cost_usd'>;

function withRequest(before: EventSummary, {type, usage, cost_usd: cost}: RequestEvent): EventSummary {
  return {
    ...before,
    requests: before.requests + (type === 'request.completed' ? 1 : 0),
    usage: addUsage(before.usage, usage),
    costUsd: before.costUsd === null || cost === null ? null : before.costUsd + cost,
  };
}

/** Most lines are deltas and items, which are not taken apart. */
const COUNTED = /^\{"type":"(?:request\.(?:completed|failed)|turn\.failed|thread\.(?:started|completed)|error)"/;

function eventOf(line: string): Extract<ReturnType<typeof parseEvent>, {known: true}>['event'] | undefined {
  try {
    const parsed = parseEvent(line);
    return parsed.known ? parsed.event : undefined;
  } catch (error) {
    if (isFettleError(error)) return undefined; // a line that was cut off when the agent was killed
    throw error;
  }
}
