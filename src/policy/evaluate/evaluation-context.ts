import type {PartDecision, PermissionRequest, Policy, Rule, Verdict} from '../decision.ts';
import type {ParsedRule} from '../rules/parse-rule.ts';
import type {RuleBook} from '../rules/rule-book.ts';
import {BudgetExceeded} from '../budget.ts';

/** Shared context in which every part of a call is evaluated. */
export interface EvaluationContext {
  readonly request: PermissionRequest;
  readonly policy: Policy;
  readonly rules: RuleBook;
}

/** An evaluated part, with the deciding rule or mode. */
export interface EvaluatedPart extends PartDecision {
  readonly decidedBy: string;
  /** A rule that would allow it. */
  readonly wouldAllow?: string | undefined;
  /** True if the part certainly changes nothing. */
  readonly harmless?: true;
}

export function fromRule(text: string, {rule}: ParsedRule, verdict: Verdict = rule.effect): EvaluatedPart {
  const verb = {allow: 'allowed', ask: 'asked', deny: 'denied'}[verdict];
  return {text, verdict, rule, decidedBy: `rule:${rule.text}`, reason: `${shown(text)} is ${verb} by ${said(rule)}`};
}

export function fromMode(text: string, {policy}: EvaluationContext, verdict: Verdict): EvaluatedPart {
  return {text, verdict, rule: undefined, decidedBy: `mode:${policy.mode}`, reason: `${shown(text)}: mode ${policy.mode}`};
}

export function fallback(text: string, {policy}: EvaluationContext, why: string): EvaluatedPart {
  return {text, verdict: policy.fallback, rule: undefined, decidedBy: 'default', reason: `${shown(text)}: ${why}`};
}

/** Decides for a part that no wide rule may allow: ask, or deny if the policy denies the unknown. */
export function conservative(text: string, {policy}: EvaluationContext, why: string): EvaluatedPart {
  const verdict = policy.fallback === 'deny' ? 'deny' : 'ask';
  return {text, verdict, rule: undefined, decidedBy: 'default', reason: `${shown(text)}: ${why}`};
}

/** Broken in itself: no rule can allow it. */
export function refused(text: string, why: string): EvaluatedPart {
  return {text, verdict: 'deny', rule: undefined, decidedBy: 'default', reason: why};
}

export function harmless(text: string, why: string): EvaluatedPart {
  return {text, verdict: 'allow', rule: undefined, decidedBy: 'default', reason: `${shown(text)}: ${why}`, harmless: true};
}

/** `bash:sudo *` (user). */
export function said(rule: Rule): string {
  return `${rule.text} (${rule.source})`;
}

/** The reason for asking about a line that nobody could review either. */
export const TOO_COMPLEX = 'it is too complex to evaluate';

/** Evaluates parts as long as the budget lasts; returns those that were evaluated, and `rest` for the others. */
export function evaluateWithinBudget(parts: readonly (() => readonly EvaluatedPart[])[], rest: () => EvaluatedPart): EvaluatedPart[] {
  const decided: EvaluatedPart[] = [];
  try {
    for (const part of parts) decided.push(...part());
  } catch (thrown) {
    if (!(thrown instanceof BudgetExceeded)) throw thrown;
    decided.push(rest());
  }
  return decided;
}

const MAX_SHOWN = 80;

/** One short line; controls and invisible characters are escaped, so that the reason cannot mislead. */
export function shown(text: string): string {
  const plain = text
    .slice(0, MAX_SHOWN + 1)
    .replaceAll(/[^\P{C}\u200d]|[\u2028\u2029]/gu, (char) => (char === '\n' ? ' ⏎ ' : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`));
  return plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN - 1)}…` : plain;
}
