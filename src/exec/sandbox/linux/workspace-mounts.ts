import {lstatSync} from 'node:fs';
import {join} from 'node:path';
import type {Mount} from './bubblewrap-args.ts';
import {gitGuards} from '../guards/git-guards.ts';
import type {TreeListing} from '../guards/tree-cache.ts';
import {gitLinks, type GitLink} from '../guards/git-links.ts';
import {isRealFolder} from './linked-worktree.ts';
import {autoloadedEntries, type AutoloadedLink} from '../guards/autoloaded-entries.ts';
import type {Placeholder} from './placeholders.ts';
import type {SandboxRules} from '../sandbox.ts';

/** The parts of a workspace that stay read-only while commands run. All paths are relative to the root. */
export interface GuardedPaths {
  readonly locked: readonly string[];
  /** Folders that contain something locked: they can be written but not moved. */
  readonly pinned: readonly string[];
  /** To be there before the mounts are made. */
  readonly placeholders: readonly Placeholder[];
  readonly links: readonly AutoloadedLink[];
  /** Those that git would follow, as `gitLinks` finds them. */
  readonly gitLinks: readonly GitLink[];
  /** Folders in which git writes through links. */
  readonly followed: readonly string[];
}

/** Finds the paths to guard. `before`: entries locked at the first look, see `autoloadedEntries`. */
export function guardedPaths(
  {root, autoloaded, reserved}: Pick<SandboxRules, 'root' | 'autoloaded' | 'reserved'>,
  {tree, before}: {readonly tree: TreeListing; readonly before: readonly string[] | undefined},
): GuardedPaths {
  const git = gitGuards(root);
  const found = autoloadedEntries({root, tree, autoloaded, pinned: git.pinned, before});
  const absent = reserved.flatMap((name) => absentAt(root, name));
  // An entry that another command has created since is in both lists.
  const locked = [...new Set([...found.locked, ...git.locked, ...absent.map(({path}) => path)])];
  // A folder with a mount on it cannot be moved away together with its protected entries.
  const pinned = [...new Set([...git.pinned, ...locked.flatMap(parentsOf)])].filter((path) => !locked.includes(path));
  return {
    locked,
    pinned,
    placeholders: [...git.placeholders, ...absent],
    links: found.links,
    gitLinks: gitLinks(root, git.followed),
    followed: git.followed,
  };
}

/** Returns the mounts for the workspace and the other writable folders, unless one is no longer the folder that it was when the session began. */
export function workspaceMounts(
  {root, writable}: Pick<SandboxRules, 'root' | 'writable'>,
  {locked, pinned}: Pick<GuardedPaths, 'locked' | 'pinned'>,
): Mount[] {
  return [
    ...[root, ...writable.filter(isRealFolder), ...pinned.map((path) => join(root, path))].map((path): Mount => ({path, as: 'writable'})),
    ...locked.map((path): Mount => ({path: join(root, path), as: 'read-only'})),
  ];
}

/** In a folder that is missing, too, the folder itself. */
function absentAt(root: string, name: string): Placeholder[] {
  const path = name.replace(/\/$/, '');
  if (lstatSync(join(root, path), {throwIfNoEntry: false}) !== undefined) return [];
  const [parent] = parentsOf(path);
  if (parent !== undefined && lstatSync(join(root, parent), {throwIfNoEntry: false})?.isDirectory() !== true)
    return absentAt(root, `${parent}/`);
  return [name.endsWith('/') ? {path} : {path, content: ''}];
}

/** `a` and `a/b` of `a/b/c`; without folders outside. */
function parentsOf(path: string): string[] {
  if (path.startsWith('../')) return [];
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}
