import {posix} from 'node:path';
import type {ParsedRule} from './parse-rule.ts';
import {fitsPattern, patternsOverlap} from '../pattern.ts';
import {isNamed} from '../programs/program-facts.ts';
import {commonOperands, impliedOptions, takesBeginnings, unversioned} from '../programs/normalized-command.ts';
import type {ShellCommand} from '../shell/shell-parts.ts';
import {programName, type ShellWord} from '../shell/shell-word.ts';
import {charge} from '../budget.ts';
import type {Risk} from '../risks/risk.ts';

/**
 * Narrow, for allow rules: word by word (`bash:WORDS *`). A star that is a word of its own matches any words, a final one also none; a star
 * inside a word stays in that word, so that `curl https://a/*` does not cover options after it. The rule must contain every risky word exactly;
 * only `*` alone covers everything.
 */
export function allowsCommand({words: pattern}: ParsedRule, {words}: ShellCommand, risks: readonly Risk[]): boolean {
  if (pattern.length === 1 && pattern[0] === '*') return true;
  const firstStar = pattern.findIndex((word) => word.includes('*'));
  const literal = firstStar === -1 ? Infinity : firstStar;
  return risks.every(({index}) => index < literal) && (fitsWords(pattern, words) || fitsWords(pattern, withoutPagers(words)));
}

/**
 * The same for a rule with a wrapper and the program after it: `bash:env FOO=1 npm test *`. The rule must contain the words of the wrapper and
 * the name of the program without a star.
 */
export function allowsWrapped(rule: ParsedRule, wrapper: readonly ShellWord[], {command, risks}: WrappedCommand): boolean {
  const {words: pattern} = rule;
  const isExplicit = wrapper.every(({value, glob}, index) => !glob && value !== undefined && pattern[index] === value);
  const program = pattern[wrapper.length];
  if (!isExplicit || wrapper.length === 0 || program === undefined || program.includes('*')) return false;
  return allowsCommand({...rule, words: pattern.slice(wrapper.length)}, command, risks);
}

interface WrappedCommand {
  readonly command: ShellCommand;
  readonly risks: readonly Risk[];
}

/** `git --no-pager log` is `git log`. */
function withoutPagers(words: readonly ShellWord[]): readonly ShellWord[] {
  if (words[0]?.value !== 'git' || !/^(?:-P|--no-pager)$/.test(words[1]?.value ?? '')) return words;
  return [words[0], ...words.slice(2)];
}

