import type {FailureKind, RolloutResult} from '../rollout/rollout.ts';
import type {CostMeasures, Measures, PassAt, Spread} from './report.ts';
import {meanInterval, type TaskEstimate} from './statistics/interval.ts';
import {passAtK} from './statistics/pass-at-k.ts';
import {quantileOf} from './statistics/quantile.ts';

/**
 * The figures of some rollouts. Rates are means over tasks, so that a task with more attempts does not weigh more. What failed by the
 * infrastructure counts in costs and tokens, and in no rate.
 */
export function measure(results: readonly RolloutResult[]): Measures {
  const judged = results.filter(isJudged);
  const tasks = [...Map.groupBy(judged, ({key}) => key.task).values()];
  const passed = judged.filter(hasPassed).length;
  return {
    rollouts: results.length,
    passed,
    failed: judged.length - passed,
    infrastructure: results.length - judged.length,
    passAt: passesAt(tasks),
    meanReward: meanOf(tasks.map((ones) => meanOf(ones.map(({reward}) => reward)) ?? 0)),
    failures: countFailures(judged),
    cost: costOf(results, judged, passed),
    tokens: {
      input: sum(results, ({usage}) => usage.inputTokens),
      cached: sum(results, ({usage}) => usage.cachedTokens),
      output: sum(results, ({usage}) => usage.outputTokens),
    },
    agentMs: spreadOf(judged.map(({agentMs}) => agentMs)),
    verifyMs: spreadOf(judged.map(({verifyMs}) => verifyMs)),
    turns: spreadOf(judged.map(({usage}) => usage.turns)),
    outputTokens: spreadOf(judged.map(({usage}) => usage.outputTokens)),
  };
}

/** True for a result that says something about the agent. */
export function isJudged({outcome}: RolloutResult): boolean {
  return outcome !== 'infrastructure';
}

export function hasPassed({outcome}: RolloutResult): boolean {
  return outcome === 'passed';
}

/** Returns the reason for which a judged rollout failed; undefined for all others. */
export function failureOf({outcome, failure}: RolloutResult): FailureKind | undefined {
  return outcome === 'failed' ? (failure ?? 'wrong-answer') : undefined;
}

function passesAt(tasks: readonly (readonly RolloutResult[])[]): PassAt[] {
  const counts = tasks.map((results) => ({judged: results.length, passed: results.filter(hasPassed).length}));
  const most = Math.max(0, ...counts.map(({judged}) => judged));
  return shownKs(most).map((k) => {
    const estimates = counts.flatMap(({judged, passed}): TaskEstimate[] => {
      const value = passAtK(judged, passed, k);
      return value === undefined ? [] : [{value, groups: Math.floor(judged / k)}];
    });
    return {k, estimate: meanOf(estimates.map(({value}) => value)) ?? 0, ...meanInterval(estimates), tasks: estimates.length};
  });
}

/** 1, 2, 5, 10, 20 … and the highest that can be estimated. */
function shownKs(most: number): readonly number[] {
  const ks: number[] = [];
  for (let ten = 1; ten <= most; ten *= 10) ks.push(ten, ten * 2, ten * 5);
  return [...new Set([...ks.filter((k) => k <= most), ...(most === 0 ? [] : [most])])].toSorted((a, b) => a - b);
}

function countFailures(judged: readonly RolloutResult[]): Measures['failures'] {
  const counts: Partial<Record<FailureKind, number>> = {};
  for (const result of judged) {
    const failure = failureOf(result);
    if (failure !== undefined) counts[failure] = (counts[failure] ?? 0) + 1;
  }
  return counts;
}

function costOf(results: readonly RolloutResult[], judged: readonly RolloutResult[], passed: number): CostMeasures {
  const unpriced = results.filter(({costUsd}) => costUsd === null).length;
  const total = sum(results, ({costUsd}) => costUsd ?? 0);
  return {
    total,
    unpriced,
    mean: meanOf(judged.flatMap(({costUsd}) => costUsd ?? [])),
    perPass: unpriced > 0 || passed === 0 ? null : total / passed,
  };
}

function spreadOf(values: readonly number[]): Spread | null {
  const [p10, median, p90, max] = [0.1, 0.5, 0.9, 1].map((part) => quantileOf(values, part));
  return p10 === undefined || median === undefined || p90 === undefined || max === undefined ? null : {p10, median, p90, max};
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;
}

function sum(results: readonly RolloutResult[], of: (result: RolloutResult) => number): number {
  return results.reduce((total, result) => total + of(result), 0);
}
