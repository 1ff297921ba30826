import {findRisks} from '../risks/find-risks.ts';
import {secretGlob} from '../places/protected-paths.ts';
import {programName, type ShellWord, textAt} from '../shell/shell-word.ts';

/**
 * Returns the globs that a command listing files passes to `xargs -0`: `find src -name '*.ts' -print0` gives files below `src`. Undefined if
 * its output may be something else, or if it looks for secrets. Only names that end with a NUL: a blank or a line end in a name of a hostile
 * project would make other words of it.
 */
export function listedFiles(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const values = words.map(({value}) => value);
  if (values.some((value) => value === undefined || (value.length > 1 && secretGlob(value) !== undefined))) return undefined;
  const roots = rootsOf(programName(words), words);
  return roots?.map((root) => ({text: `${root}${BELOW}`, value: `${root}/*`, prefix: `${root}/`, glob: true}));
}

/** True for such a word: its star matches everything below a folder, which no shell glob does. */
export function isListed({text}: ShellWord): boolean {
  return text.endsWith(BELOW);
}

const BELOW = '/…';

function rootsOf(name: string, words: readonly ShellWord[]): readonly string[] | undefined {
  if (name === 'find') return findRoots(words);
  if (words.some(({value, glob}) => glob || /^(?:[/~]|.*\.\.(?:\/|$))/.test(value ?? ''))) return undefined;
  const has = (option: RegExp): boolean => words.some(({value}) => option.test(value ?? ''));
  return LISTS[name]?.(textAt(words, 1), has) === true ? ['.'] : undefined;
}

type Lists = (first: string, has: (option: RegExp) => boolean) => boolean;

/** Options that print names with a NUL after each. */
const LISTS: Readonly<Record<string, Lists>> = {
  git: (first, has) => (first === 'ls-files' || (first === 'diff' && has(/^--name-only$/))) && has(/^-z$/),
  rg: (_, has) => has(/^-[a-z]*l|^--files/) && has(/^-[a-z]*0|^--null$/),
  fd: listsByFd,
  fdfind: listsByFd,
};

function listsByFd(_: string, has: (option: RegExp) => boolean): boolean {
  return has(/^-0$|^--print0$/) && !has(/^-[^-]*[xX]|^--exec|^--format/);
}

function findRoots(words: readonly ShellWord[]): readonly string[] | undefined {
  const options = words.findIndex(({value}, index) => index > 0 && /^[-(!]/.test(value ?? ''));
  const operands = words.slice(1, options);
  const prints = words.filter(({value}) => /^-(?:print\w*|ls)$/.test(value ?? ''));
  if (options === -1 || prints.length !== 1 || prints[0]?.value !== '-print0' || findRisks(words).length > 0) return undefined;
  if (operands.some(({glob}) => glob)) return undefined;
  return operands.length === 0 ? ['.'] : operands.map(({value = ''}) => (value === '/' ? '' : value.replace(/\/$/, '')));
}
