import {lstatSync, readdirSync, type Dirent} from 'node:fs';
import {join} from 'node:path';

export interface Listed {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link';
  readonly counts: boolean;
}

/** One look at a tree: a folder is asked for once. */
export interface TreeListing {
  /** Its folders, and of the rest what counts. Empty if it is not a folder or cannot be read. By its path from the root. */
  list(folder: string): readonly Listed[];
}

/**
 * Names in folders, remembered from look to look: a folder whose time of change (ctime, which no program sets) is the same holds the same
 * names. `counts` gets the name of the folder and the name in it, and decides for other things than folders whether they are listed at all.
 */
export function createFolderCache(root: string, counts: (folder: string, name: string) => boolean): {look(): TreeListing} {
  const known = new Map<string, Known>();
  return {
    look() {
      const seen = new Map<string, readonly Listed[]>();
      return {
        list(folder) {
          const already = seen.get(folder);
          if (already !== undefined) return already;
          const entries = listed(known, folder, {root, counts});
          seen.set(folder, entries);
          return entries;
        },
      };
    },
  };
}

interface Known {
  readonly stamp: string;
  readonly entries: readonly Listed[];
}

interface Where {
  readonly root: string;
  readonly counts: (folder: string, name: string) => boolean;
}

/**
 * Some file systems have a clock resolution of two seconds: an entry that changed within this time before a scan may have changed again with the
 * same stamp.
 */
const RACY_MS = 2000;
const MOST_KNOWN = 100_000;

function listed(known: Map<string, Known>, folder: string, {root, counts}: Where): readonly Listed[] {
  const at = join(root, folder);
  const stats = lstatSync(at, {throwIfNoEntry: false});
  if (stats?.isDirectory() !== true) return [];
  const stamp = `${stats.ino}:${stats.ctimeMs}`;
  const before = known.get(folder);
  if (before?.stamp === stamp) return before.entries;
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  const entries = entriesOf(at).flatMap((entry): Listed[] => {
    const isFolder = entry.isDirectory();
    if (!isFolder && !entry.isFile() && !entry.isSymbolicLink()) return [];
    const counted = counts(name, entry.name);
    if (!isFolder && !counted) return [];
    return [{name: entry.name, kind: isFolder ? 'folder' : entry.isFile() ? 'file' : 'link', counts: counted}];
  });
  if (stats.ctimeMs < Date.now() - RACY_MS && known.size < MOST_KNOWN) known.set(folder, {stamp, entries});
  else known.delete(folder);
  return entries;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, {withFileTypes: true});
  } catch {
    return [];
  }
}
