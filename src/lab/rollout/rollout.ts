/** Identifies one rollout; all five together are unique, and have one accepted result. */
export interface RolloutKey {
  readonly run: string;
  readonly task: string;
  /** `provider/model`, or `script` for the recorded replies of each task. */
  readonly model: string;
  readonly toolset: string;
  /** From 1. */
  readonly attempt: number;
}

export type FailureKind =
  /** The agent ended, and the verification did not pass. */
  | 'wrong-answer'
  /** The agent ended by itself without an answer, or blocked. */
  | 'no-answer'
  | 'time-limit'
  | 'turn-limit'
  | 'token-limit'
  | 'cost-limit'
  | 'loop'
  | 'denied'
  /** The verification did not finish in its time. */
  | 'verify-time-limit';

/** The accepted result of a rollout. Wrong answers are `failed`; `infrastructure` says that the rollout proves nothing about the agent. */
export interface RolloutResult {
  readonly key: RolloutKey;
  /** Digest of the task as it was run. */
  readonly taskDigest: string;
  readonly outcome: 'passed' | 'failed' | 'infrastructure';
  readonly failure?: FailureKind | undefined;
  /** One line for a person: the reason of a failure. */
  readonly note?: string | undefined;
  /** 0 to 1; of several rewards or steps their mean. */
  readonly reward: number;
  readonly rewards: Readonly<Record<string, number>>;
  readonly steps: readonly {readonly name: string; readonly reward: number}[];
  readonly exitCode: number | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly agentMs: number;
  readonly verifyMs: number;
  readonly usage: {readonly turns: number; readonly inputTokens: number; readonly cachedTokens: number; readonly outputTokens: number};
  /** null: the price of the model is not known. */
  readonly costUsd: number | null;
  /** The part of `costUsd` that an earlier attempt had paid: this one went on with its work. */
  readonly keptUsd?: number | undefined;
  /** Names of stored artefacts (`events.jsonl`, `diff.patch`, `verify.txt`, `last-message.txt`), with where the store has them. */
  readonly artifacts: Readonly<Record<string, string>>;
  /** How often the infrastructure failed before. */
  readonly retries: number;
  /** True if the hidden verification of the suite passes with the promoted patch; only for rollouts that self-play promoted. */
  readonly hiddenPassed?: boolean | undefined;
  readonly version: string;
}
