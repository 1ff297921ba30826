import type {For} from 'unbash';
import {readWord, type ShellWord} from './shell-word.ts';

/** The values that variables of loops run through. */
export type LoopValues = ReadonlyMap<string, readonly ShellWord[]>;

/** Values of one loop, and of all loops around a command together. */
const MAX_VALUES = 16;
/** Most nested loops, and most characters of the line, which is searched for each loop. */
const MAX_LOOPS = 4;
const MAX_SOURCE = 4096;
/** Characters of a command: each set of values makes a command of its own. */
const MAX_TEXT = 400;

/** Adds the variable of `for f in a b *.ts`, where all of its values are known and nothing else of the line can change it. */
export function withLoop({name, wordlist = []}: For, source: string, around: LoopValues): LoopValues {
  const variable = name.value;
  if (around.size >= MAX_LOOPS || source.length > MAX_SOURCE) return around;
  const values = wordlist.length > MAX_VALUES ? [] : wordlist.flatMap((word) => readWord(word));
  const isKnown = values.length > 0 && values.length <= MAX_VALUES && values.every(isPlain);
  return isKnown && /^[a-z][a-z0-9_]*$/.test(variable) && isNamedOnce(variable, source) ? new Map([...around, [variable, values]]) : around;
}

/** A tilde in front is another folder only while the list is read. */
function isPlain({text, value}: ShellWord): boolean {
  return value !== undefined && value !== '' && !text.includes('~');
}

/** Each set of values with which a command runs; one empty set where it uses no variable of a loop. */
export function loopCases(text: string, loops: LoopValues): readonly ReadonlyMap<string, ShellWord>[] {
  let cases: ReadonlyMap<string, ShellWord>[] = [new Map()];
  if (text.length > MAX_TEXT) return cases;
  for (const [variable, values] of loops) {
    if (text.search(uses(variable)) === -1) continue;
    cases = cases.flatMap((known) => values.map((value) => new Map([...known, [variable, value]])));
    if (cases.length > MAX_VALUES) return [new Map()];
  }
  return cases;
}

/** True if it is only read, except by the loop itself: the line has its name without a dollar nowhere else, other than as an option or in a path. */
function isNamedOnce(variable: string, source: string): boolean {
  const rest = source.replaceAll('\\\n', '').replaceAll(uses(variable), ' ');
  return [...rest.matchAll(new RegExp(`(?<![-./\\w])${variable}\\b`, 'g'))].length === 1;
}

function uses(variable: string): RegExp {
  return new RegExp(`\\$(?:${variable}\\b|\\{${variable}\\})`, 'g');
}
