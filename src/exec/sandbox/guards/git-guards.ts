import {userHome} from '../../variables/user-home.ts';
import {lstatSync, readdirSync, readFileSync} from 'node:fs';
import {isAbsolute, join, normalize, relative} from 'node:path';
import {isRealFolder, linkedWorktree} from '../linux/linked-worktree.ts';
import {entriesOf} from './autoloaded-file.ts';
import type {Placeholder} from '../linux/placeholders.ts';

export interface GitGuards {
  /** Folders that stay writable, and cannot be moved away: relative to the root. */
  readonly pinned: readonly string[];
  /** Read-only. */
  readonly locked: readonly string[];
  readonly placeholders: readonly Placeholder[];
  /** Folders in which git writes by itself, following links there. */
  readonly followed: readonly string[];
}

/**
 * Finds the parts of `.git` that stay read-only while the rest can be written, so that `git add` and `git
 * commit` work: everything that makes git run a program (hooks, config, attributes), or look for those elsewhere
 * (commondir, modules, pointers to a worktree). CVE-2026-26268, CVE-2026-40068. Without a repository, none can
 * be created. A linked worktree writes into the repository that it belongs to.
 */
export function gitGuards(root: string): GitGuards {
  const found = lstatSync(join(root, '.git'), {throwIfNoEntry: false});
  if (found === undefined || isPlaceholder(root)) return {...NOTHING, locked: ['.git'], placeholders: [{path: '.git'}]};
  if (found.isFile()) return linkedGuards(root);
  // A link is treated like other autoloaded ones.
  if (!found.isDirectory()) return NOTHING;
  const worktrees = worktreesOf(root);
  return {
    // A worktree elsewhere has some of them mounted: no link may replace them.
    pinned: ['.git', ...SHARED.map((name) => `.git/${name}`), ...worktrees.pinned],
    locked: [...GUARDED.map(({path}) => path), ...namedByConfig(root), ...worktrees.locked],
    // Git writes its own notes beside the attributes.
    placeholders: [{path: '.git/info'}, ...SHARED.map((name) => ({path: `.git/${name}`})), ...GUARDED],
    followed: ['.git'],
  };
}

const NOTHING: GitGuards = {pinned: [], locked: [], placeholders: [], followed: []};

/** Paths that all worktrees of a repository write. */
const SHARED = ['objects', 'refs', 'logs'];

/** A folder that another command holds the place with. */
function isPlaceholder(root: string): boolean {
  return lstatSync(join(root, '.git')).isDirectory() && readdirSync(join(root, '.git')).length === 0;
}

const GUARDED: readonly Placeholder[] = [
  {path: '.git/hooks'},
  {path: '.git/info/attributes', content: ''},
  // The file mounted in its place is read from it.
  {path: '.git/info/exclude', content: ''},
  {path: '.git/modules'},
  {path: '.git/config', content: ''},
  {path: '.git/config.worktree', content: ''},
  // An empty one would be an error; this is what its absence means (gitrepository-layout(5)).
  {path: '.git/commondir', content: '.\n'},
];

/** Finds the links between worktrees and their repository. Further worktrees can be made. */
function worktreesOf(root: string): Pick<GitGuards, 'pinned' | 'locked'> {
  const names = entriesOf(join(root, '.git/worktrees')).filter((entry) => entry.isDirectory());
  if (names.length === 0) return {pinned: [], locked: []};
  const pinned = names.map(({name}) => `.git/worktrees/${name}`);
  return {pinned: ['.git/worktrees', ...pinned], locked: pinned.flatMap((path) => leadingFiles(root, path))};
}

function leadingFiles(root: string, folder: string): string[] {
  const names = ['commondir', 'gitdir', 'config.worktree'].map((name) => `${folder}/${name}`);
  return names.filter((path) => lstatSync(join(root, path), {throwIfNoEntry: false})?.isFile() === true);
}

/** The folder of a linked worktree and what it shares with the others; the rest of its repository stays closed. */
function linkedGuards(root: string): GitGuards {
  const linked = linkedWorktree(root);
  if (linked === undefined) return NOTHING;
  const own = relative(root, linked.own);
  const shared = SHARED.map((name) => join(linked.common, name)).filter(isRealFolder);
  const pinned = [own, ...shared.map((path) => relative(root, path))];
  return {pinned, locked: leadingFiles(root, own), placeholders: [], followed: pinned};
}

/** Hooks and further configuration in the workspace that the configuration points to. */
function namedByConfig(root: string): string[] {
  const text = textOf(join(root, '.git', 'config'));
  return [...text.matchAll(/^[ \t]*(?:hookspath|path|attributesfile|fsmonitor)[ \t]*=[ \t]*"?([^"\r\n#;]+)/gim)].flatMap(
    ([line, value = '']) => {
      // The path of an include is relative to the file that contains it.
      const base = /^\s*path/i.test(line) ? join(root, '.git') : root;
      const named = value.trim().replace(/^~(?=\/)/, userHome(process.env));
      const path = relative(root, isAbsolute(named) ? normalize(named) : join(base, named));
      const isInside = path !== '' && path !== '..' && !path.startsWith('../') && !isAbsolute(path);
      return isInside && lstatSync(join(root, path), {throwIfNoEntry: false}) !== undefined ? [path] : [];
    },
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
