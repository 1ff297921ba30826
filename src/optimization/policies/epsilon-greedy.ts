import {armOf, bestText, highest, latencyPenalty, learn, meanText, type Arm, type Arms} from './arms.ts';
import type {Choice, Policy, Selection} from './policy.ts';

export interface EpsilonGreedyOptions {
  /** Share of choices that are drawn from all actions alike. */
  readonly epsilon: number;
  readonly latencyWeight: number;
  readonly discount: number;
  readonly window: number;
}

/**
 * Chooses the action with the best mean, and with the probability ε one of all at random. A mean begins as if {@link PRIOR} outcomes had
 * earned 1 (Sutton and Barto, "Reinforcement Learning" 2.6): each action is tried until its outcomes say otherwise.
 */
export function epsilonGreedy({epsilon, latencyWeight, discount, window}: EpsilonGreedyOptions): Policy<Arms> {
  const best = (arms: Arms, choice: Omit<Choice, 'random'>): Selection => {
    const {action} = highest(choice.actions, (name) => {
      const arm = armOf(arms, name);
      return optimisticMean(arm) - latencyPenalty(arm, choice, latencyWeight);
    });
    return {action, why: bestText(armOf(arms, action))};
  };
  return {
    start: new Map(),
    best,
    select(arms, choice) {
      const {actions, random} = choice;
      if (random.explore() >= epsilon) return best(arms, choice);
      const action = actions[Math.floor(random.draw() * actions.length)] ?? '';
      return {action, why: `explores, as ${percent(epsilon)} of choices do: ${meanText(armOf(arms, action))}`};
    },
    update: (arms, outcome) => learn(arms, outcome, {discount, window}),
  };
}

/** How many outcomes of reward 1 a mean begins with. */
const PRIOR = 3;

function optimisticMean({weight, sum}: Arm): number {
  return (sum + PRIOR) / (weight + PRIOR);
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
