import type {OutcomeCode} from '../protocol/events.ts';
import {addUsage, NO_USAGE, type Usage} from '../protocol/usage.ts';

/** What a run may use up; undefined: no bound. */
export interface Limits {
  /** Requests to the model. */
  readonly maxTurns?: number | undefined;
  /** Input and output tokens together. */
  readonly maxTokens?: number | undefined;
  readonly maxCostUsd?: number | undefined;
  readonly maxTimeMs?: number | undefined;
  /** Calls of tools; counted for subagents. */
  readonly maxToolCalls?: number | undefined;
}

export interface Spending {
  readonly requests: number;
  readonly usage: Usage;
  /** null: a request was made for which no price is known. */
  readonly costUsd: number | null;
}

export const NOTHING_SPENT: Spending = {requests: 0, usage: NO_USAGE, costUsd: 0};

export function addSpending(a: Spending, b: Spending): Spending {
  return {
    requests: a.requests + b.requests,
    usage: addUsage(a.usage, b.usage),
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  };
}

export interface Excess {
  readonly outcome: Extract<OutcomeCode, 'turn_limit_reached' | 'token_limit_reached' | 'budget_limit_reached' | 'time_limit_reached'>;
  readonly message: string;
  readonly hint: string;
}

/** Why no further request may be made; undefined where one may. `elapsedMs` since the run began. */
export function excess(limits: Limits, spent: Spending, elapsedMs: number): Excess | undefined {
  const tokens = spent.usage.input_tokens + spent.usage.output_tokens;
  if (limits.maxTurns !== undefined && spent.requests >= limits.maxTurns) {
    return {outcome: 'turn_limit_reached', message: `The limit of ${limits.maxTurns} turns is reached.`, hint: again('--max-turns')};
  }
  if (limits.maxTokens !== undefined && tokens >= limits.maxTokens) {
    const message = `The limit of ${limits.maxTokens} tokens is reached: ${tokens} were used.`;
    return {outcome: 'token_limit_reached', message, hint: again('--max-tokens')};
  }
  if (limits.maxCostUsd !== undefined && spent.costUsd !== null && spent.costUsd >= limits.maxCostUsd) {
    const message = `The limit of $${limits.maxCostUsd} is reached: $${spent.costUsd.toFixed(4)} was spent.`;
    return {outcome: 'budget_limit_reached', message, hint: again('--max-cost')};
  }
  if (limits.maxTimeMs !== undefined && elapsedMs >= limits.maxTimeMs) return timeExcess(limits.maxTimeMs);
  return undefined;
}

export function timeExcess(maxTimeMs: number): Excess {
  return {outcome: 'time_limit_reached', message: `The limit of ${maxTimeMs / 1000} s is reached.`, hint: again('--max-time')};
}

function again(flag: string): string {
  return `What was done is kept. Go on with --resume and a higher ${flag}.`;
}
