import {toFettleError} from '../../../base/errors.ts';
import {describeRule} from '../../../policy/rules/describe-rule.ts';
import type {ApprovalRequest} from '../../../tools/dispatch/dispatch.ts';

/** Returns why the rules of a person are refused: one cannot be parsed, or they would not have allowed the call. undefined if they are accepted. */
export async function refusedRule({decidedWith, decision}: ApprovalRequest, rules: readonly string[]): Promise<string | undefined> {
  if (rules.length === 0) return 'No rule: allow it once, or write one.';
  const isOffered = rules.length === decision.offers.length && rules.every((rule) => decision.offers.includes(rule));
  if (isOffered || decidedWith === undefined) return undefined;
  try {
    const {verdict, reason} = await decidedWith(rules);
    if (verdict === 'allow') return undefined;
    const means = rules.map((rule) => `${rule} (${describeRule(rule)})`).join(', ');
    return `Not stored: with ${means} it would still be ${verdict === 'deny' ? 'denied' : 'asked'}: ${reason}.`;
  } catch (thrown) {
    const {message, hint} = toFettleError(thrown);
    return [message, hint].filter((part) => part !== undefined).join(' ');
  }
}
