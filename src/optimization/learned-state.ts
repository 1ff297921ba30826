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

/** Adds the outcomes that were stored since, by this process or others; after a correction or a reset it begins anew. */
export function refreshed(state: LearnedState | undefined, decision: string, {policy, settings, ledger}: Learning): LearnedState {
  const [version, revision] = [ledger.version(), ledger.revision()];
  const isStill = state?.revision === revision;
  const outcomes = ledger.outcomesAfter(decision, isStill ? state.seq : 0);
  const rewards = new Map(isStill ? state.rewards : []);
  const learned = outcomes.reduce(
    (before, {signal, vector, earlier}) => {
      const {action, latency_ms: latencyMs} = signal;
      const reward = shapeReward(signal, settings.reward_shaping);
      const {count, sum} = rewards.get(action) ?? {count: 0, sum: 0};
      rewards.set(action, {count: count + 1, sum: sum + reward});
      return policy.update(before, {action, reward, latencyMs, vector, earlier});
    },
    isStill ? state.learned : policy.start,
  );
  return {learned, rewards, seq: outcomes.at(-1)?.seq ?? (isStill ? state.seq : 0), revision, version, frozen: ledger.isFrozen()};
}
