import type {OptimizationSettings} from '../config/settings.ts';
import type {LearnedState} from './learned-state.ts';
import {featureVector} from './policies/feature-vector.ts';
import type {AnyPolicy} from './policies/open-policy.ts';
import type {ChoiceContext, Selection} from './policies/policy.ts';
import {boundedBest, boundedSelection} from './bounded-selection.ts';
import {seededStreams} from './random-streams.ts';

/** One action in an explanation. */
export interface ExplainedAction {
  readonly action: string;
  /** Outcomes that are known of it. */
  readonly outcomes: number;
  /** Mean reward of all of them; null without. */
  readonly mean: number | null;
  /** Its share of a thousand choices that the policy would make now. */
  readonly share: number;
}

/** The choice that would be made next. */
export interface Explanation extends Selection {
  readonly strategy: OptimizationSettings['strategy'];
  readonly frozen: boolean;
  readonly actions: readonly ExplainedAction[];
}

export interface Explaining {
  readonly policy: AnyPolicy;
  readonly state: LearnedState;
  readonly actions: readonly string[];
  readonly context: ChoiceContext & {readonly exploreShare?: number};
  readonly frozen: boolean;
  readonly strategy: OptimizationSettings['strategy'];
}

/** Draws what the policy would choose now, from a seed that the outcomes give: asking twice gives the same answer. */
export function explain({policy, state, actions, context, frozen, strategy}: Explaining): Explanation {
  const choice = {actions, vector: featureVector(context.features), latencyBudgetMs: context.latencyBudgetMs};
  const selecting = {policy, state, exploreShare: context.exploreShare};
  const best = boundedBest(selecting, choice);
  const random = seededStreams(state.seq);
  const drawn = Array.from({length: frozen ? 1 : SAMPLES}, () =>
    frozen ? best.action : boundedSelection(selecting, {...choice, random}).action,
  );
  const shareOf = (action: string): number => drawn.filter((one) => one === action).length / drawn.length;
  const likeliest = actions.reduce((first, action) => (shareOf(action) > shareOf(first) ? action : first));
  const {why} = likeliest === best.action ? best : policy.select(state.learned, {...choice, actions: [likeliest], random});
  return {
    action: likeliest,
    why,
    strategy,
    frozen,
    actions: actions.map((action) => {
      const {count, sum} = state.rewards.get(action) ?? {count: 0, sum: 0};
      return {action, outcomes: count, mean: count === 0 ? null : sum / count, share: shareOf(action)};
    }),
  };
}

const SAMPLES = 1000;
