import {lstat, readdir, rmdir, unlink} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {toFettleError} from '../base/errors.ts';
import {openDirectory, type DirectoryHandle} from '../exec/directory-handle.ts';
import {throwIfCancelled} from './open-regular-file.ts';

/**
 * Deletes the entry at a path whose folder is real: a file, a link (never its target), or a folder with its
 * content. Every folder on the way is held open, so that a folder swapped in its place loses nothing. A file is
 * deleted in one step; if the system refuses to delete a part of a folder, other parts may be gone. @throws
 * FettleError NOT_FOUND, DENIED, STALE, IO, CANCELLED.
 */
export async function deleteEntry(path: string, signal: AbortSignal): Promise<void> {
  throwIfCancelled(signal);
  try {
    await using folder = await openDirectory(dirname(path));
    await deleteIn(folder, path);
  } catch (error) {
    throw toFettleError(error);
  }
}

async function deleteIn(folder: DirectoryHandle, path: string): Promise<void> {
  const at = folder.at(basename(path));
  try {
    await folder.confirm();
    if (!(await lstat(at)).isDirectory()) return await unlink(at);
    await emptyFolder(path);
    await rmdir(at);
  } catch (error) {
    throw folder.named(error);
  }
}

async function emptyFolder(path: string): Promise<void> {
  await using folder = await openDirectory(path);
  for (const name of await readdir(folder.at('.'))) await deleteIn(folder, join(path, name));
}
