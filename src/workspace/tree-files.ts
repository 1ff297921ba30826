import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError, toFettleError} from '../base/errors.ts';
import {throwIfCancelled} from './open-regular-file.ts';

export interface TreeLimits {
  /** Most files, links and folders together. */
  readonly maxEntries: number;
  /** Milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Returns the absolute paths of everything below a folder except folders, in the order of names; links are
 * listed, never followed. @throws FettleError TOO_LARGE if there are more than the limit, TIMEOUT, DENIED,
 * CANCELLED.
 */
export async function treeFiles(folder: string, {maxEntries, timeoutMs}: TreeLimits, signal: AbortSignal): Promise<string[]> {
  const files: string[] = [];
  const deadline = performance.now() + timeoutMs;
  let seen = 0;
  const visit = async (path: string): Promise<void> => {
    throwIfCancelled(signal);
    if (performance.now() > deadline) throw tooSlow(folder, timeoutMs);
    const entries = await readdir(path, {withFileTypes: true});
    seen += entries.length;
    if (seen > maxEntries) throw tooMany(folder, maxEntries);
    for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      if (entry.isDirectory()) await visit(join(path, entry.name));
      else files.push(join(path, entry.name));
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
    message: `${folder} holds more than ${limit} files and folders. Nothing was changed.`,
    hint: 'Process its folders one by one, or use a command.',
  });
}

function tooSlow(folder: string, timeoutMs: number): FettleError {
  return new FettleError({
    code: 'TIMEOUT',
    message: `${folder} could not be listed within ${timeoutMs / 1000} s. Nothing was changed.`,
    hint: 'Process its folders one by one, or use a command.',
  });
}
