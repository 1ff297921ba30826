import {join} from 'node:path';
import {listFolder, type FolderEntry} from '../../../search/list-folder.ts';

export interface EntryWalk {
  /** Absolute. */
  readonly folder: string;
  readonly ignoreFiles: boolean;
  readonly hidden: boolean;
  /** The number of levels to walk. */
  readonly depth: number;
  /** Names of folders that are skipped. */
  readonly skip: ReadonlySet<string>;
}

export interface WalkedEntry extends FolderEntry {
  /** From the start of the walk, with `/`. */
  readonly path: string;
  /** 0: directly in the folder. */
  readonly level: number;
}

/**
 * Walks the entries below a folder, each folder before its content, ordered by name. `.git` is left out, links are not followed, an unreadable
 * folder below the first is returned without its content. Throws NOT_FOUND, DENIED … for the first folder, and CANCELLED.
 */
export async function* walkEntries(walk: EntryWalk, signal: AbortSignal, prefix = ''): AsyncGenerator<WalkedEntry, void, undefined> {
  const {folder, depth, skip, ignoreFiles, hidden} = walk;
  const level = prefix.split('/').length - 1;
  const {entries} = await listFolder(folder, {root: folder, ignoreFiles, hidden, limit: Infinity}, signal);
  for (const entry of entries) {
    const isFolder = entry.kind === 'directory';
    if (isFolder && skip.has(entry.name)) continue;
    const path = prefix + entry.name;
    yield {...entry, path, level};
    if (!isFolder || level + 1 >= depth) continue;
    try {
      yield* walkEntries({...walk, folder: join(folder, entry.name)}, signal, `${path}/`);
    } catch (error) {
      if (signal.aborted) throw error;
    }
  }
}
