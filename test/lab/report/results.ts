import type {RolloutKey, RolloutResult} from '../../../src/lab/rollout/rollout.ts';
import type {RunResults} from '../../../src/lab/report/run-results.ts';

type Parts = Partial<Omit<RolloutResult, 'key'>> & {readonly key?: Partial<RolloutKey>};

/** A result with small, plain numbers; a failed one is a wrong answer. */
export function result({key, ...parts}: Parts = {}): RolloutResult {
  const outcome = parts.outcome ?? 'passed';
  const reward = outcome === 'passed' ? 1 : 0;
  return {
    key: {run: 'night', task: 'sum', model: 'acme/large', toolset: 'fettle', attempt: 1, ...key},
    taskDigest: `digest of ${key?.task ?? 'sum'}`,
    outcome,
    ...(outcome === 'failed' ? {failure: 'wrong-answer' as const} : {}),
    reward,
    rewards: {reward},
    steps: [{name: 'step', reward}],
    exitCode: 0,
    startedAt: 1_700_000_000_000,
    agentMs: 2000,
    verifyMs: 300,
    usage: {turns: 4, inputTokens: 1000, cachedTokens: 600, outputTokens: 100},
    costUsd: 0.02,
    artifacts: {},
    retries: 0,
    version: '1.2.3',
    ...parts,
  };
}

/** `outcomes`: by task, for each attempt `+` passed, `-` failed, `!` infrastructure. */
export function results(outcomes: Readonly<Record<string, string>>, parts: Parts = {}): RolloutResult[] {
  return Object.entries(outcomes).flatMap(([task, marks]) =>
    Array.from(marks, (mark, at) => result({...parts, outcome: OUTCOMES[mark] ?? 'failed', key: {...parts.key, task, attempt: at + 1}})),
  );
}

const OUTCOMES: Readonly<Record<string, RolloutResult['outcome']>> = {'+': 'passed', '-': 'failed', '!': 'infrastructure'};

/** A run that planned just these results. */
export function runOf(all: readonly RolloutResult[], parts: Partial<RunResults> = {}): RunResults {
  return {
    name: 'night',
    suiteName: 'small',
    tasks: [...new Set(all.map(({key}) => key.task))].map((id) => ({id})),
    notRun: [],
    models: [...new Set(all.map(({key}) => key.model))],
    toolsets: [...new Set(all.map(({key}) => key.toolset))],
    attempts: Math.max(1, ...all.map(({key}) => key.attempt)),
    createdAt: 1_700_000_000_000,
    results: all,
    ...parts,
  };
}
