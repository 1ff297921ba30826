import {isNamed, programFacts} from './program-facts.ts';
import {isPublicFolder, protectedWrite, secretRead} from './protected-paths.ts';
import {pathTexts, pathsOf, type LineFolders, type ShellPath} from './shell-paths.ts';
import {textAt, type ShellWord} from './shell-word.ts';
import {programName} from './unwrap.ts';
import {wordList} from './word-list.ts';

/** A file that a command is given. */
export interface PathUse {
  readonly index: number;
  readonly text: string;
  readonly glob: boolean;
  /** Undefined where the folder of the command is not known. */
  readonly paths: readonly ShellPath[] | undefined;
}

/** Commands with more words are asked: each word is compared with each rule. */
export const MAX_WORDS = 256;

/** The words of a command that may name files (of the first {@link MAX_WORDS}). Text for people and search patterns are none. */
export function pathUses(words: readonly ShellWord[], folders: LineFolders): readonly PathUse[] {
  const facts = programFacts(programName(words));
  if (facts?.kind === 'text') return [];
  const skip = patternIndex(words);
  const uses: PathUse[] = [];
  for (const [index, word] of words.slice(0, MAX_WORDS).entries()) {
    const isText = isNamed(facts?.texts, textAt(words, index - 1)) || SEARCH_TEXT.test(textAt(words, index));
    if (index === 0 || index === skip || isText) continue;
    const glob = word.glob || word.value === undefined;
    uses.push(...pathTexts(word).map((text) => ({index, text, glob, paths: pathsOf(text, folders)})));
  }
  return uses;
}

/** What a command does with the files it is given. */
type Access = 'looks' | 'reads' | 'writes' | 'unknown';

function accessOf(words: readonly ShellWord[], risky: boolean): Access {
  const name = programName(words);
  const kind = programFacts(name)?.kind;
  if (kind === 'facts') return 'looks';
  if (kind === 'write') return 'writes';
  if (kind === 'read' || kind === 'search' || SCRIPTED.has(name)) return risky ? 'unknown' : 'reads';
  return 'unknown';
}

/** Why the paths of a command need a question although its program is allowed; undefined where they do not. */
export function pathConcern(words: readonly ShellWord[], use: PathUse, risky: boolean): string | undefined {
  const access = accessOf(words, risky);
  const guardsOutside = access === 'reads' || access === 'writes' || programName(words) === 'git';
  for (const {path, inside} of use.paths ?? []) {
    const secret = secretRead(path);
    if (secret !== undefined) return `${use.text}: ${secret}`;
    const open = access === 'reads' ? isPublicFolder(path) : path === '/dev/null';
    if (guardsOutside && !inside && !open) return `${use.text} is outside the workspace`;
  }
  return undefined;
}

/** Why a command that may write asks in every mode: it is given a file that others obey. */
export function protectedUse(words: readonly ShellWord[], use: PathUse, risky: boolean): string | undefined {
  const access = accessOf(words, risky);
  if (access === 'looks' || access === 'reads') return undefined;
  if (programName(words) === 'git' && GIT_READS.has(textAt(words, 1))) return undefined;
  for (const {path, relative, inside} of use.paths ?? []) {
    const reason = protectedWrite(inside ? relative : path);
    if (reason !== undefined && (inside || access === 'writes')) return `${use.text}: ${reason}`;
  }
  return undefined;
}

const SCRIPTED: ReadonlySet<string> = new Set(wordList('sed gsed awk gawk mawk nawk find'));
const GIT_READS: ReadonlySet<string> = new Set(
  wordList(`
  log diff show status add blame grep ls-files commit rev-parse cat-file check-ignore
`),
);
const SEARCH_TEXT =
  /^--(?:grep|author|format|pretty|since|until|date|message|regexp|glob|iglob|include|exclude)=|^HEAD[:~^]|^[\w./-]*[\w]:(?!\/\/)/;

/** Where the pattern or the script of a search stands; -1 where the program has none. */
function patternIndex(words: readonly ShellWord[]): number {
  const name = programName(words);
  if (name === 'find' || !(SCRIPTED.has(name) || programFacts(name)?.kind === 'search')) return -1;
  const option = words.findIndex((word) => /^(?:-e|--regexp|--expression|-f|--file)$/.test(word.value ?? ''));
  if (option === -1) return words.findIndex((word, index) => index > 0 && word.value?.startsWith('-') !== true);
  // The value of -f is a file.
  return /f/.test(textAt(words, option)) ? -1 : option + 1;
}
