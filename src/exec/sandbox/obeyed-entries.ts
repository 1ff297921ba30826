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

/** Deeper ones, and those in folders that hold other people's packages, are not obeyed by themselves. */
const MAX_DEPTH = 3;
const MAX_FOLDERS = 3000;
const MAX_ENTRIES = 1000;
const PACKAGES: ReadonlySet<string> = new Set(['node_modules', 'vendor', 'target', 'site-packages', '.venv', 'venv', 'env', '__pycache__']);

/** What in a workspace programs outside obey, as `obeyed` says. Also under another case, and behind links. `pinned` is looked after elsewhere. */
export async function obeyedEntries(
  root: string,
  obeyed: (path: string) => boolean,
  pinned: readonly string[] = [],
): Promise<ObeyedEntries> {
  const found: Found = {locked: [], links: [], below: []};
  let level = [''];
  let folders = 0;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0 && folders < MAX_FOLDERS; depth += 1) {
    const now = level.slice(0, MAX_FOLDERS - folders);
    folders += now.length;
    found.below = [];
    const entries = (await Promise.all(now.map((folder) => list(root, folder)))).flat();
    for (const entry of entries) if (!pinned.includes(entry.path)) sort(entry, found, {root, obeyed});
    level = found.below;
  }
  const locked = found.locked.slice(0, MAX_ENTRIES);
  return {locked: [...locked, ...found.links.flatMap((link) => targetOf(root, link))], links: found.links};
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
