import {posix} from 'node:path';
import type {LineCommand} from './shell-line.ts';
import type {ShellWord} from './shell-word.ts';

/** Folders from which relative paths of a line may be resolved. */
export interface LineFolders {
  readonly workspace: string;
  /** Every folder in which a part of the line may run; the line's own is the first. Empty: not known. */
  readonly bases: readonly string[];
}

/** A file that a word of the line may name. */
export interface ShellPath {
  /** Absolute, without `.` and `..`; `~…` for a home folder. */
  readonly path: string;
  readonly relative: string;
  readonly inside: boolean;
}

const MAX_BASES = 4;

/**
 * Follows the `cd`s of a line without running it: each may or may not have happened when a later command runs. One entry for each command,
 * and a last one for all of the line. A `cd` that is run more than once moves everything.
 */
export function foldersAlong(commands: readonly LineCommand[], workspace: string, cwd: string): readonly LineFolders[] {
  const isLoop = commands.some((command) => command.repeated && changesFolder(command));
  let folders: LineFolders = {workspace, bases: isLoop ? [] : [cwd]};
  const along = [folders];
  for (const command of commands) {
    if (changesFolder(command)) folders = {workspace, bases: basesAfter(command, folders.bases)};
    along.push(folders);
  }
  return along;
}

function changesFolder({words}: LineCommand): boolean {
  return /^(?:cd|pushd|popd)$/.test(words[0]?.value ?? '');
}

function basesAfter({words}: LineCommand, before: readonly string[]): readonly string[] {
  const target = cdTarget(words);
  if (target === undefined) return [];
  const bases = [...new Set([...before, ...before.map((base) => absolute(target, base))])];
  return bases.length > MAX_BASES ? [] : bases;
}

/** Returns the target of a `cd`; undefined if only the shell knows it (`cd`, `cd -`, `cd $x`). */
export function cdTarget(words: readonly ShellWord[]): string | undefined {
  const operands = words.slice(1).filter((word) => !/^-[LPe@]+$|^--$/.test(word.value ?? ''));
  const [target] = operands;
  if (operands.length !== 1 || target === undefined || target.glob || words[0]?.value === 'popd') return undefined;
  return target.value === '' || /^[-+]/.test(target.value ?? '-') ? undefined : target.value;
}

/** Every file that a text may name, seen from each base; undefined if the base is not known. */
export function pathsOf(text: string, {workspace, bases}: LineFolders): readonly ShellPath[] | undefined {
  if (bases.length === 0 && !/^[/~]/.test(text)) return undefined;
  return (bases.length === 0 ? ['/'] : bases).map((base) => locate(absolute(text, base), workspace));
}

function absolute(text: string, base: string): string {
  return text.startsWith('~') || (base.startsWith('~') && !text.startsWith('/')) ? homePath(text, base) : posix.resolve(base, text);
}

function homePath(text: string, base: string): string {
  return posix.normalize(text.startsWith('~') ? text : `${base}/${text}`);
}

function locate(path: string, workspace: string): ShellPath {
  if (path.startsWith('~') || path.startsWith('..')) return {path, relative: path, inside: false};
  const relative = posix.relative(workspace, path);
  return {path, relative, inside: relative !== '..' && !relative.startsWith('../')};
}

/**
 * The parts of a word that may be paths: the word itself, the text after `=` (`--file=x`, `of=x`) and `@` (`-d@x`), and after a short option
 * (`-Ix`).
 */
export function pathTexts(word: ShellWord): readonly string[] {
  const text = word.value ?? word.prefix;
  if (text === '') return [];
  const behind = /^-{0,2}[\w.-]*[=@](.+)$/s.exec(text)?.[1];
  const glued = /^-[A-Za-z]([/~.].*)$/s.exec(text)?.[1];
  return [...(text.startsWith('-') ? [] : [text]), ...(behind === undefined ? [] : [behind]), ...(glued === undefined ? [] : [glued])];
}
