import {isReadOnly} from '../../protocol/side-effect.ts';
import type {Subject} from '../decision.ts';
import {byCaution, byDefault, byMode, byRule, harmless, refused, type Court, type Judged} from './evaluation-context.ts';
import {allowsPath, comparedNames, type ComparedNames, meetsPath, namesProtected, type PathNames} from '../rules/match-path.ts';
import {machinePlace, outerPlace, type Machine} from '../places/machine-places.ts';
import {namesCall, type ParsedRule} from '../rules/parse-rule.ts';
import {protectedWrite, secretRead} from '../places/protected-paths.ts';
import {spend} from '../budget.ts';
import type {GlobReader} from '../shell/shell-glob.ts';

type PathSubject = Extract<Subject, {kind: 'path'}>;

/** Judges one file that a tool wants to read or write. Links were followed by the workspace before. */
export function judgePath(subject: PathSubject, court: Court): Judged {
  const requested = subject.requested ?? subject.path;
  if (/^$|\0/.test(requested)) return refused(requested.slice(0, LONGEST_PATH), 'this names no file');
  if (Math.max(requested.length, subject.path.length) > LONGEST_PATH)
    return refused(requested.slice(0, LONGEST_PATH), `a path of more than ${LONGEST_PATH} characters names no file`);
  spend(STEPS_A_PATH);
  const restricted = restrictedPath(subject, court);
  if (restricted?.verdict === 'deny') return restricted;
  const reads = !subject.write && isReadOnly(court.request.sideEffect);
  if (court.policy.mode === 'plan' && !reads) return inPlan(subject, court, restricted);
  if (restricted !== undefined) return subject.inside ? restricted : {...restricted, place: {allow: undefined}};
  return subject.write ? judgeWrite(subject, court) : judgeRead(subject, court);
}

/** Linux takes 4096 bytes, others less (limits.h › PATH_MAX). */
const LONGEST_PATH = 4096;
const STEPS_A_PATH = 1;
/** For finding out the names of a file that are compared with rules. */
const STEPS_A_NAME = 1.5;
const RULES_A_STEP = 16;
const CHARS_A_STEP = 25;

/** Where nothing may change, the plan itself can be written. */
function inPlan(subject: PathSubject, court: Court, restricted: Judged | undefined): Judged {
  const isPlan = subject.write && subject.path === court.policy.planFile && court.request.sideEffect === 'write';
  return isPlan ? (restricted ?? harmless(label(subject), 'it is the plan')) : byMode(label(subject), court, 'deny');
}

/** Deny and ask rules: they hold for the tool that is called, and for every other tool that touches a file in the same way. */
export function restrictedPath(
  subject: PathNames & {readonly write: boolean},
  {request, rules}: Court,
  reader: GlobReader = 'none',
): Judged | undefined {
  const family = subject.write ? ['write', 'edit'] : ['read'];
  spend(STEPS_A_NAME + (rules.deny.length + rules.ask.length) / RULES_A_STEP + subject.path.length / CHARS_A_STEP);
  const tools = [...request.toolNames, ...family];
  const text = label(subject);
  let names: ComparedNames | undefined;
  const hit = (list: readonly ParsedRule[]): ParsedRule | undefined =>
    list.find((rule) => namesCall(rule, tools) && meetsPath(rule, (names ??= comparedNames(subject, reader))));
  const denied = hit(rules.deny);
  if (denied !== undefined) return byRule(text, denied, reader === 'none' ? 'deny' : 'ask');
  const asked = hit(rules.ask);
  return asked === undefined ? undefined : byRule(text, asked);
}

/** A read, by a tool or by a redirect of a shell line. */
export function judgeRead(subject: PathNames, court: Court): Judged {
  const text = label(subject);
  const secret = secretRead(subject.path);
  const allowed = allowingRule(subject, court, {holds: secret !== undefined, test: (path) => secretRead(path) !== undefined});
  if (allowed !== undefined) return byRule(text, allowed);
  if (court.policy.mode === 'full-auto') return byMode(text, court, 'allow');
  const place = {allow: suggested(subject, court)};
  if (secret !== undefined) return {...byCaution(text, court, secret), place};
  if (subject.inside) return harmless(text, 'reads in the workspace are never asked');
  return {...byDefault(text, court, 'it is outside the workspace'), wouldAllow: place.allow, place};
}

