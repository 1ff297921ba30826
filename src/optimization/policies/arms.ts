import type {Choice, Outcome} from './policy.ts';

/** The outcomes of one action, weighted: with a discount, earlier ones count less. */
export interface Arm {
  readonly weight: number;
  readonly sum: number;
  readonly squares: number;
  /** Mean of the latencies that were measured; undefined before the first. */
  readonly latencyMs?: number | undefined;
}

export type Arms = ReadonlyMap<string, Arm>;

export interface Fading {
  /** Factor on all weights at each outcome. */
  readonly discount: number;
  /** An arm never weighs more than so many outcomes. */
  readonly window: number;
}

const NO_OUTCOMES: Arm = {weight: 0, sum: 0, squares: 0};

export function armOf(arms: Arms, action: string): Arm {
  return arms.get(action) ?? NO_OUTCOMES;
}

export function learn(arms: Arms, {action, reward, latencyMs}: Outcome, {discount, window}: Fading): Arms {
  const faded = discount === 1 ? arms : [...arms].map(([name, arm]) => [name, scaled(arm, discount)] as const);
  const learned = new Map(faded);
  const known = armOf(learned, action);
  const arm = known.weight > window - 1 ? scaled(known, (window - 1) / known.weight) : known;
  const weight = arm.weight + 1;
  const latency =
    latencyMs === undefined ? arm.latencyMs : (arm.latencyMs ?? latencyMs) + (latencyMs - (arm.latencyMs ?? latencyMs)) / weight;
  return learned.set(action, {weight, sum: arm.sum + reward, squares: arm.squares + reward * reward, latencyMs: latency});
}

function scaled(arm: Arm, factor: number): Arm {
  return {...arm, weight: arm.weight * factor, sum: arm.sum * factor, squares: arm.squares * factor};
}

/** The points that an arm loses for being slower than the budget of the choice: none within it, `weight` at most. */
export function latencyPenalty({latencyMs}: Arm, {latencyBudgetMs}: Pick<Choice, 'latencyBudgetMs'>, weight: number): number {
  if (latencyBudgetMs === undefined || latencyMs === undefined || latencyMs <= latencyBudgetMs) return 0;
  return weight * (1 - latencyBudgetMs / latencyMs);
}

/** The first action with the highest score. */
export function highest(actions: readonly string[], score: (action: string) => number): {readonly action: string; readonly score: number} {
  return actions.map((action) => ({action, score: score(action)})).reduce((best, one) => (one.score > best.score ? one : best));
}

/** The reason for the best action of those that are known. */
export function bestText(arm: Arm): string {
  return hasOutcome(arm) ? `best so far: ${meanText(arm)}` : 'tries it: no outcome yet';
}

/** False for an arm without outcomes, and for one whose outcomes have faded. */
export function hasOutcome({weight}: Arm): boolean {
  return weight >= 0.01;
}

/** `mean 0.71 of 24 outcomes`, in the words of `why`. */
export function meanText(arm: Arm): string {
  const {weight, sum} = arm;
  if (!hasOutcome(arm)) return 'no outcome yet';
  const count = Number(weight.toFixed(weight < 10 ? 1 : 0));
  return `mean ${(sum / weight).toFixed(2)} of ${count} outcome${count === 1 ? '' : 's'}`;
}
