import {spend} from '../budget.ts';
import {type PathUse, protectedUse} from '../programs/command-paths.ts';
import {onlyLooks} from '../read-only/is-read-only.ts';
import type {Risk} from '../risks/risk.ts';
import {isLookingRule, lookingRules} from '../rules/default-rules.ts';
import {allowsCommand, allowsWrapped} from '../rules/match-command.ts';
import type {ParsedRule} from '../rules/parse-rule.ts';
import {ruleBook} from '../rules/rule-book.ts';
import {exactRule, suggestRule} from '../rules/suggest-rule.ts';
import {isControlWord} from '../shell/shell-change.ts';
import type {LineCommand} from '../shell/shell-line.ts';
import {commandRisks, movesInside} from './command-risks.ts';
import {byCaution, byDefault, byMode, byRule, harmless, type Judged} from './evaluation-context.ts';
import {type LineCourt, toolRules} from './line-context.ts';
import {restrictedByPaths, restrictedCommand, restrictedUse, RULES_A_STEP, usesOf} from './restrictions.ts';

const STEPS_A_COMMAND = 3;

const WORDS_A_STEP = 4;

/** The files of a longer guess are those of the command it was guessed from. */
const MAX_GUESS_WITH_PATHS = 24;

/** Evaluates one command of a line: deny rules first, then what is asked, then what may allow it. */
export function judgeCommand(command: LineCommand, court: LineCourt): Judged[] {
  spend(STEPS_A_COMMAND + command.words.length / WORDS_A_STEP);
  const isLongGuess = command.role === 'guess' && (court.isCrowded || command.words.length > MAX_GUESS_WITH_PATHS);
  const uses = isLongGuess ? [] : usesOf(command, court);
  const byWords = restrictedCommand(command, court);
  const restricted = byWords ?? restrictedByPaths(command, uses, court) ?? restrictedUse(command, uses, court);
  if (restricted?.verdict === 'deny') return [restricted];
  // `find -exec rm -rf {}` may be what is denied: that is asked in every mode.
  if (command.role === 'guess') return byWords === undefined ? [] : [byWords];
  if (restricted !== undefined) return [restricted];
  if (command.role === 'wrapper') return [];
  return [judgePlain(command, uses, court)];
}

function judgePlain(command: LineCommand, uses: readonly PathUse[], court: LineCourt): Judged {
  const risks = commandRisks(command, uses, court);
  const onMachine = {risky: risks.length > 0, root: court.folders.workspace, machine: court.policy.machine};
  const guarded = uses.map((use) => protectedUse(command.words, use, onMachine)).find((reason) => reason !== undefined);
  if (guarded !== undefined) {
    const place = {allow: isReadFromWorkspace(court) ? exactAllow(command, risks, court) : undefined};
    return spelledOut(command, risks, court) ?? {...byCaution(command.text, court, guarded), place};
  }
  const looks = (): boolean => onlyLooks({words: command.words, uses, risks});
  if (court.policy.mode === 'plan') return looksOnly(command, {risks, looks}, court) ?? byMode(command.text, court, 'deny');
  spend(court.rulesOfTool.allow.length / RULES_A_STEP);
  const allowed = court.rulesOfTool.allow.find((rule) => (isLookingRule(rule) ? looks() : allowsByWords(rule, command, risks)));
  if (allowed !== undefined) return byRule(command.text, allowed);
  if (court.policy.mode === 'full-auto') return byMode(command.text, court, 'allow');
  const control = staysInLine(command, risks, court);
  if (control !== undefined) return control;
  const [risk] = risks;
  if (risk !== undefined) {
    const place = risks.some(({isPlace}) => isPlace === true) ? {place: {allow: exactAllow(command, risks, court)}} : {};
    return {...byCaution(command.text, court, risk.reason), ...place};
  }
  return {...byDefault(command.text, court, 'no rule allows it'), wouldAllow: suggestRule(command, court.request.toolNames[0] ?? '')};
}

/** What is protected needs a rule that spells out the whole command, where its paths are read from the workspace. */
function spelledOut(command: LineCommand, risks: readonly Risk[], court: LineCourt): Judged | undefined {
  if (court.policy.mode === 'plan' || !isReadFromWorkspace(court)) return undefined;
  const rule = court.rulesOfTool.allow.find(
    ({pattern, ...rest}) => !pattern.includes('*') && allowsCommand({pattern, ...rest}, command, risks),
  );
  return rule === undefined ? undefined : byRule(command.text, rule);
}

function isReadFromWorkspace({folders: {workspace, bases}}: LineCourt): boolean {
  return bases.length === 1 && bases[0] === workspace;
}

function exactAllow({words}: LineCommand, risks: readonly Risk[], {request}: LineCourt): string | undefined {
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

function looksOnly(command: LineCommand, {risks, looks}: Looks, court: LineCourt): Judged | undefined {
  const lookers = toolRules({...court, rules: ruleBook(lookingRules())}).allow;
  if (looks() || lookers.some((rule) => allowsCommand(rule, command, risks))) return harmless(command.text, 'it only looks');
  return staysInLine(command, risks, court);
}

function staysInLine(command: LineCommand, risks: readonly Risk[], court: LineCourt): Judged | undefined {
  const stays = risks.length === 0 && (isControlWord(command.words) || isCdInside(command, court));
  return stays ? harmless(command.text, 'it changes nothing outside the line') : undefined;
}

/** `cd src; ls; cd ..` comes back: where nothing follows, it is enough that it may. */
function isCdInside(command: LineCommand, court: LineCourt): boolean {
  return command.words[0]?.value === 'cd' && movesInside(command, court);
}
