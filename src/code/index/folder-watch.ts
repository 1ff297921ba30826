import {existsSync, readFileSync, watch, type FSWatcher} from 'node:fs';
import {join} from 'node:path';

/** Notes which files may have changed. */
export interface FolderWatch {
  /** Watches one more folder. */
  add(folder: string): void;
  /** What was noted since the last time: paths from the root; undefined where it is not known, and everything has to be looked at. */
  take(): ReadonlySet<string> | undefined;
  close(): void;
}

/** Folders that are watched where the system does not tell how many it allows. */
const FEWEST_ALLOWED = 1500;
const MOST_FOLDERS = 20_000;
/** More changes than this are found sooner by looking at everything. */
const MOST_CHANGES = 500;

/**
 * Watches folders one by one: a recursive watch of Node reads the whole tree, ignored folders included. With more than `most` folders none is
 * watched any more, and nothing is known: a part would miss changes.
 */
export function createFolderWatch(root: string, most: number = mostFolders()): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  const changes = new Set<string>();
  let isLost = true;
  let isFull = false;
  const lose = (): void => {
    isLost = true;
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
  return {
    add(folder) {
      if (isFull || watchers.has(folder)) return;
      isFull = watchers.size >= most;
      if (isFull) lose();
      else {
        try {
          const watcher = watch(join(root, folder), (_, name) => {
            if (name === null || changes.size >= MOST_CHANGES) isLost = true;
            else changes.add(folder === '' ? name : `${folder}/${name}`);
          });
          watchers.set(folder, watcher.on('error', lose));
        } catch {
          lose(); // no watches left, or the folder is gone
          isFull = existsSync(join(root, folder));
        }
      }
    },
    take() {
      const known = isLost ? undefined : new Set(changes);
      changes.clear();
      isLost = watchers.size === 0;
      return known;
    },
    close: lose,
  };
}

/** Each folder costs a watch of the system, of which all programs of a user share some: an eighth of them at most. */
function mostFolders(): number {
  try {
    const allowed = Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'));
    return Math.min(MOST_FOLDERS, Math.max(FEWEST_ALLOWED, Math.floor(allowed / 8)));
  } catch {
    return FEWEST_ALLOWED; // another system
  }
}
