import {randomInt} from 'node:crypto';
import type {OptimizationSettings} from '../config/settings.ts';
import {boundedBest, boundedSelection} from './bounded-selection.ts';
import {assertContext, assertNames, assertSignal, assertTarget, MOST_ACTIONS} from './check-arguments.ts';
import {explain, type Explanation} from './explain.ts';
import {refreshed, type LearnedState} from './learned-state.ts';
import type {RewardLedger} from './ledger/ledger.ts';
import {openChoices} from './open-choices.ts';
import {featureVector} from './policies/feature-vector.ts';
import {openPolicy} from './policies/open-policy.ts';
import type {ChoiceContext, Selection} from './policies/policy.ts';
import {seededStreams, type RandomStreams} from './random-streams.ts';
import type {RewardSignal} from './rewards/reward-signal.ts';

export interface OptimizerParts {
  /** `enabled` is the caller's to look at: this is the optimizer that it opens. */
  readonly settings: OptimizationSettings;
  /** Closed by the one who opened it. */
  readonly ledger: RewardLedger;
  /** Left out: from a random seed. */
  readonly random?: RandomStreams;
}

/** The task, and which decision it is about. */
export interface DecisionContext extends ChoiceContext {
  /** The kind of decision, such as `model`: each learns apart. */
  readonly decision?: string;
  /** Choices with the same text belong together: an outcome of one is credited to earlier ones (`actor_critic`). Stored as a digest. */
  readonly episode?: string;
  /** The largest share of choices, 0 to 1, that may try another than the best that is known; it takes the place of ε. Left out: the policy alone decides. */
  readonly exploreShare?: number;
}

export interface MadeDecision extends Selection {
  /** Identifies the choice, for its outcome; absent while learning is frozen. */
  readonly choice?: string;
}

export interface Optimizer {
  /** Chooses one of the actions; the first is the one that wins on a tie. Throws BAD_ARGS without actions, or for names that are not plain. */
  select(actions: readonly string[], context?: DecisionContext): MadeDecision;
  /**
   * Learns an outcome. Without `of` it is that of the newest choice of this action here that has none, else it replaces the last one of this action; of an
   * action that was never chosen here it counts for the decision `default`. A choice has one outcome: a later one replaces it, so that an undo corrects a
   * success. False if nothing was learned: the choice is not known or of another action, or learning is frozen. Throws BAD_ARGS for a signal that is not one.
   */
  applyReward(signal: RewardSignal, of?: {readonly choice: string} | {readonly decision: string}): boolean;
  /** Explains the next choice without making it; without actions, among all that are known. */
  explain(context?: DecisionContext, actions?: readonly string[]): Explanation | undefined;
}

/** Opens what chooses actions and learns from their outcomes (VT Code architecture › RL Optimization Loop). */
export function openOptimizer({settings, ledger, random = seededStreams(randomInt(2 ** 31))}: OptimizerParts): Optimizer {
  const policy = openPolicy(settings);
  const states = new Map<string, LearnedState>();
  const made = openChoices();
  const stateOf = (decision: string): LearnedState => {
    const known = states.get(decision);
    if (known !== undefined && known.version === ledger.version()) return known;
    const state = refreshed(known, decision, {policy, settings, ledger});
    states.set(decision, state);
    return state;
  };
  return {
    select(actions, context = {}) {
      assertContext(context);
      const {decision = DEFAULT_DECISION, episode, features, latencyBudgetMs, exploreShare} = context;
      assertNames(actions, decision);
      const state = stateOf(decision);
      const vector = featureVector(features);
      if (state.frozen) {
        const best = boundedBest({policy, state, exploreShare}, {actions, vector, latencyBudgetMs});
        return {...best, why: `${best.why}; learning is frozen`};
      }
      const eligible = withoutSilent(actions, {decision, state, ledger});
      const selected = boundedSelection({policy, state, exploreShare}, {actions: eligible, vector, latencyBudgetMs, random});
      const choice = ledger.addChoice({decision, action: selected.action, vector, episode});
      made.add(selected.action, choice);
      return {...selected, choice};
    },
    applyReward(signal, of) {
      assertSignal(signal);
      assertTarget(of);
      if (ledger.isFrozen()) return false;
      const newest = made.newest(signal.action);
      const target = of ?? (newest === undefined ? {decision: DEFAULT_DECISION} : {choice: newest});
      if ('choice' in target) made.settle(signal.action, target.choice);
      return ledger.addOutcome({signal, of: target});
    },
    explain(context = {}, asked) {
      assertContext(context);
      const {decision = DEFAULT_DECISION} = context;
      const state = stateOf(decision);
      const actions = asked ?? bestKnown(state);
      if (actions.length === 0) return undefined;
      assertNames(actions, decision);
      return explain({policy, state, actions, context, frozen: state.frozen, strategy: settings.strategy});
    },
  };
}

const DEFAULT_DECISION = 'default';
/** So many choices an action without any outcome gets, before the others come first. */
const MOST_SILENT = 5;

/** The actions that have outcomes; of many, those with the most. */
function bestKnown({rewards}: LearnedState): readonly string[] {
  const names = [...rewards.keys()];
  if (names.length <= MOST_ACTIONS) return names;
  return names.toSorted((a, b) => (rewards.get(b)?.count ?? 0) - (rewards.get(a)?.count ?? 0)).slice(0, MOST_ACTIONS);
}

interface Eligibility {
  readonly decision: string;
  readonly state: LearnedState;
  readonly ledger: RewardLedger;
}

/** Leaves out actions that were chosen several times and never had an outcome, unless there are no others: an unknown action must not be tried forever. */
function withoutSilent(actions: readonly string[], {decision, state, ledger}: Eligibility): readonly string[] {
  const heard = actions.filter((action) => state.rewards.has(action) || !ledger.hasChoices({decision, action}, MOST_SILENT));
  return heard.length === 0 ? actions : heard;
}
