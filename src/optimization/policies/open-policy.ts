import type {OptimizationSettings} from '../../config/settings.ts';
import {actorCritic} from './actor-critic.ts';
import {epsilonGreedy} from './epsilon-greedy.ts';
import {linUcb} from './linucb.ts';
import type {Policy} from './policy.ts';
import {thompson} from './thompson.ts';
import {ucb1, ucb1Tuned} from './upper-confidence.ts';

/** A policy whose state only it knows: what goes in is what it gave out. */
export type AnyPolicy = Policy<unknown>;

/** The policy that the settings name, with their numbers. */
export function openPolicy({strategy, bandit, actor_critic: actor}: OptimizationSettings): AnyPolicy {
  const {exploration_epsilon: epsilon, latency_weight: latencyWeight, discount, rolling_window: window} = bandit;
  switch (strategy) {
    case 'bandit':
      return opaque(epsilonGreedy({epsilon, latencyWeight, discount, window}));
    case 'epsilon_greedy':
      return opaque(epsilonGreedy({epsilon, latencyWeight, discount, window: Infinity}));
    case 'ucb1':
      return opaque(ucb1({latencyWeight, discount}));
    case 'ucb1_tuned':
      return opaque(ucb1Tuned({latencyWeight, discount}));
    case 'thompson':
      return opaque(thompson({latencyWeight, discount}));
    case 'linucb':
      return opaque(linUcb({latencyWeight}));
    case 'actor_critic':
      return opaque(actorCritic({learningRate: actor.learning_rate, discountFactor: actor.discount_factor, traceDecay: actor.trace_decay}));
  }
}

function opaque<State>({start, select, update, best}: Policy<State>): AnyPolicy {
  return {
    start,
    select: (state, choice) => select(state as State, choice),
    update: (state, outcome) => update(state as State, outcome),
    best: (state, choice) => best(state as State, choice),
  };
}
