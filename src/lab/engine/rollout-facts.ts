import {FettleError, toFettleError} from '../../base/errors.ts';
import type {RolloutResult} from '../rollout/rollout.ts';
import type {QueuedRollout, RunSpec} from './engine.ts';

/** The form of runs and rollouts that this version writes. A worker leaves what has a higher one to newer workers. */
export const PAYLOAD_VERSION = 1;

/** Returns the provider of a model (`anthropic/…`: `anthropic`), which has its own limit of rollouts at the same time. */
export function providerOf(model: string): string {
  const end = model.indexOf('/');
  return end < 0 ? model : model.slice(0, end);
}

/** Throws BAD_ARGS for a run whose numbers are out of their bounds. */
export function checkRun({name, priority = 0, share = 1, limits = {}, budgetUsd}: RunSpec): void {
  const isWhole = (value: number, least: number, most: number): boolean => Number.isInteger(value) && value >= least && value <= most;
  if (!isWhole(priority, -15, 15)) throw badRun(name, `its priority is ${priority}`, 'Use a whole number from -15 to 15.');
  if (!isWhole(share, 1, 100)) throw badRun(name, `its share is ${share}`, 'Use a whole number from 1 to 100.');
  if (budgetUsd !== undefined && !(Number.isFinite(budgetUsd) && budgetUsd > 0))
    throw badRun(name, `its budget is ${budgetUsd}`, 'Use an amount of US dollars above 0.');
  const wrong = Object.entries(limits).find(([, limit]) => !isWhole(limit, 1, 100_000));
  if (wrong !== undefined) throw badRun(name, `the limit of ${wrong[0]} is ${wrong[1]}`, 'Use a whole number from 1 on.');
}

/** Divides rollouts into batches that are inserted together. Throws BAD_ARGS for a key of another run. */
export function* batchesOf(run: string, rollouts: Iterable<QueuedRollout>): Generator<readonly QueuedRollout[]> {
  let batch: QueuedRollout[] = [];
  for (const rollout of rollouts) {
    if (rollout.key.run !== run) throw badRun(run, `a rollout belongs to ${rollout.key.run}`, 'Enqueue each run by itself.');
    batch.push(rollout);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const BATCH = 500;

/** The lowest limit of each provider. */
export function lowestLimits(runs: readonly Pick<RunSpec, 'limits'>[]): ReadonlyMap<string, number> {
  const lowest = new Map<string, number>();
  for (const [provider, limit] of runs.flatMap((run) => Object.entries(run.limits ?? {})))
    lowest.set(provider, Math.min(limit, lowest.get(provider) ?? limit));
  return lowest;
}

/** A result for a rollout that has none of its own: it threw, or its worker died. */
export function failedResult({key, taskDigest}: QueuedRollout, {note, retries, startedAt}: FailureFacts): RolloutResult {
  return {
    key,
    taskDigest,
    outcome: 'infrastructure',
    note,
    reward: 0,
    rewards: {},
    steps: [],
    exitCode: null,
    startedAt,
    agentMs: 0,
    verifyMs: 0,
    usage: {turns: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0},
    costUsd: null,
    artifacts: {},
    retries,
    version: '',
  };
}

interface FailureFacts {
  readonly note: string;
  readonly retries: number;
  readonly startedAt: number;
}

/** One line of what was thrown. */
export function noteOf(thrown: unknown): string {
  return toFettleError(thrown).message.split('\n', 1)[0] ?? '';
}

function badRun(name: string, what: string, hint: string): FettleError {
  return new FettleError({code: 'BAD_ARGS', message: `The run ${name} cannot be queued: ${what}.`, hint});
}
