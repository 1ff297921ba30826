import type {RolloutEngine} from '../engine/engine.ts';
import type {RunPlan} from '../run/run-plan.ts';
import type {Suite} from '../suite/task.ts';

/** The results of earlier runs on one task. */
export interface BaseRate {
  readonly judged: number;
  readonly passed: number;
}

/**
 * Orders tasks by how much is learned from them: first those that earlier runs solved sometimes (10 to 90 %), nearest to one half first, then those
 * without earlier runs, then those that were always or never solved. Equal ones keep their order.
 */
export function byBaseRate<T>(tasks: readonly T[], rateOf: (task: T) => BaseRate | undefined): readonly T[] {
  const placed = tasks.map((task) => ({task, place: placeOf(rateOf(task))}));
  return placed.toSorted((a, b) => a.place - b.place).map(({task}) => task);
}

/** 0 to 0.4: solved sometimes; 1: unknown; 2: almost always or almost never. */
function placeOf(rate: BaseRate | undefined): number {
  if (rate === undefined || rate.judged === 0) return 1;
  const distance = Math.abs(rate.passed / rate.judged - 0.5);
  return distance <= 0.4 ? distance : 2;
}

/** The results of these runs on the tasks of a suite as they are now, by the id of the task. */
export async function earlierRates(
  engine: RolloutEngine,
  {plans, suite}: {readonly plans: readonly RunPlan[]; readonly suite: Suite},
  signal: AbortSignal,
): Promise<ReadonlyMap<string, BaseRate>> {
  const digests = new Map(suite.tasks.map(({id, digest}) => [id, digest]));
  const rates = new Map<string, BaseRate>();
  for (const plan of plans.filter((one) => one.suite === suite.folder && one.selfPlay === undefined)) {
    for await (const {key, taskDigest, outcome} of engine.results(plan.name, signal)) {
      if (outcome === 'infrastructure' || digests.get(key.task) !== taskDigest) continue;
      const {judged, passed} = rates.get(key.task) ?? {judged: 0, passed: 0};
      rates.set(key.task, {judged: judged + 1, passed: passed + (outcome === 'passed' ? 1 : 0)});
    }
  }
  return rates;
}
