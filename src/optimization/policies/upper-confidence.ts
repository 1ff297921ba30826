import {armOf, bestText, hasOutcome, highest, latencyPenalty, learn, meanText, type Arm, type Arms} from './arms.ts';
import type {Choice, Policy, Selection} from './policy.ts';

export interface ConfidenceOptions {
  readonly latencyWeight: number;
  readonly discount: number;
}

/**
 * UCB1 (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002) with the factor 1/2 before the logarithm,
 * which is what rewards between 0 and 1 need (Bubeck, "Bandits games and clustering foundations", 2010); the 2 of the paper explores for
 * thousands of choices, and there are hundreds.
 */
export function ucb1(options: ConfidenceOptions): Policy<Arms> {
  return upperConfidence(options, ({weight, sum}, log) => sum / weight + Math.sqrt((0.5 * log) / weight));
}

/**
 * UCB1-Tuned of the same paper: the width follows the variance that was seen. For horizons of hundreds of choices it is narrowed by {@link TUNED},
 * and the mean begins with an outcome that earned 1, so that two failures in a row do not end an action.
 */
export function ucb1Tuned(options: ConfidenceOptions): Policy<Arms> {
  return upperConfidence(options, ({weight, sum, squares}, log) => {
    const mean = (sum + 1) / (weight + 1);
    const variance = (squares + 1) / (weight + 1) - mean ** 2 + Math.sqrt((2 * log) / weight);
    return mean + Math.sqrt(((TUNED * log) / weight) * Math.min(0.25, variance));
  });
}

const TUNED = 0.2;

function upperConfidence({latencyWeight, discount}: ConfidenceOptions, bound: (arm: Arm, log: number) => number): Policy<Arms> {
  const mean = (arm: Arm): number => (hasOutcome(arm) ? arm.sum / arm.weight : 0);
  return {
    start: new Map(),
    best(arms, choice) {
      const {action} = highest(
        choice.actions,
        (name) => mean(armOf(arms, name)) - latencyPenalty(armOf(arms, name), choice, latencyWeight),
      );
      return {action, why: bestText(armOf(arms, action))};
    },
    select(arms, choice): Selection {
      const untried = choice.actions.find((name) => !hasOutcome(armOf(arms, name)));
      if (untried !== undefined) return {action: untried, why: bestText(armOf(arms, untried))};
      const log = Math.log(Math.max(1, totalWeight(arms, choice)));
      const {action, score} = highest(choice.actions, (name) => {
        const arm = armOf(arms, name);
        return bound(arm, log) - latencyPenalty(arm, choice, latencyWeight);
      });
      return {action, why: `could be the best: ${meanText(armOf(arms, action))}, up to ${score.toFixed(2)}`};
    },
    update: (arms, outcome) => learn(arms, outcome, {discount, window: Infinity}),
  };
}

function totalWeight(arms: Arms, {actions}: Choice): number {
  return actions.reduce((total, name) => total + armOf(arms, name).weight, 0);
}
