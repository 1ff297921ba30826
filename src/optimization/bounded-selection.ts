import type {LearnedState} from './learned-state.ts';
import type {AnyPolicy} from './policies/open-policy.ts';
import type {Choice, Selection} from './policies/policy.ts';

export interface Selecting {
  readonly policy: AnyPolicy;
  readonly state: LearnedState;
  /** Undefined: the policy alone decides how often it explores. */
  readonly exploreShare: number | undefined;
}

/**
 * Selects with a bound on exploring: in no larger share of choices another action than the best of those that ever earned something. While none has, there
 * is no best to leave, and the policy decides. Where the bound allows a try, `bandit` and `epsilon_greedy` explore always: the share is their ε.
 */
export function boundedSelection({policy, state, exploreShare}: Selecting, choice: Choice): Selection {
  const proven = exploreShare === undefined ? [] : provenOf(state, choice.actions);
  if (exploreShare === undefined || proven.length === 0) return policy.select(state.learned, choice);
  const best = policy.best(state.learned, {...choice, actions: proven});
  if (choice.random.explore() >= exploreShare) return best;
  const random = {...choice.random, explore: () => 0};
  const {action} = policy.select(state.learned, {...choice, random});
  return action === best.action ? best : {action, why: `tries another than ${best.action}, the best so far`};
}

/** The best action without exploring; with a bound on exploring, of those that ever earned something, if there are any. */
export function boundedBest({policy, state, exploreShare}: Selecting, choice: Omit<Choice, 'random'>): Selection {
  const proven = exploreShare === undefined ? [] : provenOf(state, choice.actions);
  return policy.best(state.learned, proven.length === 0 ? choice : {...choice, actions: proven});
}

function provenOf({rewards}: LearnedState, actions: readonly string[]): readonly string[] {
  return actions.filter((action) => (rewards.get(action)?.sum ?? 0) > 0);
}
