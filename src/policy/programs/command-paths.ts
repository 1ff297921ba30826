import {isFindPattern} from '../risks/find-risks.ts';
import {SUBSTITUTED} from '../shell/data-substitution.ts';
import {embeddedPath, readsGlobs} from '../shell/embedded-paths.ts';
import {isNamed} from './program-facts.ts';
import {isListed} from './listed-files.ts';
import {machinePlace, outerPlace, type Machine, type PlacedPath} from '../places/machine-places.ts';
import {isPublicFolder, protectedWrite, secretGlob, secretRead} from '../places/protected-paths.ts';
import {pathTexts, pathsOf, type LineFolders, type ShellPath} from '../shell/shell-paths.ts';
import {programName, type ShellWord, textAt} from '../shell/shell-word.ts';
import {wordList} from '../word-list.ts';
import {charge} from '../budget.ts';
import type {GlobReader} from '../shell/shell-glob.ts';
import {programFacts} from './known-programs.ts';

/** A file that a command names. */
export interface PathUse {
  readonly index: number;
  readonly text: string;
  readonly glob: GlobReader;
  /** True if the files that the glob matches are known, and have uses of their own if they matter; whether one of them may be an option. */
  readonly expanded?: 'names' | 'options';
  /** Undefined if the folder of the command is not known. */
  readonly paths: readonly ShellPath[] | undefined;
}

/** Commands with more words are asked: each word is compared with each rule. */
export const MAX_WORDS = 1000;

/** The words of a command that may name files (of the first {@link MAX_WORDS}). Text for people and search patterns are left out. */
export function pathUses(words: readonly ShellWord[], folders: LineFolders): readonly PathUse[] {
  const name = programName(words);
  if (programFacts(name)?.kind === 'text') return [];
  const skip = patternIndices(words);
  return words
    .slice(0, MAX_WORDS)
    .flatMap((word, index) =>
      index === 0 || skip.includes(index) || isPatternOf(name, textAt(words, index - 1))
        ? []
        : wordUses({name, words, word, index}, folders),
    );
}

interface WordPlace {
  readonly name: string;
  readonly words: readonly ShellWord[];
  readonly word: ShellWord;
  readonly index: number;
}

function wordUses(place: WordPlace, folders: LineFolders): PathUse[] {
  const {name, words, word, index} = place;
  if (word.value === SUBSTITUTED && word.text.startsWith('<(')) return [];
  const isPersonsText = isNamed(programFacts(name)?.texts, textAt(words, index - 1));
  const inner = isPersonsText ? undefined : embeddedPath(name, words, index);
  const uses: PathUse[] =
    inner === undefined ? [] : [{index, text: inner.text, glob: inner.glob ? 'any' : 'none', paths: pathsOf(inner.text, folders)}];
  if (isPersonsText || SEARCH_TEXT.test(textAt(words, index))) return uses;
  return [...uses, ...pathTexts(word).map((text) => ({index, text, glob: globReader(place, text), paths: pathsOf(text, folders)}))];
}

/** The shell reads the globs of whole words; a glob that fits nothing is left to the program, which may read it too. */
function globReader({name, words, word}: WordPlace, text: string): GlobReader {
  const {value, glob} = word;
  const isOfNames = name === 'git' && GIT_NAMES.has(textAt(words, 1));
  if (value === undefined || isListed(word)) return 'any';
  if (readsGlobs(name, value)) return glob || !isOfNames ? 'any' : 'none';
  if (!glob) return 'none';
  return text === value && !/[()]/.test(value) ? 'shell' : 'any';
}

function isPatternOf(name: string, before: string): boolean {
  return name === 'find' && isFindPattern(before);
}

/** Their patterns are about names of branches and tags. */
const GIT_NAMES: ReadonlySet<string> = new Set(wordList('branch tag describe for-each-ref show-ref'));

/** Access of a command to the files it names. */
type Access = 'looks' | 'reads' | 'writes' | 'unknown';

export function accessOf(words: readonly ShellWord[], risky: boolean): Access {
  const name = programName(words);
  const kind = programFacts(name)?.kind;
  if (kind === 'facts') return 'looks';
  if (kind === 'write') return 'writes';
  if (kind === 'read' || kind === 'search' || SCRIPTED.has(name)) return risky ? 'unknown' : 'reads';
  return 'unknown';
}

/** True for a command that describes files without showing their content. */
export function looksAtNames(words: readonly ShellWord[]): boolean {
  return programFacts(programName(words))?.kind === 'facts';
}

/** True for a command that makes no file, as long as none of its options is a risk. */
export function onlyReads(words: readonly ShellWord[]): boolean {
  const name = programName(words);
  const kind = programFacts(name)?.kind;
  if (name === 'git') return GIT_LOOKS.has(textAt(words, 1));
  return (kind !== undefined && kind !== 'write') || SHELL_WORDS.has(name);
}

