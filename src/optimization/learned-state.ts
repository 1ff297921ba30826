import type {OptimizationSettings} from '../config/settings.ts';
import type {RewardLedger} from './ledger/ledger.ts';
import type {AnyPolicy} from './policies/open-policy.ts';
import {shapeReward} from './rewards/shape-reward.ts';

/** The state of a policy after the outcomes of one decision, up to `seq` of the ledger. */
export interface LearnedState {
  readonly learned: unknown;
  /** The rewards of each action: how many, and their sum. */
  readonly rewards: ReadonlyMap<string, RewardSum>;
  readonly seq: number;
  readonly revision: number;
  readonly version: string;
  readonly frozen: boolean;
}

interface RewardSum {
  readonly count: number;
  readonly sum: number;
}

export interface Learning {
  readonly policy: AnyPolicy;
  readonly settings: OptimizationSettings;
  readonly ledger: RewardLedger;
}

/** Adds the outcomes that were stored since, by this process or others; after a correction or a reset it starts over. */
export function refreshed(state: LearnedState | undefined, decision: string, {policy, settings, ledger}: Learning): LearnedState {
  const {version, revision, frozen, outcomes} = ledger.changes(decision, state);
  const before = state?.revision === revision ? state : undefined;
  const rewards = new Map(before?.rewards);
  const learned = outcomes.reduce(
    (learnedSoFar, {signal, vector, earlier}) => {
      const {action, latency_ms: latencyMs} = signal;
      const reward = shapeReward(signal, settings.reward_shaping);
      const {count, sum} = rewards.get(action) ?? {count: 0, sum: 0};
      rewards.set(action, {count: count + 1, sum: sum + reward});
      return policy.update(learnedSoFar, {action, reward, latencyMs, vector, earlier});
    },
    before === undefined ? policy.start : before.learned,
  );
  return {learned, rewards, seq: outcomes.at(-1)?.seq ?? before?.seq ?? 0, revision, version, frozen};
}
