import {drawGumbel} from '../random-streams.ts';
import {highest} from './arms.ts';
import type {Policy, Selection} from './policy.ts';

export interface ActorCriticOptions {
  readonly learningRate: number;
  readonly discountFactor: number;
  readonly traceDecay: number;
}

/** The critic's value of choosing at all, and the actor's preferences above or below it. */
export interface ActorCriticState {
  readonly value: number;
  readonly outcomes: number;
  readonly actors: ReadonlyMap<string, Actor>;
}

interface Actor {
  /** Expected reward less the value of the critic. */
  readonly advantage: number;
  /** Outcomes that it learned from, each by its eligibility. */
  readonly visits: number;
}

/**
 * Actor-critic with eligibility traces (Sutton and Barto, "Reinforcement Learning" 13.5). The critic learns what choices earn, the actor by how
 * much each action is above that; an action is drawn by softmax over these advantages, whose temperature falls with the square root of its visits
 * (Cesa-Bianchi and others, "Boltzmann exploration done right", 2017). An outcome teaches the earlier choices of its episode too, each step
 * back by `discountFactor · traceDecay` less; a choice without an episode is one of its own. A step is 1/visits, and at least `learningRate`
 * divided by the credit of an endless episode, so that no episode teaches more than another.
 */
export function actorCritic({learningRate, discountFactor, traceDecay}: ActorCriticOptions): Policy<ActorCriticState> {
  const trace = discountFactor * traceDecay;
  const smallestStep = learningRate * (1 - trace);
  return {
    start: {value: START_VALUE, outcomes: 1, actors: new Map()},
    best({actors, value}, {actions}) {
      const {action, score} = highest(actions, (name) => actorOf(actors, name, value).advantage);
      return describe({action, why: 'preferred'}, score);
    },
    select({actors, value}, {actions, random}) {
      const {action} = highest(actions, (name) => {
        const {advantage, visits} = actorOf(actors, name, value);
        return advantage + (TEMPERATURE * drawGumbel(random.draw)) / Math.sqrt(visits);
      });
      return describe({action, why: 'drawn by preference'}, actorOf(actors, action, value).advantage);
    },
    update({value, outcomes, actors}, {action, reward, earlier}) {
      const learned = new Map(actors);
      const error = reward - value;
      for (const [name, eligibility] of eligibilities(action, earlier, trace)) {
        const {advantage, visits} = actorOf(learned, name, value);
        const step = Math.max(smallestStep, 1 / (visits + eligibility)) * eligibility;
        learned.set(name, {visits: visits + eligibility, advantage: advantage + Math.min(1, step) * (error - advantage)});
      }
      const moved = Math.max(learningRate, 1 / (outcomes + 1)) * error;
      // What an action is expected to earn does not change because the others earned more: only its advantage does.
      const actorsNow = new Map([...learned].map(([name, actor]) => [name, {...actor, advantage: actor.advantage - moved}]));
      return {value: value + moved, outcomes: outcomes + 1, actors: actorsNow};
    },
  };
}

/** Before any outcome choices are expected to earn half, and each action everything: it is tried until outcomes say otherwise. */
const START_VALUE = 0.5;
const START_REWARD = 1;
const TEMPERATURE = 0.08;

function actorOf(actors: ActorCriticState['actors'], name: string, value: number): Actor {
  return actors.get(name) ?? {advantage: START_REWARD - value, visits: 1};
}

/** The credit of each action for an outcome; of several choices of the same one, the latest counts (replacing traces). */
function eligibilities(action: string, earlier: readonly string[], trace: number): ReadonlyMap<string, number> {
  const credit = new Map([[action, 1]]);
  for (const [index, name] of earlier.entries()) {
    const share = trace ** (index + 1);
    if (!credit.has(name) && share > 0) credit.set(name, share);
  }
  return credit;
}

function describe({action, why}: Selection, advantage: number): Selection {
  const side = advantage < 0 ? 'below' : 'above';
  return {action, why: `${why}: ${Math.abs(advantage).toFixed(2)} ${side} what choices earn`};
}
