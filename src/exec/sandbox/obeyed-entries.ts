import {lstatSync, readlinkSync, realpathSync, type Dirent} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {join, relative} from 'node:path';

export interface ObeyedEntries {
  /** Files and folders that exist, relative to the root. Where a link was found: what it leads to. */
  readonly locked: readonly string[];
  /** Links, which no mount can hold in their place. */
  readonly links: readonly ObeyedLink[];
}

export interface ObeyedLink {
  /** Relative to the root. */
  readonly path: string;
  readonly target: string;
}

/** Deeper ones, and those in folders that hold other people's packages, are not obeyed by themselves; but git is run wherever one works. */
const MAX_DEPTH = 3;
const MAX_FOLDERS = 3000;
/** Of those that commands have made since: each costs every command a mount. */
const MAX_NEW = 200;
/** The first look, before any command has run, goes on for repositories alone. */
const FIRST = {depth: 12, folders: 20_000, entries: 1000};
const PACKAGES: ReadonlySet<string> = new Set(['node_modules', 'vendor', 'target', 'site-packages', '.venv', 'venv', 'env', '__pycache__']);

interface Look {
  readonly root: string;
  readonly obeyed: (path: string) => boolean;
  /** Looked after elsewhere. */
  readonly pinned: readonly string[];
  /** What was locked before any command had run: it stays so, whatever commands have put beside it; undefined: this is the first look. */
  readonly before?: readonly string[] | undefined;
}

/** What in a workspace programs outside obey, as `obeyed` says. Also under another case, and behind links. */
export async function obeyedEntries({root, obeyed, pinned, before}: Look): Promise<ObeyedEntries> {
  const most = before === undefined ? FIRST : {depth: MAX_DEPTH, folders: MAX_FOLDERS, entries: before.length + MAX_NEW};
  const found: Found = {locked: (before ?? []).filter((path) => isStillThere(join(root, path))), links: [], below: []};
  let level = [''];
  let folders = 0;
  for (let depth = 0; depth < most.depth && level.length > 0 && folders < most.folders; depth += 1) {
    const counts = depth < MAX_DEPTH ? obeyed : isRepository;
    const now = level.slice(0, most.folders - folders);
    folders += now.length;
    found.below = [];
    const entries = (await Promise.all(now.map((folder) => list(root, folder)))).flat();
    for (const entry of entries) if (!pinned.includes(entry.path)) sort(entry, found, {root, obeyed: counts});
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
  readonly links: ObeyedLink[];
  below: string[];
}

interface Entry {
  readonly path: string;
  readonly kind: Dirent;
}

function sort({path, kind}: Entry, {locked, links, below}: Found, {root, obeyed}: {root: string; obeyed: (path: string) => boolean}): void {
  if (!obeyed(path)) {
    if (kind.isDirectory() && !PACKAGES.has(kind.name)) below.push(path);
  } else if (kind.isSymbolicLink()) links.push({path, target: readlinkSync(join(root, path))});
  else if (kind.isFile() || kind.isDirectory()) locked.push(path);
}

async function list(root: string, folder: string): Promise<Entry[]> {
  const entries = await readdir(join(root, folder), {withFileTypes: true}).catch(() => []);
  return entries.map((kind) => ({path: folder === '' ? kind.name : `${folder}/${kind.name}`, kind}));
}

function targetOf(root: string, {path}: ObeyedLink): string[] {
  try {
    const real = realpathSync(join(root, path));
    const inside = relative(root, real);
    const kind = lstatSync(real);
    return inside !== '' && !inside.startsWith('..') && (kind.isFile() || kind.isDirectory()) ? [inside] : [];
  } catch {
    return [];
  }
}
