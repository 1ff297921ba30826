import type {OutcomeCode} from '../protocol/events.ts';
import {addUsage, NO_USAGE, type Usage} from '../protocol/usage.ts';

/** Limits of a run; undefined: no bound. */
export interface Limits {
  /** Requests to the model. */
  readonly maxTurns?: number | undefined;
  /** Input and output tokens together, as {@link budgetTokens} counts them. */
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
  /** Cost of the requests whose price is known; set if `costUsd` is null. */
  readonly knownUsd?: number;
}

export const NOTHING_SPENT: Spending = {requests: 0, usage: NO_USAGE, costUsd: 0};

export function addSpending(a: Spending, b: Spending): Spending {
  const sum = {requests: a.requests + b.requests, usage: addUsage(a.usage, b.usage)};
  const known = knownCost(a) + knownCost(b);
  return a.costUsd === null || b.costUsd === null ? {...sum, costUsd: null, knownUsd: known} : {...sum, costUsd: known};
}

/** One request without a price does not free the others from their limit. */
function knownCost({costUsd, knownUsd = 0}: Spending): number {
  return costUsd ?? knownUsd;
}

/**
 * The tokens that count against a limit: input that came from a cache counts a tenth. Every step of a run sends its whole conversation
 * again; at full weight the repetition, which providers bill at a tenth or less, would use up the limit instead of the work.
 */
export function budgetTokens({input_tokens: input, cached_input_tokens: cached, output_tokens: output}: Usage): number {
  const read = Math.min(cached, input);
  return Math.ceil(input - read + read * CACHED_WEIGHT + output);
}

const CACHED_WEIGHT = 0.1;

/** Returns the spending of one request, or of one failed attempt that costs something: each counts as a request. */
export function spentOn({usage, costUsd}: Pick<Spending, 'usage' | 'costUsd'>): Spending {
  return {requests: 1, usage, costUsd};
}

export interface Excess {
  readonly outcome: Extract<OutcomeCode, 'turn_limit_reached' | 'token_limit_reached' | 'budget_limit_reached' | 'time_limit_reached'>;
  readonly message: string;
  readonly hint: string;
}

/** Returns why no further request may be made; undefined if one may. `elapsedMs` counts from the start of the run. */
export function excess(limits: Limits, spent: Spending, elapsedMs: number): Excess | undefined {
  const tokens = budgetTokens(spent.usage);
  if (limits.maxTurns !== undefined && spent.requests >= limits.maxTurns) {
    return {outcome: 'turn_limit_reached', message: `The limit of ${limits.maxTurns} turns is reached.`, hint: again('--max-turns')};
  }
  if (limits.maxTokens !== undefined && tokens >= limits.maxTokens) {
    const cached = spent.usage.cached_input_tokens > 0 ? ' (cached input counts a tenth)' : '';
    const message = `The limit of ${limits.maxTokens} tokens is reached: ${tokens} were used${cached}.`;
    return {outcome: 'token_limit_reached', message, hint: again('--max-tokens')};
  }
  const cost = knownCost(spent);
  if (limits.maxCostUsd !== undefined && cost >= limits.maxCostUsd) {
    const message = `The limit of $${limits.maxCostUsd} is reached: $${cost.toFixed(4)} was spent.`;
    return {outcome: 'budget_limit_reached', message, hint: again('--max-cost')};
  }
  if (limits.maxTimeMs !== undefined && elapsedMs >= limits.maxTimeMs) return timeExcess(limits.maxTimeMs);
  return undefined;
}

export function timeExcess(maxTimeMs: number): Excess {
  return {outcome: 'time_limit_reached', message: `The limit of ${maxTimeMs / 1000} s is reached.`, hint: again('--max-time')};
}

function again(flag: string): string {
  return `The work so far is saved. Continue with --resume and a higher ${flag}.`;
}
