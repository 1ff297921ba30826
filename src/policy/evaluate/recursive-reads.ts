import type {PathUse} from '../programs/command-paths.ts';
import {fromRule, type EvaluationContext, type EvaluatedPart} from './evaluation-context.ts';
import {patternsOverlap} from '../pattern.ts';
import {programName, type ShellWord, textAt} from '../shell/shell-word.ts';

/**
 * A command that reads whole folders (`grep -r`, `rg`, `cp -r`, `tar c`) may read a file that a rule denies: asked. Rules that only ask are
 * left out: nobody wants a question for each search.
 */
export function deniedBelow(words: readonly ShellWord[], uses: readonly PathUse[], {context, bases}: Folders): EvaluatedPart | undefined {
  const reach = reachOf(words);
  if (reach === undefined) return undefined;
  const named = uses.filter(({glob}) => glob === 'none').flatMap(({paths}) => (paths ?? []).map(({path}) => path));
  const roots = named.length > 0 ? named : bases;
  const denied = context.rules.deny.find(
    (rule) =>
      rule.namesTool('read') &&
      (reach === 'all' || !/(?:^|\/)\.[^/]*$/.test(rule.pattern)) &&
      roots.some((root) => patternsOverlap(absolute(rule.pattern, bases), `${root === '/' ? '' : root}/*`)),
  );
  return denied === undefined ? undefined : fromRule(words.map(({text}) => text).join(' '), denied, 'ask');
}

interface Folders {
  readonly context: EvaluationContext;
  /** Folders in which the command may run. */
  readonly bases: readonly string[];
}

/** A pattern that begins with a name means the workspace; a star meets every folder anyway. */
function absolute(pattern: string, bases: readonly string[]): string {
  return /^[/~*]/.test(pattern) ? pattern : `${bases[0] ?? ''}/${pattern.replace(/^\.\//, '')}`;
}

/** 'visible': names with a leading dot are skipped. */
type Reach = 'all' | 'visible';

function reachOf(words: readonly ShellWord[]): Reach | undefined {
  const name = programName(words);
  if (name === 'rg' || name === 'ag') return hasOption(words, /^-[A-Za-z]*[u.]|^--(?:hidden|unrestricted|no-ignore)/) ? 'all' : 'visible';
  if (name === 'rgrep' || (name === 'git' && textAt(words, 1) === 'grep')) return 'all';
  const option = RECURSIVE.get(name);
  return option !== undefined && hasOption(words, option) ? 'all' : undefined;
}

function hasOption(words: readonly ShellWord[], option: RegExp): boolean {
  return words.slice(1).some(({value}) => value !== undefined && option.test(value));
}

const SHORT_R = /^-[A-Za-z]*[rR]|^--(?:de)?re(?:f|c)/;
const RECURSIVE: ReadonlyMap<string, RegExp> = new Map([
  ...['grep', 'egrep', 'fgrep', 'zgrep', 'diff', 'zip', 'scp'].map((name) => [name, SHORT_R] as const),
  ['cp', /^-[A-Za-z]*[rRa]|^--(?:rec|arch)/],
  ['rsync', /^-[A-Za-z]*[ra]|^--(?:rec|arch)/],
  ['tar', /^-?[A-Za-z]*c|^--create/],
]);
