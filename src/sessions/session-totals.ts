import type {OutcomeCode, ThreadEvent} from '../protocol/events.ts';
import {NO_USAGE, addUsage, type Usage} from '../protocol/usage.ts';

export interface SessionTotals {
  /** Usage of all requests, also those of a turn that was cut off, and of attempts that failed. */
  readonly usage: Usage;
  /** US dollars; null as soon as one request had no price. */
  readonly costUsd: number | null;
  readonly turns: number;
  readonly requests: number;
  /** The end of the last turn; `interrupted` if none was logged, undefined before the first turn. */
  readonly outcome: OutcomeCode | 'interrupted' | undefined;
}

export interface TotalsCounter {
  apply(event: ThreadEvent): void;
  totals(): SessionTotals;
}

export function summarizeSession(events: Iterable<ThreadEvent>): SessionTotals {
  const counter = createTotals();
  for (const event of events) counter.apply(event);
  return counter.totals();
}

/** The same, event by event. */
export function createTotals(): TotalsCounter {
  let totals: SessionTotals = {usage: NO_USAGE, costUsd: 0, turns: 0, requests: 0, outcome: undefined};
  return {
    apply(event) {
      if (event.type === 'turn.started') totals = {...totals, turns: totals.turns + 1};
      if (event.type === 'request.completed' || event.type === 'request.failed') {
        const costUsd = totals.costUsd === null || event.cost_usd === null ? null : totals.costUsd + event.cost_usd;
        totals = {...totals, usage: addUsage(totals.usage, event.usage), costUsd, requests: totals.requests + 1};
      }
      const outcome = outcomeAfter(event);
      if (outcome !== undefined) totals = {...totals, outcome};
    },
    totals: () => totals,
  };
}

/** Returns the outcome of a turn according to an event; undefined if the event says nothing of it. */
export function outcomeAfter(event: ThreadEvent): OutcomeCode | 'interrupted' | undefined {
  if (event.type === 'thread.completed' || event.type === 'turn.failed') return event.outcome_code;
  if (event.type === 'turn.completed') return 'success';
  return 'turn_id' in event && event.turn_id !== undefined ? 'interrupted' : undefined;
}