/** A write, by a tool or by a redirect of a shell line. */
export function judgeWrite(
  subject: PathNames & {readonly write: boolean; readonly hardLinked?: boolean | undefined},
  court: Court,
): Judged {
  const text = label(subject);
  const {mode} = court.policy;
  const reason = protectedByAnyName(subject, court.policy.machine);
  const delicate = mode === 'full-auto' ? undefined : delicateWrite(subject);
  const caution = reason ?? delicate;
  const isSpelledOut = (path: string): boolean => isGuardedName(path, court.policy.machine);
  const allowed = allowingRule(subject, court, {holds: caution !== undefined, test: isSpelledOut});
  if (allowed !== undefined) return byRule(text, allowed);
  const suggestion = suggested(subject, court);
  const place = subject.inside && caution === undefined ? {} : {place: {allow: suggestion}};
  if (caution !== undefined) return {...byCaution(text, court, caution), ...place};
  if (mode === 'full-auto' || (mode === 'accept-edits' && subject.inside)) return byMode(text, court, 'allow');
  const why = subject.inside ? 'no rule allows this write' : 'it is outside the workspace';
  return {...byDefault(text, court, why), wouldAllow: suggestion, ...place};
}

/** Whether the pattern of a rule names what is guarded by itself, wherever the workspace is. */
function isGuardedName(path: string, machine: Machine | undefined): boolean {
  return (/^[/~]/.test(path) ? outerPlace(path, machine) : protectedWrite(path)) !== undefined || secretRead(path) !== undefined;
}

/** What asks in every mode but full-auto. */
function delicateWrite({path, hardLinked}: PathNames & {readonly hardLinked?: boolean | undefined}): string | undefined {
  return secretRead(path) ?? (hardLinked === true ? LINKED : undefined);
}

/** By its real name, and by the name in the workspace that was asked for: `.cursor` may be a link to a folder of another name. */
function protectedByAnyName({path, relative, inside, requested}: PathNames, machine: Machine | undefined): string | undefined {
  if (!inside) return outerPlace(path, machine);
  const root = relative === '' ? `${path}/` : path.endsWith(`/${relative}`) ? path.slice(0, -relative.length) : undefined;
  const reason = protectedWrite(relative) ?? (root === undefined ? undefined : machinePlace({path, root}, machine));
  if (reason !== undefined || requested === undefined) return reason;
  if (!/^[/~]/.test(requested)) return protectedWrite(requested);
  return root !== undefined && requested.startsWith(root) ? protectedWrite(requested.slice(root.length)) : undefined;
}

const LINKED = 'the file has another name, too, which would keep the old content (a hard link)';

/** A protected path needs a rule that spells it out. */
interface Guard {
  readonly holds: boolean;
  readonly test: (path: string) => boolean;
}

function allowingRule(subject: PathNames, {request, rules}: Court, guard: Guard): ParsedRule | undefined {
  return rules.allow.find((rule) => {
    if (!namesCall(rule, request.toolNames) || !allowsPath(rule, subject)) return false;
    const isExact = [subject.relative, subject.path].includes(rule.pattern.replace(/^\.\//, ''));
    return !guard.holds || isExact || namesProtected(rule, guard.test);
  });
}

function suggested(subject: PathNames, {request}: Court): string | undefined {
  const name = request.toolNames[0];
  const path = subject.inside ? subject.relative : subject.path;
  return name === undefined || /[*\s\p{C}]/u.test(path) || path === '' ? undefined : `${name}:${path}`;
}

function label(subject: PathNames): string {
  return subject.inside && subject.relative !== '' ? subject.relative : subject.path;
}
