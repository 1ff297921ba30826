import {isReadOnly} from '../../protocol/side-effect.ts';
import type {Decision, PermissionRequest, Policy, Subject} from '../decision.ts';
import type * as EvaluateLine from './evaluate-line.ts';
import {evaluateName} from './evaluate-name.ts';
import {evaluatePath} from './evaluate-path.ts';
import {
  conservative,
  fromMode,
  TOO_COMPLEX,
  evaluateWithinBudget,
  type EvaluationContext,
  type EvaluatedPart,
} from './evaluation-context.ts';
import {ruleBook} from '../rules/rule-book.ts';
import {withBudget} from '../budget.ts';

/**
 * Evaluates a call: deny rules, then reads (never asked: microcode tools › "Read tools are never gated"), plan mode, ask rules, allow rules
 * (every part must be covered), the mode, the fallback. The strictest part decides. What 'ask' means is the caller's: a question to a person, or
 * a denial without one. Loads the shell parser for the first command; never throws, whatever the input.
 */
export async function decide(request: PermissionRequest, policy: Policy): Promise<Decision> {
  const context: EvaluationContext = {request, policy, rules: ruleBook(policy.rules)};
  const hasLine = request.subjects.some(({kind}) => kind === 'command');
  const evaluateLine = hasLine ? (await (loading ??= import('./evaluate-line.ts'))).evaluateLine : undefined;
  const evaluateSubject = (subject: Subject): readonly EvaluatedPart[] => {
    if (subject.kind === 'path') return [evaluatePath(subject, context)];
    if (subject.kind === 'name') return [evaluateName(subject, context)];
    return evaluateLine?.(subject, context) ?? [];
  };
  const parts = request.subjects.map((subject) => () => evaluateSubject(subject));
  const decided = withBudget(MAX_STEPS + budgetForPaths(request.subjects, policy.rules.length), () =>
    evaluateWithinBudget(parts, () => tooComplex(context)),
  );
  if (decided.length === 0) decided.push(evaluateName(undefined, context));
  return combineDecisions(decided);
}

/** Importing it again would take time for each decision. */
let loading: Promise<typeof EvaluateLine> | undefined;

/** Steps: a multiple of what 1000 files of a patch or 300 commands of a line need. */
const MAX_STEPS = 5000;
const STEPS_PER_PATH = 20;
const USUAL_PATH = 300;
const USUAL_RULES = 200;

/** Files of a large folder were found one by one, and a deny for the last of them must be found, too: usual paths have work of their own. */
function budgetForPaths(subjects: readonly Subject[], rules: number): number {
  if (rules > USUAL_RULES) return 0;
  const paths = subjects.filter((subject) => subject.kind === 'path' && subject.path.length <= USUAL_PATH).length;
  return STEPS_PER_PATH * paths + (subjects.length === 1 ? budgetForWords(subjects[0]) : 0);
}

/** A list of files is long and simple: `ls` with 300 of them. */
function budgetForWords(subject: Subject | undefined): number {
  if (subject?.kind !== 'command' || !LIST_OF_FILES.test(subject.command)) return 0;
  return STEPS_PER_WORD * Math.min(subject.command.split(/\s+/).length, MOST_FILES);
}

const LIST_OF_FILES = /^[\w./ -]{1,16384}$/;
const STEPS_PER_WORD = 15;
const MOST_FILES = 500;

/** Decides on the rest: ask, or deny if only calls known to be harmless may run. */
function tooComplex(context: EvaluationContext): EvaluatedPart {
  const text = context.request.toolNames[0] ?? '';
  return context.policy.mode === 'plan' && !isReadOnly(context.request.sideEffect)
    ? fromMode(text, context, 'deny')
    : conservative(text, context, TOO_COMPLEX);
}

const STRICTNESS = {allow: 0, ask: 1, deny: 2} as const;

function combineDecisions(decided: readonly EvaluatedPart[]): Decision {
  const verdict = decided.reduce<EvaluatedPart['verdict']>(
    (strictest, part) => (STRICTNESS[part.verdict] > STRICTNESS[strictest] ? part.verdict : strictest),
    'allow',
  );
  const offers = verdict === 'ask' ? suggestedRules(decided) : [];
  const deciding = decided.find((part) => part.verdict === verdict);
  return {
    verdict,
    reason: deciding?.reason ?? '',
    decidedBy: deciding?.decidedBy ?? 'default',
    rule: deciding?.rule,
    parts: decided.map(({text, verdict: own, reason, rule, place}) => ({
      text,
      verdict: own,
      reason,
      rule,
      ...(place === undefined ? {} : {place}),
    })),
    wouldAllow: offers.length === 0 ? undefined : offers.join(', '),
    offers,
  };
}

/** Only where rules for all open parts together would allow the call. */
function suggestedRules(decided: readonly EvaluatedPart[]): string[] {
  const open = decided.filter((part) => part.verdict !== 'allow');
  const offers = open.flatMap((part) => part.wouldAllow ?? []);
  return offers.length < open.length ? [] : [...new Set(offers)];
}
