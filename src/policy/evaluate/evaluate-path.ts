import {isReadOnly} from '../../protocol/side-effect.ts';
import type {Subject} from '../decision.ts';
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
import {allowsPath, comparedNames, type ComparedNames, ruleMatchesPath, namesProtected, type PathNames} from '../rules/match-path.ts';
import {machinePlace, outerPlace, type Machine} from '../places/machine-places.ts';
import {namesCall, type ParsedRule} from '../rules/parse-rule.ts';
import {protectedWrite, secretRead} from '../places/protected-paths.ts';
import {charge} from '../budget.ts';
import type {GlobReader} from '../shell/shell-glob.ts';

type PathSubject = Extract<Subject, {kind: 'path'}>;

/** Judges one file that a tool wants to read or write. Links were followed by the workspace before. */
export function evaluatePath(subject: PathSubject, context: EvaluationContext): EvaluatedPart {
  const requested = subject.requested ?? subject.path;
  if (/^$|\0/.test(requested)) return refused(requested.slice(0, LONGEST_PATH), 'this names no file');
  if (Math.max(requested.length, subject.path.length) > LONGEST_PATH)
    return refused(requested.slice(0, LONGEST_PATH), `a path of more than ${LONGEST_PATH} characters names no file`);
  charge(STEPS_A_PATH);
  const restricted = restrictedPath(subject, context);
  if (restricted?.verdict === 'deny') return restricted;
  const reads = !subject.write && isReadOnly(context.request.sideEffect);
  if (context.policy.mode === 'plan' && !reads) return inPlan(subject, context, restricted);
  if (restricted !== undefined) return subject.inside ? restricted : {...restricted, place: {allow: undefined}};
  return subject.write ? evaluateWrite(subject, context) : evaluateRead(subject, context);
}

/** Linux takes 4096 bytes, others less (limits.h › PATH_MAX). */
const LONGEST_PATH = 4096;
const STEPS_A_PATH = 1;
/** Work of finding the names of a file that are compared with rules. */
const STEPS_A_NAME = 1.5;
const RULES_A_STEP = 16;
const CHARS_A_STEP = 25;

/** In plan mode, only the plan file can be written. */
function inPlan(subject: PathSubject, context: EvaluationContext, restricted: EvaluatedPart | undefined): EvaluatedPart {
  const isPlan = subject.write && subject.path === context.policy.planFile && context.request.sideEffect === 'write';
  return isPlan ? (restricted ?? harmless(label(subject), 'it is the plan')) : fromMode(label(subject), context, 'deny');
}

/** Deny and ask rules: they hold for the tool that is called, and for every other tool that touches a file in the same way. */
export function restrictedPath(
  subject: PathNames & {readonly write: boolean},
  {request, rules}: EvaluationContext,
  reader: GlobReader = 'none',
): EvaluatedPart | undefined {
  const family = subject.write ? ['write', 'edit'] : ['read'];
  charge(STEPS_A_NAME + (rules.deny.length + rules.ask.length) / RULES_A_STEP + subject.path.length / CHARS_A_STEP);
  const tools = [...request.toolNames, ...family];
  const text = label(subject);
  let names: ComparedNames | undefined;
  const hit = (list: readonly ParsedRule[]): ParsedRule | undefined =>
    list.find((rule) => namesCall(rule, tools) && ruleMatchesPath(rule, (names ??= comparedNames(subject, reader))));
  const denied = hit(rules.deny);
  if (denied !== undefined) return fromRule(text, denied, reader === 'none' ? 'deny' : 'ask');
  const asked = hit(rules.ask);
  return asked === undefined ? undefined : fromRule(text, asked);
}

/** A read, by a tool or by a redirect of a shell line. */
export function evaluateRead(subject: PathNames, context: EvaluationContext): EvaluatedPart {
  const text = label(subject);
  const secret = secretRead(subject.path);
  const allowed = allowingRule(subject, context, {holds: secret !== undefined, test: (path) => secretRead(path) !== undefined});
  if (allowed !== undefined) return fromRule(text, allowed);
  if (context.policy.mode === 'full-auto') return fromMode(text, context, 'allow');
  const place = {allow: suggested(subject, context)};
  if (secret !== undefined) return {...conservative(text, context, secret), place};
  if (subject.inside) return harmless(text, 'reads in the workspace are never asked');
  return {...fallback(text, context, 'it is outside the workspace'), wouldAllow: place.allow, place};
}

/** A write, by a tool or by a redirect of a shell line. */
export function evaluateWrite(
  subject: PathNames & {readonly write: boolean; readonly hardLinked?: boolean | undefined},
  context: EvaluationContext,
): EvaluatedPart {
  const text = label(subject);
  const {mode} = context.policy;
  const reason = protectedByAnyName(subject, context.policy.machine);
  const delicate = mode === 'full-auto' ? undefined : delicateWrite(subject);
  const caution = reason ?? delicate;
  const isExplicit = (path: string): boolean => isGuardedName(path, context.policy.machine);
  const allowed = allowingRule(subject, context, {holds: caution !== undefined, test: isExplicit});
  if (allowed !== undefined) return fromRule(text, allowed);
  const suggestion = suggested(subject, context);
  const place = subject.inside && caution === undefined ? {} : {place: {allow: suggestion}};
  if (caution !== undefined) return {...conservative(text, context, caution), ...place};
  if (mode === 'full-auto' || (mode === 'accept-edits' && subject.inside)) return fromMode(text, context, 'allow');
  const why = subject.inside ? 'no rule allows this write' : 'it is outside the workspace';
  return {...fallback(text, context, why), wouldAllow: suggestion, ...place};
}

/** Returns true if the pattern of a rule names a path that is guarded by itself, wherever the workspace is. */
function isGuardedName(path: string, machine: Machine | undefined): boolean {
  return (/^[/~]/.test(path) ? outerPlace(path, machine) : protectedWrite(path)) !== undefined || secretRead(path) !== undefined;
}

/** Explains why a write is asked about in every mode but full-auto. */
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

/** A protected path needs a rule that names it exactly. */
interface Guard {
  readonly holds: boolean;
  readonly test: (path: string) => boolean;
}

function allowingRule(subject: PathNames, {request, rules}: EvaluationContext, guard: Guard): ParsedRule | undefined {
  return rules.allow.find((rule) => {
    if (!namesCall(rule, request.toolNames) || !allowsPath(rule, subject)) return false;
    const isExact = [subject.relative, subject.path].includes(rule.pattern.replace(/^\.\//, ''));
    return !guard.holds || isExact || namesProtected(rule, guard.test);
  });
}

function suggested(subject: PathNames, {request}: EvaluationContext): string | undefined {
  const name = request.toolNames[0];
  const path = subject.inside ? subject.relative : subject.path;
  return name === undefined || /[*\s\p{C}]/u.test(path) || path === '' ? undefined : `${name}:${path}`;
}

function label(subject: PathNames): string {
  return subject.inside && subject.relative !== '' ? subject.relative : subject.path;
}
