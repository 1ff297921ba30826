import type {Json} from '../base/json.ts';
import {listOf, objectOf} from './json-fields.ts';

/**
 * Adds the natural logarithms of the probabilities of some tokens, in their order, to those of the reply so far. `field`: the name that the
 * format gives them. Values that are not finite numbers are left out.
 */
export function addLogprobs(kept: number[], tokens: Json | undefined, field: 'logprob' | 'logProbability' = 'logprob'): void {
  for (const token of listOf(tokens)) {
    const value = objectOf(token)[field];
    if (typeof value === 'number' && Number.isFinite(value) && kept.length < MOST_TOKENS) kept.push(value);
  }
}

/** More than a reply of any model on sale can have: a faulty server must not make the log of a session grow. */
const MOST_TOKENS = 500_000;

/** The field of a reply for them; none if the server sent none. */
export function withLogprobs(kept: readonly number[]): {readonly logprobs?: readonly number[]} {
  return kept.length === 0 ? {} : {logprobs: kept};
}
