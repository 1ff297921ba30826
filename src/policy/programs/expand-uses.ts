import {looksAtNames, type PathUse} from './command-paths.ts';
import type {ListFolder} from '../decision.ts';
import {globFiles, type GlobFile} from './glob-files.ts';
import {isListed} from './listed-files.ts';
import {secretRead} from '../places/protected-paths.ts';
import type {LineCommand} from '../shell/shell-line.ts';
import {pathsOf, type LineFolders, type ShellPath} from '../shell/shell-paths.ts';
import {programName, type ShellWord} from '../shell/shell-word.ts';
import {readsGlobs} from '../shell/embedded-paths.ts';
import {SHELLS} from './wrappers.ts';

/** Facts needed to find the files of a glob. */
export interface GlobFacts {
  readonly words: readonly ShellWord[];
  readonly folders: LineFolders;
  readonly listFolder: ListFolder | undefined;
  /** True if a rule speaks of this file. */
  readonly isRuled: (path: ShellPath) => boolean;
}

/**
 * Expands the globs of a command, as far as the folders may be listed. A use whose files are known is marked `expanded`, and each of these
 * files that matters has a use of its own: one with secrets, one that a rule names, or a link out of the workspace.
 */
export function expandUses(uses: readonly PathUse[], facts: GlobFacts): readonly PathUse[] {
  const {listFolder} = facts;
  return listFolder === undefined ? uses : uses.flatMap((use) => expandUse(use, facts, listFolder));
}

function expandUse(use: PathUse, facts: GlobFacts, listFolder: ListFolder): readonly PathUse[] {
  const found = isWholeGlob(facts.words[use.index], use) ? filesOf(use, facts.words, listFolder) : undefined;
  if (found === undefined) return [use];
  const realWorkspace = listFolder(facts.folders.workspace)?.real;
  // That there are such files is not a secret.
  const matters = looksAtNames(facts.words) ? [] : found.flatMap((file) => ownUse(use.index, file, {...facts, realWorkspace}));
  const expanded = found.some(({path}) => path.includes('/-')) ? 'options' : 'names';
  return [{...use, glob: 'shell', expanded}, ...matters];
}

function isWholeGlob(word: ShellWord | undefined, {text}: PathUse): boolean {
  return word?.glob === true && word.value === text && !isListed(word);
}

function filesOf({paths, text}: PathUse, words: readonly ShellWord[], listFolder: ListFolder): readonly GlobFile[] | undefined {
  const found: GlobFile[] = [];
  if (paths === undefined) return undefined;
  for (const {path} of paths) {
    const files = globFiles(path, listFolder);
    // Without a file the program gets the glob unexpanded.
    if (files === undefined || (files.length === 0 && readsGlobs(programName(words), text))) return undefined;
    found.push(...files);
  }
  return found;
}

function ownUse(index: number, {path, real}: GlobFile, facts: GlobFacts & {readonly realWorkspace: string | undefined}): PathUse[] {
  const {folders, realWorkspace = folders.workspace} = facts;
  const named = pathsOf(path, folders) ?? [];
  const target = isBelow(real, realWorkspace) ? `${folders.workspace}${real.slice(realWorkspace.length)}` : real;
  const led = target === path || target === '' ? [] : (pathsOf(target, folders) ?? []);
  const paths = [...named, ...led];
  const matters = led.length > 0 || secretRead(path) !== undefined || paths.some(facts.isRuled);
  return matters ? [{index, text: named[0]?.inside === true ? named[0].relative : path, glob: 'none', paths}] : [];
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/**
 * True if the stars of a line have their default meaning in bash: no option lets them match names with a leading dot or more than one name,
 * and no other shell reads them.
 */
export function hasPlainGlobs(source: string, commands: readonly LineCommand[]): boolean {
  return !CONFIGURES.test(source) && commands.every(({words, role}) => role === 'guess' || !mayConfigure(words));
}

const CONFIGURES = /shopt|setopt|BASHOPTS|SHELLOPTS|BASH_ENV|GLOBIGNORE|glob(?:star|dots)|dotglob|extglob/i;

function mayConfigure(words: readonly ShellWord[]): boolean {
  const name = programName(words);
  if (name === '' || CONFIGURERS.has(name)) return true;
  if (SHELLS.has(name) && (!BASH_LIKE.has(name) || words.some(({value}) => value === undefined || /^[-+]\w*O/.test(value)))) return true;
  return words.some(({value, prefix}) => CONFIGURES.test(value ?? prefix));
}

const CONFIGURERS: ReadonlySet<string> = new Set(['shopt', 'setopt', 'emulate', 'eval', 'source', '.', 'unsetopt']);
const BASH_LIKE: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'ash', 'rbash']);
