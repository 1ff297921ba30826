import type {AutoloadedFile} from './autoloaded-file.ts';
import type {SandboxRules} from '../sandbox.ts';

export interface NewPath {
  /** From the root. */
  readonly path: string;
  /** `aside`: it is moved out of the workspace. `tell`: a person should look at it. */
  readonly act: 'aside' | 'tell';
  readonly why: string;
}

interface Looks extends Pick<SandboxRules, 'reserved' | 'gitPrograms'> {
  readonly before: ReadonlyMap<string, string>;
  readonly now: ReadonlyMap<string, AutoloadedFile>;
  /** Folders with repositories that commands of this process have made. */
  readonly own: ReadonlySet<string>;
  /** The text of a file; undefined if it cannot be read, or is too large. */
  readonly text: (path: string) => string | undefined;
  /** True if a `.git` that is a file or a link leads to a repository of this workspace, by its path. */
  readonly leadsInside: (path: string) => boolean;
}

/**
 * Classifies the new paths of commands that programs outside would run or load. Pure except for the texts that it asks for. Programs of git (hooks,
 * programs in a configuration) are moved wherever they are, and so are names that must not appear in the root; in a repository that a command
 * has cloned or created, such names are only reported, since they belong to its work tree.
 */
export function classifyNewPaths(looks: Looks): NewPath[] {
  const {before, now} = looks;
  const changed = [...now].filter(([path, {stamp}]) => before.get(path) !== stamp);
  const newFolders = new Set(changed.flatMap(([path, {kind}]) => (kind === 'folder' ? [path] : [])));
  return changed.flatMap(([path, entry]): NewPath[] => {
    if (entry.kind === 'inner' && [...newFolders].some((folder) => path.startsWith(`${folder}/`))) return [];
    const verdict = classify(path, entry, looks);
    return verdict === undefined ? [] : [{path, ...verdict}];
  });
}

type Verdict = Omit<NewPath, 'path'> | undefined;

function classify(path: string, {kind}: AutoloadedFile, looks: Looks): Verdict {
  switch (kind) {
    case 'repository':
      return undefined;
    case 'hook':
      return {act: 'aside', why: 'git would run it'};
    case 'config':
      return classifyConfig(looks.text(path), looks);
    case 'pointer':
      return classifyPointer(path, looks);
    case 'todo':
      return TODO_PROGRAM.test(looks.text(path) ?? 'exec ') ? {act: 'tell', why: 'runs commands when the rebase goes on'} : undefined;
    case 'unlooked':
      return {act: 'tell', why: 'has a name that is not text; its content was not scanned'};
    case 'inner':
    case 'folder':
    case 'name':
      return classifyNamed(path, looks);
  }
}

/** git-rebase(1), "exec" and its short form. */
const TODO_PROGRAM = /^[ \t]*(?:exec|x)[ \t]/m;

function classifyConfig(text: string | undefined, {gitPrograms}: Looks): Verdict {
  if (text === undefined) return {act: 'aside', why: 'git would read it, and it cannot be looked at'};
  const programs = gitPrograms(text);
  return programs.length === 0
    ? undefined
    : {act: 'aside', why: `it names what git would run or read (${programs.slice(0, 3).join(', ')})`};
}

/** The one of a linked worktree leads to the repository that it belongs to (gitrepository-layout(5)). */
function classifyPointer(path: string, {text, leadsInside}: Looks): Verdict {
  const isOrdinary = path.endsWith('/commondir')
    ? /\/worktrees\/[^/]+\/commondir$/.test(path) && text(path)?.trim() === '../..'
    : /(?:^|\/)\.git$/i.test(path) && leadsInside(path);
  return isOrdinary ? undefined : {act: 'aside', why: 'it leads git to another folder'};
}

function classifyNamed(path: string, {before, own, now, reserved}: Looks): Verdict {
  if (before.has(path)) return {act: 'tell', why: 'was changed, and other programs load it'};
  const lower = path.toLowerCase();
  const isReserved = reserved.some((name) => `/${lower}`.endsWith(`/${name.toLowerCase().replace(/\/$/, '')}`));
  const isOfRepository = foldersAbove(path).some(
    (folder) => own.has(folder) || (now.has(`${folder}/.git`) && !before.has(`${folder}/.git`)),
  );
  return isReserved && !isOfRepository
    ? {act: 'aside', why: 'other programs load it'}
    : {act: 'tell', why: 'is new, and other programs load it'};
}

/** Those between the root and the path. */
function foldersAbove(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}
