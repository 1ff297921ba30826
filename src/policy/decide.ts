import type {Decision, PermissionRequest, Policy, Subject} from './decision.ts';
import {judgeName} from './judge-name.ts';
import {judgePath} from './judge-path.ts';
import type {Court, Judged} from './judgement.ts';
import {ruleBook} from './rule-book.ts';

/**
 * Judges a call: deny rules, then reads (never asked: microcode tools › "Read tools are never gated"), plan mode, ask rules, allow rules
 * (every part must be covered), the mode, the fallback. The strictest part decides. What 'ask' means is the caller's: a question to a
 * person, or a denial where there is none. Loads the shell parser when the first command comes; never throws for what it is given.
 */
export async function decide(request: PermissionRequest, policy: Policy): Promise<Decision> {
  const court: Court = {request, policy, rules: ruleBook(policy.rules)};
  const judged: Judged[] = [];
  for (const subject of request.subjects) judged.push(...(await judgeSubject(subject, court)));
  if (judged.length === 0) judged.push(judgeName(undefined, court));
  return summed(judged);
}

async function judgeSubject(subject: Subject, court: Court): Promise<readonly Judged[]> {
  if (subject.kind === 'path') return [judgePath(subject, court)];
  if (subject.kind === 'name') return [judgeName(subject.name, court)];
  const {judgeLine} = await import('./judge-line.ts');
  return judgeLine(subject, court);
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
    parts: judged.map(({text, verdict: own, reason, rule}) => ({text, verdict: own, reason, rule})),
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
