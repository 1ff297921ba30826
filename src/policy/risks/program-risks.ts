import {isInterpreter, programFacts} from '../programs/known-programs.ts';
import {actionRisks} from './action-risks.ts';
import {awkRisks} from './awk-risks.ts';
import {findRisks} from './find-risks.ts';
import {gitRisks} from './git-risks.ts';
import {isNamed, isPlainReader, type ProgramFacts} from '../programs/program-facts.ts';
import {projectRunAt} from '../programs/project-runs.ts';
import {sedRisks} from './sed-risks.ts';
import {programName, type ShellWord, textAt} from '../shell/shell-word.ts';
import {tarBundleRisks} from './tar-risks.ts';
import {OPAQUE_WRAPPERS, SHELLS} from '../programs/wrappers.ts';
import type {Risk} from './risk.ts';

/** All risky words of a command, including unknown words that could be such an option. */
export function programRisks(words: readonly ShellWord[]): readonly Risk[] {
  const at = projectRunAt(words);
  if (at === undefined) return ownRisks(words);
  return ownRisks(words.slice(at)).map(({index, reason}) => ({index: index + at, reason}));
}

function ownRisks(words: readonly ShellWord[]): readonly Risk[] {
  const name = programName(words);
  const facts = programFacts(name);
  const whole = wholeRisk(name, words, facts);
  if (whole !== undefined) return [{index: words.length, reason: whole}];
  if (SHELLS.has(name)) return scriptRisks(words);
  const special = SPECIAL.get(name);
  return [
    ...(facts === undefined ? [] : [...optionRisks(words, facts), ...wordRisks(words, facts), ...actionRisks(words, facts)]),
    ...(special?.(words) ?? []),
    ...(special === undefined && isHarmless(facts) ? [] : unknownRisks(words, facts ?? {})),
  ];
}

/** The reason why only a rule that names the whole command exactly covers it. */
function wholeRisk(name: string, words: readonly ShellWord[], facts: ProgramFacts | undefined): string | undefined {
  if (facts?.always !== undefined) return facts.always;
  if (OPAQUE_WRAPPERS.has(name)) return `${name} runs other programs`;
  return words.length === 1 && isInterpreter(name) ? `${name} runs what it is fed` : undefined;
}

/** Lines passed to a shell are evaluated separately; those in a file are unknown: a rule must name the file. */
function scriptRisks(words: readonly ShellWord[]): Risk[] {
  const index = words.findIndex(({value}, at) => at > 0 && !/^[-+]/.test(value ?? ''));
  const takesLine = words.some(({value}) => /^-[a-z]*c/.test(value ?? ''));
  return index === -1 || takesLine ? [] : [{index, reason: `the content of ${words[index]?.text ?? ''} is not evaluated`}];
}

const SPECIAL: ReadonlyMap<string, (words: readonly ShellWord[]) => readonly Risk[]> = new Map([
  ['find', findRisks],
  ['git', gitRisks],
  ['sed', sedRisks],
  ['gsed', sedRisks],
  ['tar', tarBundleRisks],
  ...['awk', 'gawk', 'mawk', 'nawk', 'original-awk'].map((name) => [name, awkRisks] as const),
]);

function optionRisks(words: readonly ShellWord[], facts: ProgramFacts): Risk[] {
  const risks: Risk[] = [];
  const end = words.findIndex((word) => word.value === '--');
  let operands = 0;
  // `npm -w x exec`: the first operand may be the value of the option in front of it.
  let mayBeValues = 0;
  for (let index = 1; index < words.length; index += 1) {
    const value = textAt(words, index);
    if (value === '') continue;
    if (/^-./.test(value) && (end === -1 || index <= end)) {
      if (runsByOption(words, index, facts)) risks.push({index, reason: `the option ${value}`});
      else if (takesNext(value, facts)) index += 1;
    } else {
      operands += 1;
      const position = operands - mayBeValues;
      if (position === 1 && /^-[^=]+$/.test(textAt(words, index - 1))) mayBeValues += 1;
      const reason = isReadOnlyLine(words, index, facts) ? undefined : operandRisk(value, {operands, position}, facts);
      if (reason !== undefined) risks.push({index, reason});
    }
  }
  return risks;
}

function runsByOption(words: readonly ShellWord[], index: number, facts: ProgramFacts): boolean {
  const isRisky = isRiskyOption(textAt(words, index), facts) && !isCustomaryConfig(words, index, facts);
  return isRisky || loadsModule(words, index, facts);
}

/** `kubectl config view`, `gh auth status`: shows a setting, and no secret. */
function isReadOnlyLine(words: readonly ShellWord[], index: number, {looks}: ProgramFacts): boolean {
  if (looks?.test(`${textAt(words, index)} ${textAt(words, index + 1)}`) !== true) return false;
  return words.every(({value}) => value !== undefined && !SHOWS_SECRETS.test(value));
}

const SHOWS_SECRETS = /^--(?:raw|show-token)|^-[a-zA-Z]*t|token|passw|_auth|secret_/i;

/**
 * `jest --config jest.unit.config.ts`: a configuration is code, and so is the one that is read without the option. A project file with a usual
 * configuration name is equivalent to `jest` alone; any other name has to be given exactly.
 */
