import {VERSIONS} from './version-flags.table.ts';
import {isNamed} from './program-facts.ts';
import type {ShellWord} from '../shell/shell-word.ts';
import {wordList} from '../word-list.ts';

/** Returns true for `node --version` and its kin: the program is called by its bare name and gets this one word. */
export function printsVersion(words: readonly ShellWord[]): boolean {
  const [program, option] = words;
  if (words.length !== 2 || program?.value === undefined || option?.value === undefined || option.glob || program.glob) return false;
  return isNamed(versions().get(program.value), option.value);
}

let known: ReadonlyMap<string, string> | undefined;

function versions(): ReadonlyMap<string, string> {
  known ??= new Map(Object.entries(VERSIONS).flatMap(([names, options]) => wordList(names).map((name) => [name, options] as const)));
  return known;
}
