import {join} from 'node:path';
import type {Listed} from './tree-cache.ts';
import {entriesOf, type Add} from './autoloaded-file.ts';

/** Names by which git takes any folder for a repository, see {@link isRepositoryFolder}. */
export const REPOSITORY_NAMES: ReadonlySet<string> = new Set(['HEAD', 'objects', 'refs', 'commondir']);

/** Returns true if git takes the folder for a repository, whatever its name (gitrepository-layout(5); setup.c, is_git_directory). */
export function isRepositoryFolder(entries: readonly Listed[]): boolean {
  const has = (name: string): boolean => entries.some((entry) => entry.name === name);
  return has('HEAD') && ((has('objects') && has('refs')) || has('commondir'));
}

const MOST_DEPTH = 5;

/** Finds entries in the folder of a repository that make git run something, or look for that elsewhere. */
export function repositoryEntries(root: string, folder: string, add: Add): void {
  addRepository(folder, {root, add, depth: 0});
}

interface Inside {
  readonly root: string;
  readonly add: Add;
  readonly depth: number;
}

function addRepository(folder: string, at: Inside): void {
  const {root, add} = at;
  add(folder, 'repository');
  for (const entry of entriesOf(join(root, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    // A link counts as the entry that its name promises, wherever it leads.
    if (entry.isSymbolicLink()) {
      if (CONFIG.has(entry.name) || entry.name === 'commondir' || FOLDERS[entry.name] !== undefined) add(path, 'pointer');
    } else if (CONFIG.has(entry.name)) add(path, 'config');
    else if (entry.name === 'commondir') add(path, 'pointer');
    else FOLDERS[entry.name]?.(path, {...at, depth: at.depth + 1});
  }
}

const CONFIG: ReadonlySet<string> = new Set(['config', 'config.worktree']);
const FOLDERS: Readonly<Record<string, (folder: string, at: Inside) => void>> = Object.assign(Object.create(null), {
  hooks: addHooks,
  'rebase-merge': addTodo,
  modules: addModules,
  worktrees: addWorktrees,
});

/** Those that git brings along do nothing. */
function addHooks(folder: string, {root, add}: Inside): void {
  for (const {name} of entriesOf(join(root, folder))) if (!name.endsWith('.sample')) add(`${folder}/${name}`, 'hook');
}

function addTodo(folder: string, {root, add}: Inside): void {
  if (entriesOf(join(root, folder)).some(({name}) => name === 'git-rebase-todo')) add(`${folder}/git-rebase-todo`, 'todo');
}

/** The name of a submodule may have slashes. */
function addModules(folder: string, at: Inside): void {
  addInner(folder, at, (path) => {
    const isRepository = entriesOf(join(at.root, path)).some(({name}) => name === 'HEAD');
    (isRepository ? addRepository : addModules)(path, {...at, depth: at.depth + 1});
  });
}

function addWorktrees(folder: string, at: Inside): void {
  addInner(folder, at, (path) => addRepository(path, at));
}

function addInner(folder: string, {root, add, depth}: Inside, enter: (path: string) => void): void {
  if (depth > MOST_DEPTH) return;
  for (const entry of entriesOf(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isSymbolicLink()) add(path, 'pointer');
    else if (entry.isDirectory()) enter(path);
  }
}
