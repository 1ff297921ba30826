import type {StoredOutcome} from './ledger/ledger.ts';
import {featureVector} from './policies/feature-vector.ts';
import type {ChoiceContext} from './policies/policy.ts';

/** The tokens that earlier runs took. */
export interface TypicalTokens {
  /** Their median, input and output together. */
  readonly tokens: number;
  readonly runs: number;
  /** False: none of them had these features, so that all are counted. */
  readonly isOfKind: boolean;
}

/** The median of the tokens of outcomes with these features, else of all outcomes; undefined where no tokens are known. */
export function typicalTokens(outcomes: readonly StoredOutcome[], features: ChoiceContext['features']): TypicalTokens | undefined {
  const kind = featureVector(features).slice(1);
  const hasKind = ({vector}: StoredOutcome): boolean =>
    kind.every(([index, value]) => vector.some(([at, other]) => at === index && other === value));
  const measured = outcomes.filter(({signal}) => signal.tokens !== undefined);
  const alike = measured.filter(hasKind);
  const counted = (alike.length > 0 ? alike : measured).map(({signal}) => signal.tokens ?? 0).toSorted((a, b) => a - b);
  const tokens = counted[Math.floor(counted.length / 2)];
  return tokens === undefined ? undefined : {tokens, runs: counted.length, isOfKind: alike.length > 0};
}
