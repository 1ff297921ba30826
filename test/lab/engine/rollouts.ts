import {FettleError} from '../../../src/base/errors.ts';
import type {ClaimedRollout, QueuedRollout, RolloutEngine, WorkEvent} from '../../../src/lab/engine/engine.ts';
import type {RolloutKey, RolloutResult} from '../../../src/lab/rollout/rollout.ts';

export const never = new AbortController().signal;

export function keyFor(n: number, over: Partial<RolloutKey> = {}): RolloutKey {
  return {run: 'r', task: `t${String(n).padStart(5, '0')}`, model: 'script', toolset: 'fettle', attempt: 1, ...over};
}

export function* rollouts(count: number, over: Partial<RolloutKey> = {}): Generator<QueuedRollout> {
  for (let n = 0; n < count; n++) yield {key: keyFor(n, over), taskDigest: `d${n}`};
}

export function resultFor({key, taskDigest}: QueuedRollout, over: Partial<RolloutResult> = {}): RolloutResult {
  return {
    key,
    taskDigest,
    outcome: 'passed',
    reward: 1,
    rewards: {reward: 1},
    steps: [],
    exitCode: 0,
    startedAt: 1,
    agentMs: 2,
    verifyMs: 3,
    usage: {turns: 1, inputTokens: 10, cachedTokens: 0, outputTokens: 5},
    costUsd: 0.25,
    artifacts: {},
    retries: 0,
    version: '0',
    ...over,
  };
}

/** Runs everything of a run to its end; `run` says what each rollout does. */
export async function workAll(
  engine: RolloutEngine,
  run: (rollout: ClaimedRollout, signal: AbortSignal) => Promise<RolloutResult>,
  {slots = 4, until = 'r'}: {readonly slots?: number; readonly until?: string} = {},
): Promise<readonly WorkEvent[]> {
  const events: WorkEvent[] = [];
  await engine.work({slots, run, until, onEvent: (event) => events.push(event)}, never);
  return events;
}

export async function resultsOf(engine: RolloutEngine, run = 'r'): Promise<readonly RolloutResult[]> {
  return await Array.fromAsync(engine.results(run, never));
}

/** The code of the error that a promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return await promise.then(
    () => 'none',
    (thrown: unknown) => (thrown instanceof FettleError ? thrown.code : String(thrown)),
  );
}
