import {normalQuantile, studentQuantile} from './quantile.ts';

/** Both ends of a 95 % confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's score interval of a proportion (E. B. Wilson 1927). `size`: the number of trials, not necessarily whole.
 * Without trials anything is possible.
 */
export function wilsonInterval(proportion: number, size: number, quantile = normalQuantile): Interval {
  if (size <= 0) return {low: 0, high: 1};
  const square = quantile ** 2;
  const scale = 1 + square / size;
  const centre = (proportion + square / (2 * size)) / scale;
  const half = (quantile / scale) * Math.sqrt((proportion * (1 - proportion)) / size + square / (4 * size ** 2));
  return {low: proportion <= 0 ? 0 : Math.max(0, centre - half), high: proportion >= 1 ? 1 : Math.min(1, centre + half)};
}

/** The estimate of one task, and the number of independent groups of attempts that it is made from: attempts ÷ k for pass@k. */
export interface TaskEstimate {
  /** 0 to 1. */
  readonly value: number;
  readonly groups: number;
}

/**
 * The interval of the mean over tasks, for tasks like these: attempts at one task are alike, so the task is the unit. It is Wilson's with the
 * effective number of trials: p(1 − p) divided by the variance of the mean that the tasks show, at most the number of groups of attempts. With one
 * group for each task that is Wilson's interval itself; with several, Student's quantile for the number of tasks (both as for surveys: Korn and
 * Graubard 1998, Franco et al. 2019). A bootstrap over tasks would be [1, 1] where all tasks pass, and covers too seldom below 20 tasks
 * (`test/soak/report-intervals.test.ts` counts).
 */
export function meanInterval(tasks: readonly TaskEstimate[]): Interval {
  const count = tasks.length;
  if (count === 0) return {low: 0, high: 1};
  const mean = meanOf(tasks.map(({value}) => value));
  const isSingle = tasks.every(({groups}) => groups <= 1);
  const quantile = isSingle || count < 2 ? normalQuantile : studentQuantile(count - 1);
  return wilsonInterval(mean, effectiveSize(tasks, mean), quantile);
}

function effectiveSize(tasks: readonly TaskEstimate[], mean: number): number {
  const count = tasks.length;
  // One task says nothing of others, and where all agree, more attempts say nothing of a task that would not.
  if (count < 2 || mean <= 0 || mean >= 1) return count;
  const groups = tasks.reduce((sum, task) => sum + Math.max(1, task.groups), 0);
  const variance = meanOf(tasks.map(({value}) => (value - mean) ** 2));
  return variance === 0 ? groups : Math.min(groups, (mean * (1 - mean) * count) / variance);
}

/**
 * The interval of the mean of paired differences (−1 to 1), one for each task. Two tasks are added, one for each side, so that tasks which do not
 * differ are no proof that none would (Bonett and Price 2012, for one attempt); with `attempts` for each task they weigh 1/√attempts.
 */
export function differenceInterval(differences: readonly number[], attempts: number): Interval {
  if (differences.length === 0) return {low: -1, high: 1};
  const added = 1 / Math.sqrt(Math.max(1, attempts));
  const all = [...differences, added, -added];
  const mean = meanOf(all);
  const variance = meanOf(all.map((one) => one ** 2)) - mean ** 2;
  const quantile = attempts <= 1 || differences.length < 2 ? normalQuantile : studentQuantile(differences.length - 1);
  const half = quantile * Math.sqrt(Math.max(0, variance) / all.length);
  return {low: Math.max(-1, mean - half), high: Math.min(1, mean + half)};
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
