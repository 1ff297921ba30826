import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError, toFettleError} from '../base/errors.ts';
import {throwIfCancelled} from './open-regular-file.ts';

/**
 * Absolute paths of all below a folder that is no folder itself, in the order of names; links are listed, never followed.
 * @throws FettleError TOO_LARGE where there are more than `limit`, DENIED, CANCELLED.
 */
export async function treeFiles(folder: string, limit: number, signal: AbortSignal): Promise<string[]> {
  const files: string[] = [];
  const visit = async (path: string): Promise<void> => {
    throwIfCancelled(signal);
    const entries = await readdir(path, {withFileTypes: true});
    for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      if (entry.isDirectory()) await visit(join(path, entry.name));
      else files.push(join(path, entry.name));
      if (files.length > limit) throw tooMany(folder, limit);
    }
  };
  try {
    await visit(folder);
    return files;
  } catch (error) {
    throw toFettleError(error);
  }
}

function tooMany(folder: string, limit: number): FettleError {
  return new FettleError({
    code: 'TOO_LARGE',
    message: `${folder} holds more than ${limit} files. Nothing was changed.`,
    hint: 'Take the folders in it one after another, or use a command.',
  });
}
