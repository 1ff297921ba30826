import {lstatSync, mkdirSync, watch, type FSWatcher} from 'node:fs';
import {toFettleError} from '../../base/errors.ts';

/** Watches folders for changes of their files. */
export interface FolderWatches {
  /** Watches again what was removed and made again. False: a folder cannot be watched, and somebody has to look from time to time. */
  refresh(): boolean;
  close(): void;
}

interface Watched {
  readonly watcher: FSWatcher;
  readonly inode: number;
}

/** Calls `onChange` for each change in one of the folders, which are made where they are missing. `log` gets why one cannot be watched. */
export function watchFolders(folders: readonly string[], onChange: () => void, log: (line: string) => void): FolderWatches {
  const watched = new Map<string, Watched>();
  const reported = new Set<string>();
  const drop = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };
  const begin = (folder: string): boolean => {
    try {
      mkdirSync(folder, {recursive: true, mode: 0o700});
      const inode = lstatSync(folder).ino;
      if (watched.get(folder)?.inode === inode) return true;
      drop(folder);
      const watcher = watch(folder, onChange).on('error', () => drop(folder));
      watched.set(folder, {watcher, inode});
      reported.delete(folder);
      return true;
    } catch (thrown) {
      drop(folder);
      const line = `${folder} cannot be watched, it is looked at every minute: ${toFettleError(thrown).message}`;
      if (!reported.has(folder)) log(line);
      reported.add(folder);
      return false;
    }
  };
  return {
    refresh: () => folders.map(begin).every(Boolean),
    close: () => folders.forEach(drop),
  };
}
