import {watch, type FSWatcher} from 'node:fs';
import {join} from 'node:path';

/** Notes which files may have changed. */
export interface FolderWatch {
  /** Watches one more folder. */
  add(folder: string): void;
  /** What was noted since the last time: paths from the root; undefined where it is not known, and everything has to be looked at. */
  take(): ReadonlySet<string> | undefined;
  close(): void;
}

/** Each costs a watch of the system, of which a user has few. */
const MOST_FOLDERS = 1500;
/** More changes than this are found sooner by looking at everything. */
const MOST_CHANGES = 500;

/** Watches folders one by one: a recursive watch of Node reads the whole tree, ignored folders included. */
export function createFolderWatch(root: string): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  const changes = new Set<string>();
  let isLost = true;
  const lose = (): void => {
    isLost = true;
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
  return {
    add(folder) {
      if (watchers.has(folder)) return;
      if (watchers.size >= MOST_FOLDERS) lose();
      else {
        try {
          const watcher = watch(join(root, folder), (_, name) => {
            if (name === null || changes.size >= MOST_CHANGES) isLost = true;
            else changes.add(folder === '' ? name : `${folder}/${name}`);
          });
          watchers.set(folder, watcher.on('error', lose));
        } catch {
          lose(); // no watches left, or the folder is gone
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
