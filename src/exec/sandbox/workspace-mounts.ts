import {lstatSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import type {Mount} from './bubblewrap-args.ts';
import {gitGuards} from './git-guards.ts';
import {obeyedEntries, type ObeyedLink} from './obeyed-entries.ts';
import type {Placeholder} from './placeholders.ts';
import type {SandboxRules} from './sandbox.ts';

export interface WorkspaceMounts {
  readonly mounts: readonly Mount[];
  /** To be there before the mounts are made. */
  readonly placeholders: readonly Placeholder[];
  readonly links: readonly ObeyedLink[];
}

/** What of the workspace may be written, and what not. */
export async function workspaceMounts({root, profile, obeyed, reserved, writable}: SandboxRules): Promise<WorkspaceMounts> {
  if (profile === 'read-only') return {mounts: [], placeholders: [], links: []};
  const git = gitGuards(root);
  const found = await obeyedEntries(root, obeyed, git.pinned);
  const absent = reserved.flatMap((name) => absentAt(root, name));
  // What stands there since another command has put it there is in both lists.
  const locked = [...new Set([...found.locked, ...git.locked, ...absent.map(({path}) => path)])];
  // A folder that something is mounted on cannot be moved away with what is protected in it.
  const pinned = [...new Set([...git.pinned, ...locked.flatMap(parentsOf)])].filter((path) => !locked.includes(path));
  return {
    mounts: [
      ...[root, ...writable.flatMap(realFolder), ...pinned.map((path) => join(root, path))].map((path): Mount => ({path, as: 'writable'})),
      ...locked.map((path): Mount => ({path: join(root, path), as: 'read-only'})),
    ],
    placeholders: [...git.placeholders, ...absent],
    links: found.links,
  };
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

/** `a` and `a/b` of `a/b/c`. */
function parentsOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

function realFolder(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
