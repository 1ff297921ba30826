import {addUsage, NO_USAGE, type Usage} from '../../protocol/usage.ts';
import type {FinishedStep, RolloutRun} from './rollout-run.ts';
import {judgeAgent} from './agent/judge-agent.ts';
import type {FailureKind, RolloutResult} from './rollout.ts';
import type {RolloutRequest} from './rollout-request.ts';

/** Makes the result of a rollout from what is known when it ends. A step that was not reached has the reward 0. */
export function rolloutResult({task, key, retries, agent}: RolloutRequest, run: RolloutRun): RolloutResult {
  const {startedAt, steps: finished, artifacts, infrastructure} = run;
  const steps = task.steps.map(({name}, index) => ({name, reward: finished[index]?.judgement?.reward ?? 0}));
  const reward = infrastructure === undefined ? mean(steps.map((step) => step.reward)) : 0;
  const usage = finished.reduce<Usage>((sum, step) => addUsage(sum, step.agent.usage), NO_USAGE);
  const costUsd = costOf(finished);
  return {
    key,
    taskDigest: task.digest,
    ...verdict(run, reward),
    reward,
    rewards: infrastructure === undefined ? namedRewards(finished, task.steps.length > 1) : {},
    steps,
    exitCode: finished.at(-1)?.agent.exitCode ?? null,
    startedAt,
    agentMs: Math.round(total(finished.map((step) => step.agent.ms))),
    verifyMs: Math.round(total(finished.map((step) => step.judgement?.ms ?? 0))),
    usage: {
      turns: total(finished.map((step) => step.agent.requests)),
      inputTokens: usage.input_tokens,
      cachedTokens: usage.cached_input_tokens,
      outputTokens: usage.output_tokens,
    },
    costUsd,
    ...(run.keptUsd === undefined ? {} : {keptUsd: run.keptUsd}),
    artifacts,
    retries,
    version: agent.version,
  };
}

/** Adds up steps; null if the price of one is not known. */
export function costOf(steps: readonly Pick<FinishedStep, 'agent'>[]): number | null {
  const costs = steps.map(({agent}) => agent.costUsd);
  return costs.includes(null) ? null : total(costs.map((cost) => cost ?? 0));
}

/** The first step that did not get its whole reward says why. */
function verdict({steps, infrastructure}: RolloutRun, reward: number): Pick<RolloutResult, 'outcome' | 'failure' | 'note'> {
  if (infrastructure !== undefined) return {outcome: 'infrastructure', note: infrastructure};
  if (reward >= 1) return {outcome: 'passed'};
  const failed = steps.find(({judgement}) => (judgement?.reward ?? 0) < 1);
  return {outcome: 'failed', ...(failed === undefined ? {failure: 'wrong-answer'} : reasonOf(failed))};
}

function reasonOf({agent, judgement, putBack}: FinishedStep): {failure: FailureKind; note?: string | undefined} {
  if (judgement?.timedOut === true) return {failure: 'verify-time-limit', note: judgement.problem};
  const end = judgeAgent(agent);
  const changed = putBack.length === 0 ? undefined : `The agent had changed what test runners load: ${putBack.slice(0, 5).join(', ')}`;
  return {failure: end.kind === 'finished' ? end.failure : 'wrong-answer', note: end.note ?? judgement?.problem ?? changed};
}

function namedRewards(steps: readonly FinishedStep[], areMany: boolean): Record<string, number> {
  return Object.fromEntries(
    steps.flatMap(({name, judgement}) =>
      Object.entries(judgement?.rewards ?? {}).map(([of, value]) => [areMany ? `${name}/${of}` : of, value]),
    ),
  );
}

function mean(values: readonly number[]): number {
  return total(values) / Math.max(1, values.length);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
