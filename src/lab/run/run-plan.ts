import type {QueuedRollout} from '../engine/engine.ts';
import type {RolloutKey} from '../rollout/rollout.ts';

/** A run as it was asked for. It is stored before the first rollout starts, and a resumed run reads it again. */
export interface RunPlan {
  /** Name of the run, and of its folder. */
  readonly name: string;
  /** Absolute path of the suite. */
  readonly suite: string;
  readonly suiteName: string;
  /** The tasks that are run, with the digest of each as it was when the run began. */
  readonly tasks: readonly PlannedTask[];
  /** Tasks that cannot be run here, with the first reason. */
  readonly notRun: readonly {readonly id: string; readonly reason: string}[];
  readonly models: readonly string[];
  readonly toolsets: readonly string[];
  readonly attempts: number;
  /** US dollars that all rollouts together may cost: `engine/reserve-cost.ts`. */
  readonly budgetUsd?: number | undefined;
  /** Place of the artefacts: an absolute folder, or `s3://…`. */
  readonly store: string;
  /** True if the rollouts are in a queue that workers of other machines share. Its address, which may have a password, is not stored. */
  readonly isShared: boolean;
  /** Only of a run of self-play, whose tasks are those of its roles. */
  readonly selfPlay?: SelfPlayPlan | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Version of Fettle that began the run. */
  readonly version: string;
}

export interface SelfPlayPlan {
  /** Ids of the suite's own tasks, in the order in which they are worked on. */
  readonly sources: readonly string[];
  /** Rollouts of each role. */
  readonly attempts: number;
  /** The pipeline is left out. */
  readonly isAgentic: boolean;
  /** Temperature of all rollouts but the greedy ones; without it the default of the model. */
  readonly temperature?: number | undefined;
}

export interface PlannedTask {
  readonly id: string;
  readonly digest: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Its beginning, for reports. */
  readonly prompt: string;
  /** Its own limit for one rollout, US dollars. */
  readonly maxCostUsd?: number | undefined;
}

/**
 * Lists the rollouts of a plan, one by one: there may be a hundred thousand. The first attempt at every task by every model and toolset comes
 * before any second attempt, so that a run that is stopped early has compared all of them on the same tasks.
 */
export function* planRollouts({name, tasks, models, toolsets, attempts}: RunPlan): Generator<QueuedRollout> {
  const variants = models.flatMap((model) => toolsets.map((toolset) => ({model, toolset})));
  for (let attempt = 1; attempt <= attempts; attempt += 1)
    for (const {id, digest, maxCostUsd} of tasks)
      for (const variant of variants) yield {key: {run: name, task: id, ...variant, attempt}, taskDigest: digest, maxCostUsd};
}

/** Returns the number of rollouts of a plan. */
export function plannedCount({tasks, models, toolsets, attempts}: RunPlan): number {
  return tasks.length * models.length * toolsets.length * attempts;
}

/** Writes a key as one word: `TASK/MODEL/TOOLSET/ATTEMPT`, which names a rollout within its run. */
export function rolloutName({task, model, toolset, attempt}: RolloutKey): string {
  return `${task}/${model}/${toolset}/${attempt}`;
}
