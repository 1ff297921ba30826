import type {OptimizationSettings} from '../config/settings.ts';
import type {ActionTotals, RewardLedger} from './ledger/ledger.ts';
import {shapeReward} from './rewards/shape-reward.ts';

/** One action of a decision as the ledger has it. */
export interface ActionSummary extends ActionTotals {
  /** Mean reward of its outcomes by the settings of now, 0 to 1; null without outcomes. */
  readonly mean: number | null;
  /** Its share of the newest choices of the decision that are kept, 0 to 1. */
  readonly share: number;
}

/** Every action with its counts, mean reward and share of choices; by decision, the most chosen first. */
export function summarize(ledger: RewardLedger, {reward_shaping: shaping}: OptimizationSettings): readonly ActionSummary[] {
  const byDecision = Map.groupBy(ledger.totals(), ({decision}) => decision);
  return [...byDecision].flatMap(([decision, actions]) => {
    const rewards = Map.groupBy(ledger.outcomesAfter(decision, 0), ({signal}) => signal.action);
    const all = actions.reduce((total, {choices}) => total + choices, 0);
    return actions
      .map((totals) => {
        const earned = (rewards.get(totals.action) ?? []).map(({signal}) => shapeReward(signal, shaping));
        const mean = earned.length === 0 ? null : earned.reduce((sum, reward) => sum + reward, 0) / earned.length;
        return {...totals, mean, share: all === 0 ? 0 : totals.choices / all};
      })
      .toSorted((a, b) => b.choices - a.choices);
  });
}
