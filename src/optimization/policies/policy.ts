import type {RandomStreams} from '../random-streams.ts';

/** The task that a choice is for. Nothing of it is stored but numbers. */
export interface ChoiceContext {
  /** Features of the task: its size, language, kind. Texts are categories, numbers are best of about 1. Only `linucb` looks at them. */
  readonly features?: Readonly<Record<string, string | number | boolean>>;
  /** An action whose mean latency is above it loses up to `bandit.latency_weight`. Milliseconds. */
  readonly latencyBudgetMs?: number;
}

/** One outcome as a policy learns from it. */
export interface Outcome {
  readonly action: string;
  /** From 0 to 1, after shaping. */
  readonly reward: number;
  readonly latencyMs?: number | undefined;
  /** The features of the choice; empty without. */
  readonly vector: FeatureVector;
  /** Actions that were chosen before this one in the same episode, the latest first. */
  readonly earlier: readonly string[];
}

/** The components that are not 0, by their index below {@link DIMENSIONS}. */
export type FeatureVector = readonly (readonly [number, number])[];

export interface Selection {
  readonly action: string;
  /** One short line for a status line and the log. */
  readonly why: string;
}

/** A choice to be made. `actions` is not empty; on a tie the first wins. */
export interface Choice {
  readonly actions: readonly string[];
  readonly vector: FeatureVector;
  readonly latencyBudgetMs?: number | undefined;
  readonly random: RandomStreams;
}

/** A policy is data to data: what it has learned is its state, which it never changes in place. */
export interface Policy<State> {
  readonly start: State;
  select(state: State, choice: Choice): Selection;
  update(state: State, outcome: Outcome): State;
  /** The action that it holds for the best, without exploring. */
  best(state: State, choice: Omit<Choice, 'random'>): Selection;
}
