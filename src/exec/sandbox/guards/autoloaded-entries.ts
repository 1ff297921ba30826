import {lstatSync, readlinkSync, realpathSync} from 'node:fs';
import {join, relative} from 'node:path';
import type {Listed, TreeListing} from './tree-cache.ts';
import {PACKAGE_FOLDERS} from './scan-autoloaded.ts';

export interface AutoloadedEntries {
  /** Files and folders that exist, relative to the root. For a link: its target. */
  readonly locked: readonly string[];
  /** Links, which no mount can hold in their place. */
  readonly links: readonly AutoloadedLink[];
}

export interface AutoloadedLink {
  /** Relative to the root. */
  readonly path: string;
  readonly target: string;
}

/** Deeper ones, and those in folders that hold other people's packages, are not loaded by themselves; but git is run wherever one works. */
const MAX_DEPTH = 3;
const MAX_FOLDERS = 3000;
/** Most entries that commands have made since: each costs every command a mount. */
const MAX_NEW = 200;
/** The first look, before any command has run, goes on for repositories alone. */
const FIRST = {depth: 12, folders: 20_000, entries: 1000};

interface Look {
  readonly root: string;
  readonly tree: TreeListing;
  readonly autoloaded: (path: string) => boolean;
  /** Looked after elsewhere. */
  readonly pinned: readonly string[];
  /** Entries locked before any command ran; they stay locked, whatever commands have put beside them. undefined: this is the first scan. */
  readonly before?: readonly string[] | undefined;
}

/** Finds entries of a workspace that programs outside load, as `autoloaded` decides. Names match regardless of case; links are followed. */
export function autoloadedEntries({root, tree, autoloaded, pinned, before}: Look): AutoloadedEntries {
  const most = before === undefined ? FIRST : {depth: MAX_DEPTH, folders: MAX_FOLDERS, entries: before.length + MAX_NEW};
  const found: Found = {locked: (before ?? []).filter((path) => isStillThere(join(root, path))), links: [], below: []};
  let level = [''];
  let folders = 0;
  for (let depth = 0; depth < most.depth && level.length > 0 && folders < most.folders; depth += 1) {
    const counts = depth < MAX_DEPTH ? autoloaded : isRepository;
    const now = level.slice(0, most.folders - folders);
    folders += now.length;
    found.below = [];
    for (const entry of now.flatMap((folder) => list(tree, folder)))
      if (!pinned.includes(entry.path)) sort(entry, found, {root, autoloaded: counts});
    level = found.below;
  }
  const locked = [...new Set(found.locked)].slice(0, most.entries);
  return {locked: [...locked, ...found.links.flatMap((link) => targetOf(root, link))], links: found.links};
}

function isRepository(path: string): boolean {
  return /\/\.git$/i.test(path);
}

function isStillThere(path: string): boolean {
  try {
    return realpathSync(path) === path;
  } catch {
    return false;
  }
}

interface Found {
  readonly locked: string[];
  readonly links: AutoloadedLink[];
  below: string[];
}

interface Entry {
  readonly path: string;
  readonly entry: Listed;
}

function sort(
  {path, entry: {name, kind}}: Entry,
  {locked, links, below}: Found,
  {root, autoloaded}: {root: string; autoloaded: (path: string) => boolean},
): void {
  if (!autoloaded(path)) {
    if (kind === 'folder' && !PACKAGE_FOLDERS.has(name)) below.push(path);
  } else if (kind === 'link') links.push({path, target: readlinkSync(join(root, path))});
  else locked.push(path);
}

function list(tree: TreeListing, folder: string): Entry[] {
  return tree.list(folder).map((entry) => ({path: folder === '' ? entry.name : `${folder}/${entry.name}`, entry}));
}

function targetOf(root: string, {path}: AutoloadedLink): string[] {
  try {
    const real = realpathSync(join(root, path));
    const inside = relative(root, real);
    const kind = lstatSync(real);
    return inside !== '' && !inside.startsWith('..') && (kind.isFile() || kind.isDirectory()) ? [inside] : [];
  } catch {
    return [];
  }
}
