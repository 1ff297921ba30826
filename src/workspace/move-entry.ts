import nodeFs from 'node:fs/promises';
import {dirname} from 'node:path';
import {systemErrorCode, toFettleError} from '../base/errors.ts';
import {assertFree, copyEntry, type EntryFs} from './copy-entry.ts';
import {throwIfCancelled} from './open-regular-file.ts';

/**
 * Moves a file, link or folder to a place where nothing is; folders above it are made. One step of the file system, but to another device:
 * then all of it is copied before the original goes.
 * @throws FettleError BAD_ARGS (something is there), NOT_FOUND, DENIED, IO, CANCELLED.
 */
// oxlint-disable-next-line max-params -- the signal comes last but for what only tests give
export async function moveEntry(from: string, to: string, signal: AbortSignal, fs: EntryFs = nodeFs): Promise<void> {
  throwIfCancelled(signal);
  try {
    await fs.mkdir(dirname(to), {recursive: true});
    await assertFree(to, fs);
    if (await renamed(from, to, fs)) return;
    await copyEntry(from, to, signal, {...fs, rename: nodeFs.rename});
    await fs.rm(from, {recursive: true});
  } catch (error) {
    throw toFettleError(error);
  }
}

async function renamed(from: string, to: string, fs: EntryFs): Promise<boolean> {
  try {
    await fs.rename(from, to);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EXDEV') return false;
    throw error;
  }
}
