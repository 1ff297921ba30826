import {setTimeout as delay} from 'node:timers/promises';
import type {ClaimedRollout, QueuedRollout} from '../src/lab/engine/engine.ts';
import type {RolloutResult} from '../src/lab/rollout/rollout.ts';

export function* benchRollouts(count: number): Generator<QueuedRollout> {
  for (let n = 0; n < count; n++)
    yield {key: {run: 'bench', task: `t${n}`, model: 'script', toolset: 'fettle', attempt: 1}, taskDigest: `d${n}`};
}

/** A rollout that waits, and nothing else. */
export function waitingRun(ms: number): (rollout: ClaimedRollout) => Promise<RolloutResult> {
  return async ({key, taskDigest}) => {
    if (ms > 0) await delay(ms);
    return {
      key,
      taskDigest,
      outcome: 'passed',
      reward: 1,
      rewards: {reward: 1},
      steps: [],
      exitCode: 0,
      startedAt: 0,
      agentMs: ms,
      verifyMs: 0,
      usage: {turns: 1, inputTokens: 1000, cachedTokens: 0, outputTokens: 100},
      costUsd: 0.01,
      artifacts: {'events.jsonl': 'bench/events.jsonl', 'diff.patch': 'bench/diff.patch'},
      retries: 0,
      version: 'bench',
    };
  };
}
