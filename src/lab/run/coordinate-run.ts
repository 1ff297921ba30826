import {setTimeout as delay} from 'node:timers/promises';
import {FettleError, toFettleError} from '../../base/errors.ts';
import type {JsonObject} from '../../base/json.ts';
import type {Isolation} from '../../exec/sandbox/isolation.ts';
import type {Containers} from '../container/containers.ts';
import type {ClaimedRollout, RolloutCounts, RolloutEngine, WorkEvent} from '../engine/engine.ts';
import {dropBoxProgress} from '../rollout/container/box-progress.ts';
import {RESUME_ARTIFACTS} from '../rollout/progress.ts';
import type {RolloutKey, RolloutResult} from '../rollout/rollout.ts';
import type {AgentCommand, RolloutArtifacts, RolloutFolders} from '../rollout/rollout-request.ts';
import {runRollout} from '../rollout/run-rollout.ts';
import type {SuiteTask} from '../suite/task.ts';
import {plannedCount, planRollouts, type RunPlan} from './run-plan.ts';
import {addResult, sharedProgress, startProgress, type RunProgress} from './run-progress.ts';

/** Everything with which rollouts are carried out on this machine. */
export interface RolloutRunner {
  /** By their ids. */
  readonly tasks: ReadonlyMap<string, SuiteTask>;
  readonly folders: RolloutFolders;
  readonly agent: AgentCommand;
  readonly artifacts: (key: RolloutKey) => RolloutArtifacts;
  readonly isolation: Isolation | undefined;
  /** Only if a task needs one. */
  readonly containers?: Containers | undefined;
}

export interface CoordinatedRun {
  readonly plan: RunPlan;
  readonly engine: RolloutEngine;
  readonly runner: RolloutRunner;
  /** Rollouts at the same time. */
  readonly workers: number;
  /** Called once at the start, and after each event. */
  readonly onProgress: (progress: RunProgress, event: WorkEvent | undefined) => void;
}

export interface RunEnd {
  readonly end: 'done' | 'budget' | 'aborted';
  readonly counts: RolloutCounts;
}

/**
 * Carries out a run, or the rest of it: what has an accepted result is not run again. An abort ends the rollouts that run, which start again when the
 * run is resumed. Throws UNAVAILABLE while another process coordinates the run, and CANCELLED after an abort while the engine does not answer.
 */
export async function coordinateRun(run: CoordinatedRun, signal: AbortSignal): Promise<RunEnd> {
  const {plan, engine} = run;
  const never = new AbortController().signal;
  const coordinator = await engine.coordinate(plan.name, signal);
  try {
    const end = await workOn(run, signal).catch((thrown: unknown) => {
      if (signal.aborted && toFettleError(thrown).code === 'CANCELLED') return 'aborted' as const;
      throw thrown;
    });
    if (end === 'budget' && plan.isShared) await engine.cancel(plan.name, never);
    return {end, counts: await engine.counts(plan.name, end === 'aborted' ? AbortSignal.timeout(COUNTS_MS) : never)};
  } finally {
    await coordinator.release();
  }
}

/** Milliseconds to count after an abort: a database that does not answer may be why the run is stopped. */
const COUNTS_MS = 2000;

async function workOn({plan, engine, runner, workers, onProgress}: CoordinatedRun, signal: AbortSignal): Promise<RunEnd['end']> {
  await engine.enqueue({name: plan.name, settings: settingsOf(plan), budgetUsd: plan.budgetUsd}, planRollouts(plan), signal);
  await engine.requeue(plan.name, signal);
  const {costUsd} = await engine.counts(plan.name, signal);
  let progress = {...(await startProgress(plannedCount(plan), engine.results(plan.name, signal))), costUsd};
  const dropped: Promise<void>[] = [];
  const isOver = new AbortController();
  const show = (event?: WorkEvent): void => onProgress(progress, event);
  const onCounts = (counts: RolloutCounts): void => {
    progress = sharedProgress(counts, progress);
    show();
  };
  show();
  const polling = plan.isShared ? pollCounts({engine, name: plan.name, onCounts}, isOver.signal) : undefined;
  const run = async (rollout: ClaimedRollout, stop: AbortSignal): Promise<RolloutResult> => await runOne(runner, rollout, stop);
  const onEvent = (event: WorkEvent): void => {
    if (event.is === 'parked' || (event.is === 'accepted' && event.isFirst)) progress = addResult(progress, event.result);
    if (event.is === 'retried') progress = {...progress, costUsd: progress.costUsd + (event.result.costUsd ?? 0)};
    if (event.is === 'accepted') dropped.push(dropProgress(runner, event.result));
    show(event);
  };
  try {
    const {end} = await engine.work({slots: workers, until: plan.name, run, onEvent}, signal);
    return end === 'drained' ? 'aborted' : end;
  } finally {
    isOver.abort();
    await Promise.all([polling, ...dropped]);
  }
}

