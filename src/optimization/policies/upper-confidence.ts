import {armOf, highest, latencyPenalty, learn, meanText, type Arm, type Arms} from './arms.ts';
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
  return upperConfidence(options, ({weight}, log) => Math.sqrt((0.5 * log) / weight));
}

/**
 * UCB1-Tuned of the same paper: the width follows the variance that was seen. A factor of {@link TUNED} narrows it for horizons of hundreds
 * of choices.
 */
export function ucb1Tuned(options: ConfidenceOptions): Policy<Arms> {
  return upperConfidence(options, ({weight, sum, squares}, log) => {
    const variance = squares / weight - (sum / weight) ** 2 + Math.sqrt((2 * log) / weight);
    return Math.sqrt(((TUNED * log) / weight) * Math.min(0.25, variance));
  });
}

const TUNED = 0.3;

/** Below this weight an arm counts as untried: what was known of it has faded. */
const UNTRIED = 0.01;

function upperConfidence({latencyWeight, discount}: ConfidenceOptions, width: (arm: Arm, log: number) => number): Policy<Arms> {
  const mean = ({weight, sum}: Arm): number => (weight < UNTRIED ? 0 : sum / weight);
  return {
    start: new Map(),
    best(arms, choice) {
      const {action} = highest(
        choice.actions,
        (name) => mean(armOf(arms, name)) - latencyPenalty(armOf(arms, name), choice, latencyWeight),
      );
      return {action, why: `best so far: ${meanText(armOf(arms, action))}`};
    },
    select(arms, choice): Selection {
      const untried = choice.actions.find((name) => armOf(arms, name).weight < UNTRIED);
      if (untried !== undefined) return {action: untried, why: 'tries it: no outcome yet'};
      const log = Math.log(Math.max(1, totalWeight(arms, choice)));
      const {action, score} = highest(choice.actions, (name) => {
        const arm = armOf(arms, name);
        return mean(arm) + width(arm, log) - latencyPenalty(arm, choice, latencyWeight);
      });
      return {action, why: `could be the best: ${meanText(armOf(arms, action))}, up to ${score.toFixed(2)}`};
    },
    update: (arms, outcome) => learn(arms, outcome, {discount, window: Infinity}),
  };
}

function totalWeight(arms: Arms, {actions}: Choice): number {
  return actions.reduce((total, name) => total + armOf(arms, name).weight, 0);
}
