import type {JudgedPart, PermissionRequest, Policy, Rule, Verdict} from '../decision.ts';
import type {ParsedRule} from '../rules/parse-rule.ts';
import type {RuleBook} from '../rules/rule-book.ts';
import {TooMuchWork} from '../budget.ts';

/** What every part of a call is judged with. */
export interface Court {
  readonly request: PermissionRequest;
  readonly policy: Policy;
  readonly rules: RuleBook;
}

/** A judged part, and what decided it. */
export interface Judged extends JudgedPart {
  readonly decidedBy: string;
  /** A rule that would allow it. */
  readonly wouldAllow?: string | undefined;
  /** It was shown to change nothing. */
  readonly harmless?: true;
}

export function byRule(text: string, {rule}: ParsedRule, verdict: Verdict = rule.effect): Judged {
  const verb = {allow: 'allowed', ask: 'asked', deny: 'denied'}[verdict];
  return {text, verdict, rule, decidedBy: `rule:${rule.text}`, reason: `${shown(text)} is ${verb} by ${said(rule)}`};
}

export function byMode(text: string, {policy}: Court, verdict: Verdict): Judged {
  return {text, verdict, rule: undefined, decidedBy: `mode:${policy.mode}`, reason: `${shown(text)}: mode ${policy.mode}`};
}

export function byDefault(text: string, {policy}: Court, why: string): Judged {
  return {text, verdict: policy.fallback, rule: undefined, decidedBy: 'default', reason: `${shown(text)}: ${why}`};
}

/** What no wide rule may allow: asked, or denied where the policy denies what it does not know. */
export function byCaution(text: string, {policy}: Court, why: string): Judged {
  const verdict = policy.fallback === 'deny' ? 'deny' : 'ask';
  return {text, verdict, rule: undefined, decidedBy: 'default', reason: `${shown(text)}: ${why}`};
}

/** Broken in itself: no rule can allow it. */
export function refused(text: string, why: string): Judged {
  return {text, verdict: 'deny', rule: undefined, decidedBy: 'default', reason: why};
}

export function harmless(text: string, why: string): Judged {
  return {text, verdict: 'allow', rule: undefined, decidedBy: 'default', reason: `${shown(text)}: ${why}`, harmless: true};
}

/** `bash:sudo *` (user). */
export function said(rule: Rule): string {
  return `${rule.text} (${rule.source})`;
}

/** Why it is asked about what nobody could look over either. */
export const TOO_MUCH = 'it takes too much work to be judged';

/** All parts that the work of the decision suffices for; where it does not, what was found so far, and `rest` for the others. */
export function withinReach(parts: readonly (() => readonly Judged[])[], rest: () => Judged): Judged[] {
  const judged: Judged[] = [];
  try {
    for (const part of parts) judged.push(...part());
  } catch (thrown) {
    if (!(thrown instanceof TooMuchWork)) throw thrown;
    judged.push(rest());
  }
  return judged;
}

const MAX_SHOWN = 80;

/** One short line; controls and invisible characters are spelled out, so that the reason cannot lie. */
export function shown(text: string): string {
  const plain = text
    .slice(0, MAX_SHOWN + 1)
    .replaceAll(/[^\P{C}\u200d]|[\u2028\u2029]/gu, (char) => (char === '\n' ? ' ⏎ ' : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`));
  return plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN - 1)}…` : plain;
}
