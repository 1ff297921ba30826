import type {FailureKind, RolloutKey} from '../rollout/rollout.ts';

/**
 * The figures of a run as plain data: `--json` prints it, text and page are made from it. Rates are 0 to 1, money is US dollars, times are
 * milliseconds. null: not known.
 */
export interface Report {
  readonly format: 'fettle-lab-report/1';
  readonly run: string;
  readonly suite: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Versions of Fettle that made the results. */
  readonly versions: readonly string[];
  readonly counts: RunCounts;
  readonly total: Measures;
  /** Each model with each toolset. */
  readonly variants: readonly VariantMeasures[];
  /** Only where there are several of the kind, and they are not the variants themselves; in each a task counts once. */
  readonly groups: readonly GroupMeasures[];
  readonly tasks: readonly TaskMeasures[];
  readonly comparisons: readonly Comparison[];
  /** Name of the run with which this one is compared. */
  readonly against?: string | undefined;
  readonly notRun: readonly {readonly task: string; readonly reason: string}[];
  /** Rollouts that prove nothing about the agent, with the reason. */
  readonly infrastructure: readonly (Omit<RolloutKey, 'run'> & {readonly note: string})[];
  /** Lines for a person who relies on the figures. */
  readonly warnings: readonly string[];
}

export interface RunCounts {
  readonly tasks: number;
  readonly tasksNotRun: number;
  readonly planned: number;
  readonly accepted: number;
  /** Planned and not accepted yet. */
  readonly missing: number;
}

export interface Measures {
  /** Accepted: passed, failed and infrastructure. */
  readonly rollouts: number;
  readonly passed: number;
  readonly failed: number;
  readonly infrastructure: number;
  /** Ascending; from judged rollouts alone, which are passed and failed. Empty if nothing was judged. */
  readonly passAt: readonly PassAt[];
  readonly meanReward: number | null;
  readonly failures: Partial<Readonly<Record<FailureKind, number>>>;
  readonly cost: CostMeasures;
  /** Sums over all rollouts, as they are paid. */
  readonly tokens: {readonly input: number; readonly cached: number; readonly output: number};
  /** The time of the agent in one judged rollout. */
  readonly agentMs: Spread | null;
  readonly verifyMs: Spread | null;
  readonly turns: Spread | null;
  readonly outputTokens: Spread | null;
}

export interface PassAt {
  readonly k: number;
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** Tasks with at least k judged attempts; the others do not count. */
  readonly tasks: number;
}

export interface CostMeasures {
  /** Sum over the rollouts with a known price. */
  readonly total: number;
  readonly unpriced: number;
  /** Mean of the judged rollouts with a known price. */
  readonly mean: number | null;
  /** Total divided by the rollouts that passed; null if a price is not known or none passed. */
  readonly perPass: number | null;
}

export interface Spread {
  readonly p10: number;
  readonly median: number;
  readonly p90: number;
  readonly max: number;
}

export interface VariantMeasures extends Measures {
  readonly name: string;
  readonly model: string;
  readonly toolset: string;
}

export interface GroupMeasures extends Measures {
  readonly kind: 'model' | 'toolset' | 'language';
  readonly name: string;
}

export interface TaskMeasures {
  readonly id: string;
  readonly language: string | null;
  /** In the order of `variants`. */
  readonly cells: readonly TaskCell[];
}

export interface TaskCell {
  readonly passed: number;
  readonly judged: number;
  readonly infrastructure: number;
}

/** Two variants on the tasks that both have judged attempts at; a task counts once, however often it was tried. */
export interface Comparison {
  readonly a: string;
  readonly b: string;
  readonly tasks: number;
  /** Tasks that only one side has, or that changed between the runs. */
  readonly leftOut: number;
  readonly rateA: number;
  readonly rateB: number;
  /** B − A. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly betterForA: number;
  readonly betterForB: number;
  readonly p: number;
  /** False: from random flips of signs with a fixed seed. */
  readonly exact: boolean;
  /** p with Holm's correction for all comparisons of the report; it decides. */
  readonly adjustedP: number;
  /** Undefined where no difference is shown. */
  readonly better?: 'a' | 'b' | undefined;
  readonly words: string;
}