/** One alternative at a time, as in {@link fitsPattern}, with words for characters. */
function fitsWords(pattern: readonly string[], words: readonly ShellWord[]): boolean {
  let [at, star, resume, pos] = [0, -1, 0, 0];
  while (pos < words.length) {
    const word = words[pos];
    if (pattern[at] === '*') {
      [star, resume] = [at, pos];
      at += 1;
    } else if (at < pattern.length && word !== undefined && fitsWord(pattern[at] ?? '', word)) {
      at += 1;
      pos += 1;
    } else if (star === -1) {
      return false;
    } else {
      resume += 1;
      [at, pos] = [star + 1, resume];
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

function fitsWord(pattern: string, {value, glob}: ShellWord): boolean {
  return value !== undefined && !glob && fitsPattern(pattern, value);
}

/** A command as wide rules see it: computed once, compared with each rule. */
interface NormalizedCommand {
  /** The words with one blank between them, and the line as it was written. */
  readonly texts: readonly string[];
  /** The program as it was called, and its base name. Empty if it is not known. */
  readonly programs: readonly string[];
  readonly actual: SplitWords;
  /** The operands whose beginning is known: neither a variable nor a glob decides which path they name. */
  readonly certain: readonly string[];
  /** The operands without the values of options in front of the subcommand, where those are known. */
  readonly bare: readonly string[] | undefined;
  /** Options that are not there, although other words mean them. */
  readonly implied: readonly string[];
  /** Some word is known to the shell alone. */
  readonly unknown: boolean;
  readonly optionFirst: boolean;
}

export function normalizedCommand({text, words}: ShellCommand): NormalizedCommand {
  const values = words.map((word) => word.value ?? '*');
  const program = programName(words);
  const called = words[0]?.value;
  const actual = splitOptions(values.slice(1));
  const bare = Object.hasOwn(VALUED, program) ? splitOptions(withoutValues(values.slice(1), VALUED[program])).operands : undefined;
  return {
    texts: [...new Set([values.join(' '), text.trim()])],
    programs: called === undefined ? [] : [called, program, unversioned(program)],
    actual: {...actual, operands: commonOperands(program, actual.operands)},
    certain: splitOptions(words.slice(1).flatMap(certainText)).operands,
    bare: bare === undefined ? undefined : commonOperands(program, bare),
    implied: impliedOptions(program, actual.operands, actual.options),
    unknown: words.some((word) => word.value === undefined),
    optionFirst: words[1]?.value?.startsWith('-') ?? true,
  };
}

function certainText({text, value, prefix, glob}: ShellWord): string[] {
  if (value === undefined && /^"?\$(?:HOME\b|\{HOME\})/.test(text)) return ['/*'];
  if (value === undefined) return prefix === '' ? [] : [`${prefix}*`];
  // `*` and `./*` match entries of the folder, never a path that begins with `/`.
  return glob && /^(?:\.\/+)*[*?[+@!]/.test(value) ? [] : [value];
}

/**
 * Wide, for deny and ask rules: by the text, by the base name of the program, with options in any order and form, after options in front of a
 * subcommand. 'maybe': a word that is not known yet, or an option of unknown length, could make it match.
 */
export function ruleMatchesCommand({pattern, words: ruleWords}: ParsedRule, face: NormalizedCommand): 'yes' | 'maybe' | 'no' {
  const trimmed = pattern.endsWith(' *') ? pattern.slice(0, -2) : pattern;
  if (face.texts.some((text) => fitsPattern(pattern, text) || fitsPattern(trimmed, text))) return 'yes';
  const program = ruleWords[0] ?? '';
  if (!face.programs.some((name) => fitsPattern(program, name))) return 'no';
  const rule = splitOptions(ruleWords.slice(1).filter((word, at, all) => word !== '*' || at < all.length - 1));
  return matchesWords(face, {...rule, operands: commonOperands(program, rule.operands)});
}

interface SplitWords {
  readonly options: readonly string[];
  readonly operands: readonly string[];
}

function matchesWords(face: NormalizedCommand, rule: SplitWords): 'yes' | 'maybe' | 'no' {
  const {actual, unknown, implied} = face;
  const isAmong = (wanted: string, options: readonly string[]): boolean =>
    options.some((option) => fitsPattern(wanted, option) || shortens(option, wanted));
  const optionsMatch = rule.options.every((wanted) => isAmong(wanted, actual.options));
  if (!optionsMatch && !unknown && !rule.options.every((wanted) => isAmong(wanted, [...actual.options, ...implied]))) return 'no';
  const operands = matchesOperands(face, rule.operands);
  if (operands === 'no') return unknown && rule.operands.length > 0 ? 'maybe' : 'no';
  return optionsMatch ? operands : 'maybe';
}

/** Options apart: `-rf` as r and f, the long names that people use for them as well. */
function splitOptions(words: readonly string[]): SplitWords {
  const options: string[] = [];
  const operands: string[] = [];
  let ended = false;
  for (const word of words) {
    if (ended || !word.startsWith('-') || word === '-') operands.push(word);
    else if (word === '--') ended = true;
    else if (word.startsWith('--')) options.push(shortOf(word) ?? word);
    else for (const letter of word.slice(1)) options.push(`-${letter === 'R' ? 'r' : letter}`);
  }
  return {options, operands};
}

/** Any beginning that is unique will do for getopt_long and for git. */
function shortens(option: string, wanted: string): boolean {
  return /^--./.test(option) && wanted.startsWith('--') && wanted.startsWith(option);
}

function shortOf(option: string): string | undefined {
  const long = Object.keys(LONG_OF_SHORT).find((name) => name.startsWith(option) && option.length > 2);
  return long === undefined ? undefined : LONG_OF_SHORT[long];
}

/** `git -C x push` → `push`. */
function withoutValues(words: readonly string[], valued: string | undefined): string[] {
  const rest = [...words];
  for (let at = 0; rest[at]?.startsWith('-') === true;) {
    if (isNamed(valued, rest[at] ?? '')) rest.splice(at, 2);
    else at += 1;
  }
  return rest;
}

/** Options in front of the subcommand whose value is the next word. */
const VALUED: Readonly<Record<string, string>> = {
  git: '-C -c --git-dir --work-tree --namespace --config-env --super-prefix --attr-source --exec-path --list-cmds',
  npm: '-C --prefix -w --workspace --registry --userconfig --globalconfig --cache --loglevel --script-shell',
  pnpm: '-C --dir --filter -F --reporter --loglevel',
  yarn: '--cwd',
  docker: '--context -c -H --host --config -l --log-level --tlscacert --tlscert --tlskey',
  podman: '--connection -c --url --root --runroot --log-level --identity',
  kubectl: '-n --namespace --context --kubeconfig -s --server --user --cluster --as --token',
  cargo: '--config -C -Z --color --manifest-path',
  go: '-C',
  make: '-C -f -I -j -l -o -W',
  systemctl: '-H -M -t -p -n -o --type --host --machine',
  gh: '-R --repo',
  aws: '--profile --region --output --endpoint-url',
  apt: '-o -c -t',
  'apt-get': '-o -c -t',
  terraform: '-chdir',
  helm: '-n --namespace --kube-context --kubeconfig',
  pip: '--python --log --proxy --cache-dir',
};

const LONG_OF_SHORT: Readonly<Record<string, string>> = {'--recursive': '-r', '--force': '-f', '--all': '-a', '--delete': '-d'};

function matchesOperands(
  {actual, certain, bare, optionFirst, programs}: NormalizedCommand,
  wanted: readonly string[],
): 'yes' | 'maybe' | 'no' {
  const paths = wanted.filter(isPathPattern);
  const names = wanted.filter((operand) => !isPathPattern(operand));
  if (!namesAll(paths, actual.operands)) return 'no';
  const faces = bare === undefined ? [actual.operands] : [actual.operands, bare];
  // `ls | xargs rm -rf` may name anything: that is asked about. `xargs rm -rf /` is unambiguous.
  if (faces.some((operands) => names.every((name, at) => fitsPattern(name, operands[at] ?? ''))))
    return namesAll(paths, certain) ? 'yes' : 'maybe';
  const [name = '', subcommand = ''] = [names[0], actual.operands[0]];
  if (programs.some(takesBeginnings) && subcommand.length > 1 && name.startsWith(subcommand)) return 'maybe';
  // `docker --context x push`: whether x belongs to the option is known to docker alone.
  return optionFirst && isSubsequence(names, actual.operands) ? 'maybe' : 'no';
}

function namesAll(paths: readonly string[], operands: readonly string[]): boolean {
  if (paths.length === 0) return true;
  const texts = withNormal(operands);
  return paths.every((path) => texts.some((text) => patternsOverlap(path, text)));
}

/** The same operands are compared with many rules. */
function withNormal(operands: readonly string[]): readonly string[] {
  const known = normalized.get(operands);
  if (known !== undefined) return known;
  const texts = operands.flatMap((operand) => {
    charge(operand.length / CHARS_A_STEP);
    return [operand, posix.normalize(operand)];
  });
  normalized.set(operands, texts);
  return texts;
}

const normalized = new WeakMap<readonly string[], readonly string[]>();
/** A path that goes up again and again is the slowest. */
const CHARS_A_STEP = 25;

function isPathPattern(text: string): boolean {
  return /^[/~.]|\//.test(text);
}

function isSubsequence(names: readonly string[], operands: readonly string[]): boolean {
  let at = 0;
  for (const operand of operands) if (at < names.length && fitsPattern(names[at] ?? '', operand)) at += 1;
  return at === names.length;
}
