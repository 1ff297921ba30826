import {drawBeta} from '../random-streams.ts';
import {armOf, bestText, highest, latencyPenalty, learn, meanText, type Arm, type Arms} from './arms.ts';
import type {Policy} from './policy.ts';
import type {ConfidenceOptions} from './upper-confidence.ts';

/**
 * Thompson sampling (Agrawal and Goyal, 2012): draws a mean for each action from the Beta distribution of what it could be, and chooses the
 * highest. A reward between 0 and 1 counts as that share of a success. Each outcome counts {@link SHARPNESS} times, which narrows it:
 * with hundreds of choices, the plain distribution explores for too long.
 */
export function thompson({latencyWeight, discount}: ConfidenceOptions): Policy<Arms> {
  const shapes = ({weight, sum}: Arm): [number, number] => [GOOD + SHARPNESS * sum, BAD + SHARPNESS * (weight - sum)];
  return {
    start: new Map(),
    best(arms, choice) {
      const {action} = highest(choice.actions, (name) => {
        const [good, bad] = shapes(armOf(arms, name));
        return good / (good + bad) - latencyPenalty(armOf(arms, name), choice, latencyWeight);
      });
      return {action, why: bestText(armOf(arms, action))};
    },
    select(arms, choice) {
      const {action, score} = highest(choice.actions, (name) => {
        const arm = armOf(arms, name);
        return drawBeta(...shapes(arm), choice.random.draw) - latencyPenalty(arm, choice, latencyWeight);
      });
      return {action, why: `drew ${score.toFixed(2)}, the highest: ${meanText(armOf(arms, action))}`};
    },
    update: (arms, outcome) => learn(arms, outcome, {discount, window: Infinity}),
  };
}

/** Before any outcome an action is expected to be good: it is tried until its outcomes say otherwise. */
const [GOOD, BAD] = [4, 2];
const SHARPNESS = 6;
