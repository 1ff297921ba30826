import {isReadOnly} from '../../protocol/side-effect.ts';
import {
  conservative,
  fallback,
  fromMode,
  fromRule,
  harmless,
  refused,
  type EvaluationContext,
  type EvaluatedPart,
} from './evaluation-context.ts';
import {coversName, namesAddress, type NameSubject} from '../rules/match-address.ts';
import {namesCall, type ParsedRule} from '../rules/parse-rule.ts';

/**
 * Evaluates a subject that is neither a command nor a file: a host, an agent, a tool of a server; or, with undefined, the tool itself, where a call
 * names nothing. A rule for the tool alone allows every name; one with a pattern must fit the whole name.
 */
export function evaluateName(subject: NameSubject | undefined, context: EvaluationContext): EvaluatedPart {
  const text = subject?.name ?? context.request.toolNames[0] ?? '';
  if (text.length <= LONGEST_NAME) return evaluateText(subject, text, context);
  return refused(text.slice(0, LONGEST_NAME), `nothing has a name of more than ${LONGEST_NAME} characters`);
}

function evaluateText(subject: NameSubject | undefined, text: string, context: EvaluationContext): EvaluatedPart {
  const {request, policy, rules} = context;
  const changes = request.sideEffect === 'write' || request.sideEffect === 'execute';
  const first = [...rules.deny, ...rules.ask, ...rules.allow].find((rule) => namesCall(rule, request.toolNames) && fitsRule(rule, subject));
  if (first?.rule.effect === 'deny') return fromRule(text, first);
  if (policy.mode === 'plan' && changes) return fromMode(text, context, 'deny');
  if (subject?.caution !== undefined) return conservative(text, context, subject.caution);
  return first === undefined ? evaluateUnruled(subject?.name, text, context) : fromRule(text, first);
}

function evaluateUnruled(name: string | undefined, text: string, context: EvaluationContext): EvaluatedPart {
  const {request} = context;
  if (isReadOnly(request.sideEffect)) return harmless(text, 'it changes nothing');
  if (request.sideEffect === 'interact') return harmless(text, 'it only asks a person');
  if (isOpenByMode(name, context)) return fromMode(text, context, 'allow');
  return {...fallback(text, context, 'no rule allows it'), wouldAllow: suggested(request.toolNames[0] ?? '', name)};
}

const LONGEST_NAME = 4096;

function fitsRule({rule, pattern}: ParsedRule, subject: NameSubject | undefined): boolean {
  const allows = rule.effect === 'allow';
  // Nothing fits a pattern less than no name at all: only a rule for every name allows that.
  if (subject === undefined) return allows ? pattern === '*' : namesAddress(pattern, NAMELESS);
  return allows ? coversName(pattern, subject) : namesAddress(pattern, subject);
}

const NAMELESS: NameSubject = {kind: 'name', name: ''};

/** A host that nobody named is never allowed by itself. The search engine was named by the person, and gets only the query. */
function isOpenByMode(name: string | undefined, {request, policy}: EvaluationContext): boolean {
  if (policy.mode !== 'full-auto') return false;
  return policy.sandboxed !== true || request.sideEffect !== 'network' || name === undefined || request.toolNames.includes('web_search');
}

function suggested(tool: string, name: string | undefined): string | undefined {
  if (tool === '') return undefined;
  return name === undefined ? tool : nameRule(tool, name);
}

/** None for a name that would mean more than itself. */
function nameRule(tool: string, name: string): string | undefined {
  return /[*\s\p{C}]/u.test(name) || name === '' ? undefined : `${tool}:${name}`;
}
