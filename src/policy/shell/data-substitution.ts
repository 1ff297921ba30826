import type {ProcessSubstitutionPart, Word} from 'unbash';
import {programFacts} from '../programs/known-programs.ts';

/** The file that replaces `<(…)`. */
export const SUBSTITUTED = '/dev/fd/63';

/** Returns the process substitution that a word consists of, if it is one that is read from: `<(sort a)`. */
export function readSubstitution({parts}: Word): ProcessSubstitutionPart | undefined {
  const [part] = parts ?? [];
  return parts?.length === 1 && part?.type === 'ProcessSubstitution' && part.operator === '<' ? part : undefined;
}

/**
 * Returns true if a program reads `<(…)` as data, as it would a pipe: `diff <(sort a) <(sort b)`. A program that is not known may run
 * what it reads (`bash <(…)`), and so may the value of an option (`awk -f <(…)`).
 */
export function readsData(program: string, before: string): boolean {
  const kind = programFacts(program)?.kind;
  // Options of these that run or write something are risks of their own.
  return kind === 'read' || kind === 'search' || kind === 'facts' || (SCRIPTED.has(program) && !before.startsWith('-'));
}

const SCRIPTED: ReadonlySet<string> = new Set(['sed', 'awk', 'gawk', 'mawk', 'sdiff', 'shuf', 'colordiff']);