const GIT_LOOKS: ReadonlySet<string> = new Set(wordList('log diff show status blame grep ls-files rev-parse cat-file'));
const SHELL_WORDS: ReadonlySet<string> = new Set(wordList('find sed awk exit return break continue set export read'));

/** Returns why the paths of a command need a question although its program is allowed; undefined if they do not. */
export function pathConcern(words: readonly ShellWord[], use: PathUse, risky: boolean): string | undefined {
  const access = accessOf(words, risky);
  const guardsOutside = access === 'reads' || access === 'writes' || IN_THE_PROJECT.has(programName(words));
  for (const {path, inside} of use.paths ?? []) {
    const secret = secretOf(path, use.glob);
    // That there is such a file is not a secret.
    if (secret !== undefined && !(access === 'looks' && inside)) return `${use.text}: ${secret}`;
    if (guardsOutside && !inside && !isOpenTo(access, path)) return `${use.text} is outside the workspace`;
  }
  return undefined;
}

function secretOf(path: string, glob: GlobReader): string | undefined {
  charge(glob === 'none' ? STEPS_A_PATH : STEPS_A_GLOB);
  return glob === 'none' ? secretRead(path) : secretGlob(path);
}

const STEPS_A_PATH = 2;
/** Is compared with each name of a secret. */
const STEPS_A_GLOB = 8;

function isOpenTo(access: Access, path: string): boolean {
  return access === 'reads' ? isPublicFolder(path) : path === '/dev/null';
}

/** Returns why a command that may write needs approval in every mode: it names a file that other programs load. */
export function protectedUse(words: readonly ShellWord[], use: PathUse, {risky, root, machine}: UseOnMachine): string | undefined {
  const access = accessOf(words, risky);
  if (access === 'looks' || access === 'reads') return undefined;
  if (programName(words) === 'git' && GIT_READS.has(textAt(words, 1))) return undefined;
  for (const {path, relative, inside} of use.paths ?? []) {
    const reason = inside ? protectedWrite(relative) : undefined;
    // A machine-wide path counts like one outside of the workspace: many programs only read the files named there.
    const place = access === 'writes' ? placeOf({path, inside, root}, machine) : undefined;
    if (reason !== undefined || place !== undefined) return `${use.text}: ${reason ?? place}`;
  }
  return undefined;
}

interface UseOnMachine {
  readonly risky: boolean;
  /** The workspace. */
  readonly root: string;
  readonly machine: Machine | undefined;
}

function placeOf({path, inside, root}: PlacedPath & {readonly inside: boolean}, machine: Machine | undefined): string | undefined {
  return inside ? machinePlace({path, root}, machine) : outerPlace(path, machine);
}

/** Programs that work on the project they are in; paths outside are not part of it. */
const IN_THE_PROJECT: ReadonlySet<string> = new Set(
  wordList(`
  git javac terraform esbuild make gmake cmake ninja npm pnpm yarn bun cargo go pip pip3 uv poetry gcc g++ cc c++ clang clang++ rustc tsc eslint prettier pytest jest
  vitest mypy ruff black mvn gradle dotnet bundle rake composer mix swift zig deno pdm hatch pipenv rye
`),
);

const SCRIPTED: ReadonlySet<string> = new Set(wordList('sed gsed awk gawk mawk nawk find'));
const GIT_READS: ReadonlySet<string> = new Set(
  wordList(`
  log diff show status add blame grep ls-files commit rev-parse cat-file check-ignore
`),
);
const SEARCH_TEXT =
  /^--(?:grep|author|format|pretty|since|until|date|message|regexp|glob|iglob|include|exclude)=|^HEAD[:~^]|^[\w./-]*[\w]:(?!\/\/)/;

/** `-g .env` and `-A 3`: the next word is not a pattern. */
function valuedOption(letters = 'ABCm'): RegExp {
  return new RegExp(`^-[A-Za-z]*[${letters}]$|^--(?:i?glob|type|type-not|max-count|context|after-context|before-context|include|exclude)$`);
}

/** Returns the indices of the patterns or scripts of a search; none if the program has none. */
function patternIndices(words: readonly ShellWord[]): readonly number[] {
  const name = programName(words);
  if (name === 'find' || !(SCRIPTED.has(name) || programFacts(name)?.kind === 'search')) return [];
  const options = [...words.keys()].filter((at) => /^(?:-e|--regexp|--expression|-f|--file|--from-file)$/.test(textAt(words, at)));
  // The value of -f is a file.
  if (options.length > 0) return options.filter((at) => !textAt(words, at).includes('f')).map((at) => at + 1);
  const isValue = (index: number): boolean => valuedOption(programFacts(name)?.valued).test(textAt(words, index - 1));
  const first = words.findIndex((word, index) => index > 0 && word.value?.startsWith('-') !== true && !isValue(index));
  return first === -1 ? [] : [first];
}
