import {lstat, rm, unlink} from 'node:fs/promises';
import {toFettleError} from '../base/errors.ts';
import {throwIfCancelled} from './open-regular-file.ts';

/**
 * Deletes a file, a link (never what it leads to), or a folder with all that is in it. A file is there or gone; of a folder a part may be
 * gone when the system refuses another.
 * @throws FettleError NOT_FOUND, DENIED, IO, CANCELLED.
 */
export async function deleteEntry(path: string, signal: AbortSignal): Promise<void> {
  throwIfCancelled(signal);
  try {
    if ((await lstat(path)).isDirectory()) await rm(path, {recursive: true});
    else await unlink(path);
  } catch (error) {
    throw toFettleError(error);
  }
}
