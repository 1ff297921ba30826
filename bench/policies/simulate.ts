import {DEFAULTS} from '../../src/config/defaults.ts';
import type {OptimizationSettings} from '../../src/config/settings.ts';
import {featureVector, NO_FEATURES} from '../../src/optimization/policies/feature-vector.ts';
import {openPolicy} from '../../src/optimization/policies/open-policy.ts';
import type {FeatureVector} from '../../src/optimization/policies/policy.ts';
import {seededNumbers, seededStreams} from '../../src/optimization/random-streams.ts';
import {bestOf, DRIFT_AT, HORIZON, type RewardTable, type TaskTable} from './tables.ts';

export type Strategy = OptimizationSettings['strategy'];

/** A policy of the bench: a strategy with its default numbers, and a discount for those that forget. */
export interface BenchPolicy {
  readonly strategy: Strategy;
  readonly discount?: number;
}

/** The regret of a policy over that of choosing at random, mean of all seeds. */
export function regretRatio(policy: BenchPolicy, {means}: RewardTable, seeds: number): number {
  const regret = meanOf(seeds, (seed) => sum(regrets(policy, () => ({means, vector: NO_FEATURES}), {length: HORIZON, seed})));
  const best = Math.max(...means);
  return regret / ((HORIZON * sum(means.map((mean) => best - mean))) / means.length);
}

/** The regret up to each choice, mean of all seeds. */
export function regretCurve(policy: BenchPolicy, {means}: RewardTable, seeds: number): readonly number[] {
  const totals = new Float64Array(HORIZON);
  for (let seed = 0; seed < seeds; seed += 1) {
    let total = 0;
    for (const [at, one] of regrets(policy, () => ({means, vector: NO_FEATURES}), {length: HORIZON, seed}).entries()) {
      total += one;
      totals[at] = (totals[at] ?? 0) + total / seeds;
    }
  }
  return [...totals];
}

/** The regret over `HORIZON` choices where the best action depends on the task, mean of all seeds. */
export function taskRegret(policy: BenchPolicy, {meansByTask}: TaskTable, seeds: number): number {
  const vectors = meansByTask.map((_, task) => featureVector({kind: `task-${task}`}));
  return meanOf(seeds, (seed) => {
    const drawTask = seededNumbers(seed + 1_000_003);
    const step = () => {
      const task = Math.floor(drawTask() * meansByTask.length);
      return {means: meansByTask[task] ?? [], vector: vectors[task] ?? NO_FEATURES};
    };
    return sum(regrets(policy, step, {length: HORIZON, seed}));
  });
}

/** How often the new best action is chosen at each choice behind the drift, 0 to 1, over all seeds. */
export function adaptation(policy: BenchPolicy, {means, after = means}: RewardTable, seeds: number): readonly number[] {
  const hits = new Float64Array(AFTER_DRIFT);
  const best = Math.max(...after);
  for (let seed = 0; seed < seeds; seed += 1) {
    const step = (at: number) => ({means: at < DRIFT_AT ? means : after, vector: NO_FEATURES});
    const all = regrets(policy, step, {length: DRIFT_AT + AFTER_DRIFT, seed}).slice(DRIFT_AT);
    for (const [at, regret] of all.entries()) if (best > 0 && regret === 0) hits[at] = (hits[at] ?? 0) + 1 / seeds;
  }
  return [...hits];
}

const AFTER_DRIFT = 300;

/** The share of choices 200 to 300 behind the drift that are the new best. */
export function adaptedShare(policy: BenchPolicy, table: RewardTable, seeds: number): number {
  return sum(adaptation(policy, table, seeds).slice(200)) / (AFTER_DRIFT - 200);
}

interface Step {
  readonly means: readonly number[];
  readonly vector: FeatureVector;
}

function regrets(
  {strategy, discount}: BenchPolicy,
  stepAt: (at: number) => Step,
  {length, seed}: {length: number; seed: number},
): number[] {
  const {optimization: settings} = DEFAULTS;
  const bandit = {...settings.bandit, discount: discount ?? settings.bandit.discount};
  const policy = openPolicy({...settings, strategy, bandit});
  const [random, world] = [seededStreams(seed), seededNumbers(seed + 500_009)];
  let state = policy.start;
  return Array.from({length}, (_, at) => {
    const {means, vector} = stepAt(at);
    const {action} = policy.select(state, {actions: NAMES.slice(0, means.length), vector, random});
    const mean = means[Number(action)] ?? 0;
    state = policy.update(state, {action, reward: world() < mean ? 1 : 0, vector, earlier: []});
    return (means[bestOf(means)] ?? 0) - mean;
  });
}

const NAMES = Array.from({length: 16}, (_, arm) => String(arm));

function meanOf(seeds: number, figure: (seed: number) => number): number {
  return sum(Array.from({length: seeds}, (_, seed) => figure(seed))) / seeds;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
