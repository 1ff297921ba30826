import {charge} from '../budget.ts';
import {type PathUse, protectedUse} from '../programs/command-paths.ts';
import {isReadOnlyLine} from '../read-only/is-read-only.ts';
import type {Risk} from '../risks/risk.ts';
import {isReadOnlyRule, readOnlyRules} from '../rules/default-rules.ts';
import {allowsCommand, allowsWrapped} from '../rules/match-command.ts';
import type {ParsedRule} from '../rules/parse-rule.ts';
import {ruleBook} from '../rules/rule-book.ts';
import {exactRule, suggestRule} from '../rules/suggest-rule.ts';
import {isControlWord} from '../shell/shell-change.ts';
import type {LineCommand} from '../shell/shell-line.ts';
import {commandRisks, movesInside} from './command-risks.ts';
import {conservative, fallback, fromMode, fromRule, harmless, type EvaluatedPart} from './evaluation-context.ts';
import {type LineContext, toolRules} from './line-context.ts';
import {restrictedByPaths, restrictedCommand, restrictedUse, RULES_A_STEP, usesOf} from './restrictions.ts';

const STEPS_A_COMMAND = 3;

const WORDS_PER_STEP = 4;

/** The files of a longer guess are those of the command it was guessed from. */
const MAX_GUESS_WITH_PATHS = 24;

/** Evaluates one command of a line: deny rules first, then ask rules and risks, then allow rules. */
export function evaluateCommand(command: LineCommand, context: LineContext): EvaluatedPart[] {
  charge(STEPS_A_COMMAND + command.words.length / WORDS_PER_STEP);
  const isLongGuess = command.role === 'guess' && (context.isCrowded || command.words.length > MAX_GUESS_WITH_PATHS);
  const uses = isLongGuess ? [] : usesOf(command, context);
  const byWords = restrictedCommand(command, context);
  const restricted = byWords ?? restrictedByPaths(command, uses, context) ?? restrictedUse(command, uses, context);
  if (restricted?.verdict === 'deny') return [restricted];
  // `find -exec rm -rf {}` may run a denied command: every mode asks.
  if (command.role === 'guess') return byWords === undefined ? [] : [byWords];
  if (restricted !== undefined) return [restricted];
  if (command.role === 'wrapper') return [];
  return [evaluatePlain(command, uses, context)];
}

function evaluatePlain(command: LineCommand, uses: readonly PathUse[], context: LineContext): EvaluatedPart {
  const risks = commandRisks(command, uses, context);
  const onMachine = {risky: risks.length > 0, root: context.folders.workspace, machine: context.policy.machine};
  const guarded = uses.map((use) => protectedUse(command.words, use, onMachine)).find((reason) => reason !== undefined);
  if (guarded !== undefined) {
    const place = {allow: isReadFromWorkspace(context) ? exactAllow(command, risks, context) : undefined};
    return quotesOut(command, risks, context) ?? {...conservative(command.text, context, guarded), place};
  }
  const looks = (): boolean => isReadOnlyLine({words: command.words, uses, risks});
  if (context.policy.mode === 'plan') return isReadOnlyCommand(command, {risks, looks}, context) ?? fromMode(command.text, context, 'deny');
  charge(context.rulesOfTool.allow.length / RULES_A_STEP);
  const allowed = context.rulesOfTool.allow.find((rule) => (isReadOnlyRule(rule) ? looks() : allowsByWords(rule, command, risks)));
  if (allowed !== undefined) return fromRule(command.text, allowed);
  if (context.policy.mode === 'full-auto') return fromMode(command.text, context, 'allow');
  const control = staysInLine(command, risks, context);
  if (control !== undefined) return control;
  const [risk] = risks;
  if (risk !== undefined) {
    const place = risks.some(({isPlace}) => isPlace === true) ? {place: {allow: exactAllow(command, risks, context)}} : {};
    return {...conservative(command.text, context, risk.reason), ...place};
  }
  return {...fallback(command.text, context, 'no rule allows it'), wouldAllow: suggestRule(command, context.request.toolNames[0] ?? '')};
}

/** Allows a command on protected paths by a rule without a star that names all of it, provided that its paths are relative to the workspace. */
function quotesOut(command: LineCommand, risks: readonly Risk[], context: LineContext): EvaluatedPart | undefined {
  if (context.policy.mode === 'plan' || !isReadFromWorkspace(context)) return undefined;
  const rule = context.rulesOfTool.allow.find(
    ({pattern, ...rest}) => !pattern.includes('*') && allowsCommand({pattern, ...rest}, command, risks),
  );
  return rule === undefined ? undefined : fromRule(command.text, rule);
}

function isReadFromWorkspace({folders: {workspace, bases}}: LineContext): boolean {
  return bases.length === 1 && bases[0] === workspace;
}

function exactAllow({words}: LineCommand, risks: readonly Risk[], {request}: LineContext): string | undefined {
  return risks.some(({index}) => index === Infinity) ? undefined : exactRule(words, request.toolNames[0] ?? '');
}

function allowsByWords(rule: ParsedRule, command: LineCommand, risks: readonly Risk[]): boolean {
  return (
    allowsCommand(rule, command, risks) || (command.wrapped !== undefined && allowsWrapped(rule, command.wrapped.words, {command, risks}))
  );
}

interface Looks {
  readonly risks: readonly Risk[];
  readonly looks: () => boolean;
}

function isReadOnlyCommand(command: LineCommand, {risks, looks}: Looks, context: LineContext): EvaluatedPart | undefined {
  const lookers = toolRules({...context, rules: ruleBook(readOnlyRules())}).allow;
  if (looks() || lookers.some((rule) => allowsCommand(rule, command, risks))) return harmless(command.text, 'it only looks');
  return staysInLine(command, risks, context);
}

function staysInLine(command: LineCommand, risks: readonly Risk[], context: LineContext): EvaluatedPart | undefined {
  const stays = risks.length === 0 && (isControlWord(command.words) || isCdInside(command, context));
  return stays ? harmless(command.text, 'it changes nothing outside the line') : undefined;
}

/** `cd src; ls; cd ..` comes back: where nothing follows, it is enough that it may. */
function isCdInside(command: LineCommand, context: LineContext): boolean {
  return command.words[0]?.value === 'cd' && movesInside(command, context);
}
