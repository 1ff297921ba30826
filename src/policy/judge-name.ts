import {isReadOnly} from '../protocol/side-effect.ts';
import {byDefault, byMode, byRule, harmless, refused, type Court, type Judged} from './judgement.ts';
import {namesCall} from './parse-rule.ts';
import {fitsPattern} from './pattern.ts';

/**
 * Judges what is neither a command nor a file: a host, an agent, a tool of a server; or, with undefined, the tool itself, where a call
 * names nothing. A rule for the tool alone allows every name; one with a pattern must fit the whole name.
 */
export function judgeName(name: string | undefined, court: Court): Judged {
  const text = name ?? court.request.toolNames[0] ?? '';
  if (text.length <= LONGEST_NAME) return judgeText(name, text, court);
  return refused(text.slice(0, LONGEST_NAME), `nothing has a name of more than ${LONGEST_NAME} characters`);
}

function judgeText(name: string | undefined, text: string, court: Court): Judged {
  const {request, policy, rules} = court;
  const first = [...rules.deny, ...rules.ask, ...rules.allow].find(
    (rule) =>
      namesCall(rule, request.toolNames) &&
      // Nothing fits a pattern less than no name at all: only a rule for every name allows that.
      (name === undefined && rule.rule.effect === 'allow' ? rule.pattern === '*' : fitsPattern(rule.pattern, name ?? '')),
  );
  if (first?.rule.effect === 'deny') return byRule(text, first);
  const changes = request.sideEffect === 'write' || request.sideEffect === 'execute';
  if (policy.mode === 'plan' && changes) return byMode(text, court, 'deny');
  if (first !== undefined) return byRule(text, first);
  if (isReadOnly(request.sideEffect)) return harmless(text, 'it changes nothing');
  if (request.sideEffect === 'interact') return harmless(text, 'it only asks a person');
  if (isOpenByMode(name, court)) return byMode(text, court, 'allow');
  return {...byDefault(text, court, 'no rule allows it'), wouldAllow: suggested(request.toolNames[0] ?? '', name)};
}

const LONGEST_NAME = 4096;

/** Not a host that nobody named. The search engine was named by the person, and gets nothing but the query. */
function isOpenByMode(name: string | undefined, {request, policy}: Court): boolean {
  if (policy.mode !== 'full-auto') return false;
  return policy.walled !== true || request.sideEffect !== 'network' || name === undefined || request.toolNames.includes('web_search');
}

function suggested(tool: string, name: string | undefined): string | undefined {
  if (tool === '') return undefined;
  return name === undefined ? tool : nameRule(tool, name);
}

/** None for a name that would mean more than itself. */
function nameRule(tool: string, name: string): string | undefined {
  return /[*\s\p{C}]/u.test(name) || name === '' ? undefined : `${tool}:${name}`;
}
