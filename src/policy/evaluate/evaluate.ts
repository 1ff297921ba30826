import {isReadOnly} from '../../protocol/side-effect.ts';
import type {Decision, PermissionRequest, Policy, Subject} from '../decision.ts';
import {judgeName} from './evaluate-name.ts';
import {judgePath} from './evaluate-path.ts';
import {byCaution, byMode, TOO_MUCH, withinReach, type Court, type Judged} from './evaluation-context.ts';
import {ruleBook} from '../rules/rule-book.ts';
import {withinWork} from '../budget.ts';

/**
 * Judges a call: deny rules, then reads (never asked: microcode tools › "Read tools are never gated"), plan mode, ask rules, allow rules
 * (every part must be covered), the mode, the fallback. The strictest part decides. What 'ask' means is the caller's: a question to a
 * person, or a denial where there is none. Loads the shell parser when the first command comes; never throws for what it is given.
 */
export async function decide(request: PermissionRequest, policy: Policy): Promise<Decision> {
  const court: Court = {request, policy, rules: ruleBook(policy.rules)};
  const hasLine = request.subjects.some(({kind}) => kind === 'command');
  const judgeLine = hasLine ? (await import('./evaluate-line.ts')).judgeLine : undefined;
  const judgeSubject = (subject: Subject): readonly Judged[] => {
    if (subject.kind === 'path') return [judgePath(subject, court)];
    if (subject.kind === 'name') return [judgeName(subject, court)];
    return judgeLine?.(subject, court) ?? [];
  };
  const parts = request.subjects.map((subject) => () => judgeSubject(subject));
  const judged = withinWork(MOST_WORK + workOfPaths(request.subjects, policy.rules.length), () => withinReach(parts, () => tooMuch(court)));
  if (judged.length === 0) judged.push(judgeName(undefined, court));
  return summed(judged);
}

/** Steps: a multiple of what 1000 files of a patch or 300 commands of a line need. */
const MOST_WORK = 5000;
const WORK_A_PATH = 20;
const USUAL_PATH = 300;
const USUAL_RULES = 200;

/** Files of a large folder were found one by one, and a deny for the last of them must be found, too: usual paths have work of their own. */
function workOfPaths(subjects: readonly Subject[], rules: number): number {
  if (rules > USUAL_RULES) return 0;
  const paths = subjects.filter((subject) => subject.kind === 'path' && subject.path.length <= USUAL_PATH).length;
  return WORK_A_PATH * paths + (subjects.length === 1 ? workOfWords(subjects[0]) : 0);
}

/** A list of files is long and simple: `ls` with 300 of them. */
function workOfWords(subject: Subject | undefined): number {
  if (subject?.kind !== 'command' || !LIST_OF_FILES.test(subject.command)) return 0;
  return WORK_A_WORD * Math.min(subject.command.split(/\s+/).length, MOST_FILES);
}

const LIST_OF_FILES = /^[\w./ -]{1,16384}$/;
const WORK_A_WORD = 15;
const MOST_FILES = 500;

/** What is left over: asked, and refused where only what is known to be harmless may happen. */
function tooMuch(court: Court): Judged {
  const text = court.request.toolNames[0] ?? '';
  return court.policy.mode === 'plan' && !isReadOnly(court.request.sideEffect)
    ? byMode(text, court, 'deny')
    : byCaution(text, court, TOO_MUCH);
}

const STRICTNESS = {allow: 0, ask: 1, deny: 2} as const;

function summed(judged: readonly Judged[]): Decision {
  const verdict = judged.reduce<Judged['verdict']>(
    (strictest, part) => (STRICTNESS[part.verdict] > STRICTNESS[strictest] ? part.verdict : strictest),
    'allow',
  );
  const offers = verdict === 'ask' ? offered(judged) : [];
  const deciding = judged.find((part) => part.verdict === verdict);
  return {
    verdict,
    reason: deciding?.reason ?? '',
    decidedBy: deciding?.decidedBy ?? 'default',
    rule: deciding?.rule,
    parts: judged.map(({text, verdict: own, reason, rule, place}) => ({
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
function offered(judged: readonly Judged[]): string[] {
  const open = judged.filter((part) => part.verdict !== 'allow');
  const offers = open.flatMap((part) => part.wouldAllow ?? []);
  return offers.length < open.length ? [] : [...new Set(offers)];
}
