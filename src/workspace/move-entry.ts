import nodeFs from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {systemErrorCode, toFettleError} from '../base/errors.ts';
import {openDirectory} from '../exec/directory-handle.ts';
import {assertFree, copyEntry, type EntryFs} from './copy-entry.ts';
import {deleteEntry} from './delete-entry.ts';
import {throwIfCancelled} from './open-regular-file.ts';

/**
 * Moves a file, link or folder to a place where nothing is; folders above it are made. One step of the file system, between two folders that are
 * held open, but to another device: then all of it is copied before the original goes.
 * @throws FettleError BAD_ARGS (something is there), NOT_FOUND, DENIED, STALE, IO, CANCELLED.
 */
// oxlint-disable-next-line max-params -- the signal comes last, except for a parameter of tests
export async function moveEntry(from: string, to: string, signal: AbortSignal, fs: EntryFs = nodeFs): Promise<void> {
  throwIfCancelled(signal);
  try {
    if (await renamed(from, to, fs)) return;
    await copyEntry(from, to, signal, {...fs, rename: nodeFs.rename});
    await deleteEntry(from, new AbortController().signal);
  } catch (error) {
    throw toFettleError(error);
  }
}

async function renamed(from: string, to: string, fs: EntryFs): Promise<boolean> {
  await using source = await openDirectory(dirname(from));
  await using target = await openDirectory(dirname(to), {make: (path) => fs.mkdir(path)});
  try {
    await assertFree(target.at(basename(to)), to, fs);
    await Promise.all([source.confirm(), target.confirm()]);
    await fs.rename(source.at(basename(from)), target.at(basename(to)));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EXDEV') return false;
    throw source.named(target.named(error));
  }
}
