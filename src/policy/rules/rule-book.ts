import {isFettleError} from '../../base/errors.ts';
import type {Rule} from '../decision.ts';
import {parseRule, type ParsedRule} from './parse-rule.ts';

/** The rules of a policy, read once and sorted by effect. */
export interface RuleBook {
  readonly deny: readonly ParsedRule[];
  readonly ask: readonly ParsedRule[];
  readonly allow: readonly ParsedRule[];
}

/**
 * Reads rules; the same list is read once. A rule that cannot be read allows nothing, and if it should deny or ask, it asks for everything: a
 * typo must not allow anything. (Loaders of rules call `parseRule` and report the error.)
 */
export function ruleBook(rules: readonly Rule[]): RuleBook {
  const known = books.get(rules);
  if (known !== undefined) return known;
  const all = rules.flatMap(readRule);
  const book = {deny: withEffect(all, 'deny'), ask: withEffect(all, 'ask'), allow: withEffect(all, 'allow')};
  books.set(rules, book);
  return book;
}

const books = new WeakMap<readonly Rule[], RuleBook>();

function withEffect(rules: readonly ParsedRule[], effect: Rule['effect']): ParsedRule[] {
  return rules.filter(({rule}) => rule.effect === effect);
}

function readRule(rule: Rule): ParsedRule[] {
  try {
    return [parseRule(rule)];
  } catch (thrown) {
    if (!isFettleError(thrown)) throw thrown;
    return rule.effect === 'allow' ? [] : [{rule: {...rule, effect: 'ask'}, namesTool: () => true, pattern: '*', words: ['*']}];
  }
}