function isCustomaryConfig(words: readonly ShellWord[], index: number, {config}: ProgramFacts): boolean {
  const [, option = '', inline] = /^(-\w|--[\w-]+)(?:=(.*))?$/.exec(textAt(words, index)) ?? [];
  if (!isNamed(config, option)) return false;
  // Without a file after it: the configuration that is read anyway.
  if (inline === undefined && index === words.length - 1) return true;
  const file = inline ?? textAt(words, index + 1);
  if (!/^[\w.-][\w./-]*$/.test(file) || file.startsWith('-') || file.split('/').includes('..')) return false;
  const name = file.slice(file.lastIndexOf('/') + 1);
  return COMMON_CONFIGS.has(name) || name.replace(/^\./, '').startsWith(programName(words).replace(/[^a-z].*$/, ''));
}

const COMMON_CONFIGS: ReadonlySet<string> = new Set(['package.json', 'pyproject.toml', 'setup.cfg', 'tox.ini']);

interface OperandPlace {
  readonly operands: number;
  /** The same without those that may be values of options. */
  readonly position: number;
}

function operandRisk(
  value: string,
  {operands, position}: OperandPlace,
  {maxOperands = Infinity, subcommands}: ProgramFacts,
): string | undefined {
  if (operands > maxOperands) return `writes to ${value}`;
  return position === 1 && isNamed(subcommands, value) ? `the subcommand ${value}` : undefined;
}

function wordRisks(words: readonly ShellWord[], facts: ProgramFacts): Risk[] {
  const risks: Risk[] = [];
  for (const [index, {value}] of words.entries()) {
    if (value === '--') break;
    if (
      index > 0 &&
      !isNamed(facts.texts, textAt(words, index - 1)) &&
      value !== undefined &&
      facts.words?.some((word) => word.test(value)) === true
    ) {
      risks.push({index, reason: `the word ${value}`});
    }
  }
  return risks;
}

function isRiskyOption(value: string, facts: ProgramFacts): boolean {
  if (isSingle(value, facts)) return true;
  if (value.startsWith('--')) {
    const name = value.slice(2).split('=', 1)[0] ?? '';
    return name !== '' && !isNamed(facts.own, name) && ` ${facts.long ?? ''}`.includes(` ${name}`);
  }
  for (const letter of value.slice(1)) {
    if (facts.short?.includes(letter) === true) return true;
    if (facts.valued?.includes(letter) === true) return false;
  }
  return false;
}

/** `-shell-escape`, `--shell-esc`. */
function isSingle(value: string, {single}: ProgramFacts): boolean {
  const name = /^--?([^=:]+)/.exec(value)?.[1];
  if (single === undefined || name === undefined) return false;
  return isNamed(single, name) || (name.length >= SHORTEST_BEGINNING && ` ${single}`.includes(` ${name}`));
}

const SHORTEST_BEGINNING = 5;

/** `mocha --reporter ./x.js`; `--reporter spec` is one of its own. */
function loadsModule(words: readonly ShellWord[], index: number, {modules}: ProgramFacts): boolean {
  const [, option = '', inline] = /^(--[\w-]+|-\w)(?:=?(.+))?$/s.exec(textAt(words, index)) ?? [];
  return isNamed(modules, option) && /[./\\]/.test(inline ?? textAt(words, index + 1));
}

/** `-k 2`: the next word is a value. `-k2` and `--key=2` carry theirs. */
function takesNext(value: string, {texts, config, valued = ''}: ProgramFacts): boolean {
  if (isNamed(texts, value) || isNamed(config, value)) return true;
  if (value.startsWith('--')) return false;
  const at = value.slice(1).search(valued === '' ? /$^/ : new RegExp(`[${valued}]`));
  return at !== -1 && at === value.length - 2;
}

/** Variables, and globs that may become an option (`tar cf a.tar *` with a file named `--to-command=x`). */
function unknownRisks(words: readonly ShellWord[], facts: ProgramFacts): Risk[] {
  const end = words.findIndex((word) => word.value === '--');
  const globsAreFiles = isPlainReader(facts);
  const risks: Risk[] = [];
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined || isTextOf(textAt(words, index - 1), word, facts)) continue;
    const behindEnd = end !== -1 && index > end;
    const unknown = isUnknown(word) && !(behindEnd && facts.kind === undefined);
    if (unknown || (!globsAreFiles && !behindEnd && mayBecomeOption(word))) risks.push({index, reason: `${word.text} may become anything`});
  }
  return risks;
}

/** True if the program only prints or describes its arguments, whatever they are. */
function isHarmless(facts: ProgramFacts | undefined): boolean {
  return facts?.kind === 'text' || facts?.kind === 'facts';
}

/** Not known, not even that it begins like the name of a file here. */
function isUnknown({text, value, prefix}: ShellWord): boolean {
  // A number, whatever happened before.
  if (/^"?\$[?#$]"?$/.test(text)) return false;
  return value === undefined && (prefix === '' || /^[-/~.]/.test(prefix));
}

function mayBecomeOption({glob, value}: ShellWord): boolean {
  return glob && value !== undefined && /^[-*?[+@!]/.test(value);
}

function isTextOf(before: string, word: ShellWord, facts: ProgramFacts): boolean {
  return word.text.startsWith('"') && isNamed(facts.texts, before);
}
