import {textAt, type ShellWord} from './shell-word.ts';
import type {SyntaxRisk} from './unresolved-syntax.ts';
import {wordList} from '../word-list.ts';
import {isSafeVariable} from './variables.ts';

/** Describes the effect of a shell builtin on everything after it, or that it works unlike a program; undefined for anything else. */
export function shellChange(words: readonly ShellWord[]): SyntaxRisk | undefined {
  const name = textAt(words, 0);
  if (name === '.' || name === 'source') return {reason: 'runs a file as a part of this line', hides: 'command'};
  if (name === 'jobs' && words.slice(1).some(({value}) => value === undefined || /^-\w*x/.test(value)))
    return {reason: 'jobs -x runs a command', hides: 'command'};
  if (RENAMES.has(name)) return {reason: `${name} changes what a name runs`, hides: 'command'};
  if (readsLines(words)) return undefined;
  const reason = RUNS_TEXT.has(name) ? `${name} runs text as code` : argumentRisk(name, words.slice(1));
  return reason === undefined ? undefined : {reason, hides: 'value'};
}

/** `read -r line`: stores lines in variables of the line's own. Not where a name may be a subscript, nor `-a`, which makes an array. */
export function readsLines(words: readonly ShellWord[]): boolean {
  if (textAt(words, 0) !== 'read') return false;
  let at = 1;
  let raw = false;
  for (let option = textAt(words, at); option.startsWith('-'); option = textAt(words, at)) {
    const [, flags = '', valued] = /^-([rse]*)([tnNpd]?)$/.exec(option) ?? [];
    if (flags === '' && (valued ?? '') === '') return false;
    raw ||= flags.includes('r');
    at += valued === '' ? 1 : 2;
  }
  return (
    raw &&
    words.slice(at).every(({value}) => value === '_' || (value !== undefined && isSafeVariable(value, false) && /^[a-z]/.test(value)))
  );
}

const RENAMES: ReadonlySet<string> = new Set(['alias', 'unalias', 'hash', 'enable']);

const DECLARES: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);

function argumentRisk(name: string, args: readonly ShellWord[]): string | undefined {
  if (DECLARES.has(name)) return declarationRisk(name, args);
  switch (name) {
    case 'set':
      return isHarmlessSet(args) ? undefined : 'set changes how the shell reads the rest';
    case 'printf':
      return args.some(maySetVariable) ? 'printf -v sets a variable' : undefined;
    case 'wait':
      return args.some((word) => word.value === undefined || /^-\w*p/.test(word.value)) ? 'wait -p sets a variable' : undefined;
    case 'test':
    case '[':
      return testReads(args) ? 'asks for a variable, whose subscript is run as code' : undefined;
    default:
      return undefined;
  }
}

/** Steers the line and nothing else: needs no rule. */
export function isControlWord(words: readonly ShellWord[]): boolean {
  const name = words[0]?.value ?? '';
  return CONTROL.has(name) || readsLines(words) || (name === 'command' && /^-[vV]$/.test(words[1]?.value ?? ''));
}

const CONTROL: ReadonlySet<string> = new Set(wordList('true false : exit return break continue shift wait set export'));

const RUNS_TEXT: ReadonlySet<string> = new Set(
  wordList(`
  trap mapfile readarray read let unset getopts shopt complete compgen compopt bind fc history coproc dirs popd caller bg fg disown
  suspend logout zmodload emulate autoload setopt
`),
);

function declarationRisk(name: string, args: readonly ShellWord[]): string | undefined {
  const exported = name === 'export' || args.some((word) => /^-\w*x/.test(word.value ?? ''));
  const unsafe = args.find((word) => !isSafeDeclaration(word, exported));
  return unsafe === undefined ? undefined : `${name} ${unsafe.text} can change what runs`;
}

function isSafeDeclaration(word: ShellWord, exported: boolean): boolean {
  if (/^-[xr]$/.test(word.value ?? '')) return true;
  const name = /^([A-Za-z_]\w*)=/.exec(word.prefix)?.[1];
  return name !== undefined && isSafeVariable(name, exported, word.value?.slice(name.length + 1));
}

function maySetVariable(word: ShellWord): boolean {
  return word.value === undefined ? word.prefix === '' && !word.text.startsWith('"') : word.value.startsWith('-v');
}

/** `set -euo pipefail` and its parts. */
function isHarmlessSet(args: readonly ShellWord[]): boolean {
  return args.length > 0 && args.every((word) => /^(?:[-+][euxfC]*o?|pipefail|errexit|nounset|xtrace|noglob)$/.test(word.value ?? ' '));
}

/** `test -v 'a[$(x)]'` runs x; so may a variable that holds `-v`. */
function testReads(args: readonly ShellWord[]): boolean {
  if (args.some((word) => word.value === '-v' || word.value === '-R')) return true;
  return args.some((word) => word.value === undefined) && args.some((word) => /\w\[/.test(word.value ?? ''));
}
