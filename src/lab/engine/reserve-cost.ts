import type {RolloutResult} from '../rollout/rollout.ts';

/** The state of the money of a run; US dollars. */
export interface Spending {
  readonly budgetUsd: number;
  /** The cost of all that has ended, also of what did not count. */
  readonly spentUsd: number;
  /** Rollouts that have ended. */
  readonly ended: number;
  /** The greatest cost of one of them. */
  readonly greatestUsd: number;
}

/**
 * Decides whether one more rollout of a run with a budget may start, and returns the part of the budget that is reserved for it: its limit of cost. The
 * sum of what is spent and what is reserved never exceeds the budget. Undefined: it has to wait; where nothing is reserved, the budget is used up.
 *
 * A rollout without a limit of its own reserves twice the greatest cost seen so far, or an eighth of what is free where that is more; before any has
 * ended, an eighth of the budget. While others run, it starts with no less than the greatest cost seen (or its own limit), so that it is unlikely to
 * be cut off; alone, with no less than the mean.
 *
 * @param reservedUsd the sum of what is reserved for rollouts that run
 * @param limitUsd the own limit of this one
 */
export function reservedCost(run: Spending, reservedUsd: number, limitUsd: number | undefined): number | undefined {
  const {budgetUsd, spentUsd, ended, greatestUsd} = run;
  const free = budgetUsd - spentUsd - reservedUsd;
  const first = budgetUsd / PARTS;
  const wanted = limitUsd ?? (ended === 0 ? first : Math.max(2 * greatestUsd, free / PARTS));
  const beside = limitUsd ?? (ended === 0 ? first : greatestUsd);
  const alone = ended === 0 ? 0 : Math.min(spentUsd / ended, wanted);
  const needed = Math.max(LEAST_USD, reservedUsd > 0 ? beside : alone);
  return free >= needed * (1 - ROUNDING) ? Math.min(wanted, free) : undefined;
}

const PARTS = 8;
/** A limit of nothing is refused by the agent. */
const LEAST_USD = 0.0001;
/** Eight eighths are a whole. */
const ROUNDING = 1e-9;

/** Returns the cost of one attempt; an unknown price counts as nothing. A failure before it has counted what it kept. */
export function paidFor({costUsd, keptUsd = 0, retries}: RolloutResult): number {
  return Math.max(0, (costUsd ?? 0) - (retries > 0 ? keptUsd : 0));
}
