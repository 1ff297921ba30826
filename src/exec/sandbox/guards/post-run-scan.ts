import {closeSync, constants, fstatSync, openSync, readFileSync, realpathSync} from 'node:fs';
import {dirname, join, relative, resolve, sep} from 'node:path';
import {NO_LINK} from '../../directory-handle.ts';
import {createFolderCache, type TreeListing} from './tree-cache.ts';
import {classifyNewPaths, type NewPath} from './classify-new-paths.ts';
import type {AutoloadedFile} from './autoloaded-file.ts';
import {scanAutoloaded, PACKAGE_FOLDERS, type AutoloadedScan} from './scan-autoloaded.ts';
import {REPOSITORY_NAMES} from './scan-repository.ts';
import {quarantine} from './quarantine.ts';
import type {GuardedPaths} from '../linux/workspace-mounts.ts';
import type {SandboxRules} from '../sandbox.ts';

export type GuardRules = Pick<SandboxRules, 'root' | 'autoloaded' | 'reserved' | 'gitPrograms' | 'stateDir'>;

/**
 * Mounts protect the entries that exist when a command begins. This scan finds entries that were added, at any depth: before the first of the
 * commands that run together, and after each.
 */
export interface PostRunScan {
  /** For one look: names of folders are read once. */
  tree(): TreeListing;
  /** Records the entries before commands run, with their stamps. */
  baseline(tree: TreeListing, paths: GuardedPaths): Promise<readonly Stamped[]>;
  /** Quarantines new entries that must not stay. Returns one line for each, once. */
  compare(since: {readonly paths: GuardedPaths; readonly autoloaded: readonly Stamped[]}): Promise<string[]>;
}

type Stamped = readonly [path: string, stamp: string];

export function createPostRunScan({root, autoloaded, reserved, gitPrograms, stateDir}: GuardRules): PostRunScan {
  const cache = createFolderCache(root, (folder, name) => REPOSITORY_NAMES.has(name) || autoloaded(`${folder}/${name}`));
  /** Folders with repositories that commands have made. */
  const own = new Set<string>();
  const reported = new Map<string, string>();
  let isBoundReported = false;
  const lookAt = async (tree: TreeListing, paths: GuardedPaths): Promise<AutoloadedScan> =>
    // Links that no mount can hold are put back.
    await scanAutoloaded(root, {tree, locked: new Set([...paths.locked, ...paths.links.map(({path}) => path)])});
  return {
    tree: () => cache.look(),
    async baseline(tree, paths) {
      const {found} = await lookAt(tree, paths);
      return [...found].map(([path, {stamp}]) => [path, stamp]);
    },
    async compare({paths, autoloaded: stamps}) {
      const {found: now, isWhole} = await lookAt(cache.look(), paths);
      const before = new Map([...stamps, ...reported]);
      const appeared = classifyNewPaths({
        before,
        now,
        own,
        reserved,
        gitPrograms,
        text: (path) => textOf(join(root, path)),
        leadsInside: (path) => leadsInside(root, path),
      });
      for (const folder of newRepositories(now, before)) own.add(folder);
      // A quarantined entry is quarantined again when it reappears.
      for (const {path, act} of appeared) if (act === 'tell') reported.set(path, now.get(path)?.stamp ?? '');
      const lines = await quarantine(appeared.filter(outermost), {root, stateDir});
      if (isWhole || isBoundReported) return lines;
      isBoundReported = true;
      return [...lines, 'There are more folders than are looked through: what is protected further down may have changed.'];
    },
  };
}

/** Returns true if no reported folder contains the entry. */
function outermost({path}: NewPath, _: number, all: readonly NewPath[]): boolean {
  return !all.some((other) => other.act === 'aside' && path.startsWith(`${other.path}/`));
}

function newRepositories(now: ReadonlyMap<string, AutoloadedFile>, before: ReadonlyMap<string, string>): string[] {
  return [...now].flatMap(([path, {kind}]) =>
    kind === 'repository' && path.endsWith('/.git') && !before.has(path) ? [dirname(path)] : [],
  );
}

const MOST_BYTES = 1024 * 1024;

/** Undefined if it is not an ordinary file (a pipe would block), cannot be read, or is larger than any that git makes. */
function textOf(file: string): string | undefined {
  try {
    const handle = openSync(file, constants.O_RDONLY | NO_LINK);
    try {
      const stats = fstatSync(handle);
      return stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(handle, 'latin1') : undefined;
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

/** To the part of a repository of this workspace that a worktree or a submodule has, which is looked at with it. */
function leadsInside(root: string, path: string): boolean {
  try {
    const at = join(root, path);
    const [, named] = /^gitdir: ([^\r\n]+)\s*$/.exec(textOf(at) ?? '') ?? [];
    const target = relative(root, realpathSync(named === undefined ? at : resolve(dirname(at), named)));
    const segments = target.split(sep);
    return (
      /(?:^|\/)\.git\/(?:worktrees|modules)\/./.test(target) && segments[0] !== '..' && !segments.some((name) => PACKAGE_FOLDERS.has(name))
    );
  } catch {
    return false;
  }
}
