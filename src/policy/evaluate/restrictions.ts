import {charge} from '../budget.ts';
import {secretGlob} from '../places/protected-paths.ts';
import {looksAtNames, type PathUse, pathUses} from '../programs/command-paths.ts';
import {expandUses} from '../programs/expand-uses.ts';
import {normalizedCommand, ruleMatchesCommand} from '../rules/match-command.ts';
import type {GlobReader} from '../shell/shell-glob.ts';
import type {LineCommand} from '../shell/shell-line.ts';
import type {ShellPath} from '../shell/shell-paths.ts';
import type {ShellWord} from '../shell/shell-word.ts';
import {restrictedPath} from './evaluate-path.ts';
import {fromRule, type EvaluationContext, type EvaluatedPart} from './evaluation-context.ts';
import type {LineContext} from './line-context.ts';
import {deniedBelow} from './recursive-reads.ts';

/** A rule that speaks of another program is skipped so fast. */
export const RULES_A_STEP = 4;

/** The files named by a command; its globs are expanded if nothing in the line may change the result. */
export function usesOf(command: LineCommand, context: LineContext): readonly PathUse[] {
  const {words, role} = command;
  const uses = pathUses(words, context.folders);
  if (!uses.some(({glob}) => glob !== 'none')) return uses;
  if (!context.plainGlobs) return uses.map((use) => (use.glob === 'shell' ? {...use, glob: 'any'} : use));
  if (role === 'guess' || context.writers.some((writer) => writer !== command)) return uses;
  const files = {...context, request: {...context.request, toolNames: ['read']}};
  const isRuled = (path: ShellPath): boolean => restrictedFile(path, files) !== undefined;
  return expandUses(uses, {words, folders: context.folders, listFolder: context.request.listFolder, isRuled});
}

/** Rules for reads and for writes, no matter what the command does with the file. */
function restrictedFile(path: ShellPath, files: EvaluationContext, reader: GlobReader = 'none'): EvaluatedPart | undefined {
  return restrictedPath({...path, write: true}, files, reader);
}

/** `cd /; rm -rf .` and `rm -rf ../../..` name what `rm -rf /*` denies: paths that lead outside are also evaluated by their targets. */
export function restrictedByPaths(command: LineCommand, uses: readonly PathUse[], context: LineContext): EvaluatedPart | undefined {
  const outside = uses.flatMap(({index, text, paths}) =>
    (paths ?? []).filter((path) => !path.inside && path.path !== text).map(({path}) => [index, path] as const),
  );
  if (outside.length === 0) return undefined;
  const real = new Map(outside);
  const words = command.words.map((word, index) =>
    word.value?.startsWith('-') === true ? word : {...word, value: real.get(index) ?? word.value},
  );
  return restrictedCommand({...command, words}, context);
}

/** Deny before ask; a command that may turn out to be denied is asked about. */
export function restrictedCommand(command: LineCommand, context: LineContext): EvaluatedPart | undefined {
  charge((context.rulesOfTool.deny.length + context.rulesOfTool.ask.length) / RULES_A_STEP);
  const face = normalizedCommand(command);
  let maybe: EvaluatedPart | undefined;
  for (const rule of context.rulesOfTool.deny) {
    const meets = ruleMatchesCommand(rule, face);
    if (meets === 'yes') return fromRule(command.text, rule);
    if (meets === 'maybe')
      maybe ??= {...fromRule(command.text, rule, 'ask'), reason: `it cannot be known whether ${rule.rule.text} denies it`};
  }
  if (maybe !== undefined || command.role === 'guess') return maybe;
  const asked = context.rulesOfTool.ask.find((rule) => ruleMatchesCommand(rule, face) !== 'no');
  return asked === undefined ? undefined : fromRule(command.text, asked);
}

/** Rules about files apply to the words of a command, too: `cat .env` is a read. */
export function restrictedUse(command: LineCommand, uses: readonly PathUse[], context: LineContext): EvaluatedPart | undefined {
  const files = {...context, request: {...context.request, toolNames: ['read']}};
  const found = uses.flatMap((use) =>
    (use.paths ?? []).flatMap((path) => {
      const judged = restrictedFile(path, files, use.glob);
      if (judged === undefined || (judged.rule?.effect === 'ask' && isExempt(command.words, use, path))) return [];
      return [judged.verdict === 'deny' || path.inside ? judged : {...judged, place: NO_RULE}];
    }),
  );
  const deciding =
    found.find(({verdict}) => verdict === 'deny') ?? found[0] ?? deniedBelow(command.words, uses, {context, bases: context.folders.bases});
  return deciding === undefined ? undefined : {...deciding, text: command.text};
}

/** True if an ask rule does not apply to a glob: it aims at no secret, and its files are known or only their names are read. */
function isExempt(words: readonly ShellWord[], use: PathUse, {path}: ShellPath): boolean {
  if (use.glob !== 'shell' || secretGlob(path) !== undefined) return false;
  return use.expanded !== undefined || looksAtNames(words);
}

/** An ask rule for a path outside: no allow rule is stronger. */
export const NO_RULE = {allow: undefined};