/** Returns the settings with which workers of other machines carry out rollouts of the run. */
export function settingsOf({suite, store}: Pick<RunPlan, 'suite' | 'store'>): JsonObject {
  return {suite, store};
}

interface Polling {
  readonly engine: RolloutEngine;
  readonly name: string;
  readonly onCounts: (counts: RolloutCounts) => void;
}

/** Reports what other machines have done, until it is aborted. A database that does not answer is the engine's matter. */
async function pollCounts({engine, name, onCounts}: Polling, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(POLL_MS, undefined, {signal}).catch(() => undefined);
    const counts = await engine.counts(name, signal).catch(() => undefined);
    if (counts !== undefined && !signal.aborted) onCounts(counts);
  }
}

const POLL_MS = 2000;

/**
 * Carries out one claimed rollout. A task that has changed since the run began is a failure of the infrastructure: its result would count for another
 * one. So is a rollout that the budget of the run has cut off before its own limit: it is not judged, and may start again with a larger part.
 */
export async function runOne(runner: RolloutRunner, rollout: ClaimedRollout, signal: AbortSignal): Promise<RolloutResult> {
  const {key, retries, reservedUsd} = rollout;
  const task = taskOf(runner, rollout);
  const {folders, agent, isolation, containers} = runner;
  const artifacts = runner.artifacts(key);
  const result = await runRollout(
    {key, task: within(task, reservedUsd), retries, folders, agent, isolation, containers, artifacts},
    signal,
  );
  if (reservedUsd === undefined || result.failure !== 'cost-limit' || (task.limits.maxCostUsd ?? Infinity) <= reservedUsd) return result;
  await dropProgress(runner, result);
  const note = `It needed more than the $${reservedUsd.toFixed(4)} that the budget of the run had for it.`;
  return {...result, outcome: 'infrastructure', failure: undefined, note, reward: 0, rewards: {}};
}

/** Returns the task of a rollout. Throws CONFIG if it is not there as it was when the run began, and UNAVAILABLE if this machine lacks something for it. */
export function taskOf({tasks}: Pick<RolloutRunner, 'tasks'>, {key, taskDigest}: Pick<ClaimedRollout, 'key' | 'taskDigest'>): SuiteTask {
  const task = tasks.get(key.task);
  if (task?.digest !== taskDigest) {
    const message =
      task === undefined ? `The suite has no task ${key.task} any more.` : `The task ${key.task} has changed since the run began.`;
    throw new FettleError({code: 'CONFIG', message, hint: 'Start a new run for the changed suite.'});
  }
  const [lack] = task.lacks;
  if (lack !== undefined) {
    const message = `The task ${key.task} cannot be run here: ${lack}`;
    throw new FettleError({code: 'UNAVAILABLE', message, hint: 'Run it on a machine that has what it needs.'});
  }
  return task;
}

/** Removes the copy of the tree with which an interrupted rollout goes on: a result was accepted. Failing to costs space alone. */
export async function dropProgress(
  {artifacts: of, containers, tasks}: Pick<RolloutRunner, 'artifacts' | 'containers' | 'tasks'>,
  {key}: Pick<RolloutResult, 'key'>,
): Promise<void> {
  const artifacts = of(key);
  const signal = AbortSignal.timeout(DROP_MS);
  await Promise.allSettled(RESUME_ARTIFACTS.map(async (name) => await artifacts.remove(name, signal)));
  if (containers === undefined || tasks.get(key.task)?.place.container === undefined) return;
  await dropBoxProgress(containers, key, signal).catch(() => undefined);
}

const DROP_MS = 30_000;

function within(task: SuiteTask, reservedUsd: number | undefined): SuiteTask {
  if (reservedUsd === undefined) return task;
  return {...task, limits: {...task.limits, maxCostUsd: Math.min(reservedUsd, task.limits.maxCostUsd ?? reservedUsd)}};
}
