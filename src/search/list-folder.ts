import {type Dirent} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {resolve} from 'node:path';
import {FettleError, systemErrorCode, toFettleError} from '../base/errors.ts';
import {openIgnoreFolder} from '../workspace/ignore/ignore-folder.ts';
import {isTemporaryName} from '../workspace/temporary-file.ts';
import {compareCodePoints} from './path-order.ts';

export interface FolderListOptions {
  /** Absolute folder that a relative path starts from. */
  readonly root: string;
  readonly ignoreFiles: boolean;
  readonly hidden: boolean;
  readonly limit: number;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link';
}

export interface FolderListing {
  readonly entries: readonly FolderEntry[];
  readonly truncated: boolean;
}

/**
 * One level of a folder, ordered by name (code points); `.git` is left out, as is what .gitignore files up to the repository exclude.
 * Pipes, sockets and devices count as files. Throws NOT_FOUND, DENIED … Source: "microcode tools › ls".
 */
export async function listFolder(
  path: string,
  {root, ignoreFiles, hidden, limit}: FolderListOptions,
  signal: AbortSignal,
): Promise<FolderListing> {
  const folder = resolve(root, path);
  if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'The listing was cancelled.'});
  const found = await readdir(folder, {withFileTypes: true}).catch((error: unknown) => {
    throw systemErrorCode(error) === 'ENOTDIR' ? notAFolder(folder, error) : toFettleError(error);
  });
  const rules = ignoreFiles ? await openIgnoreFolder(folder, {requireGit: false, toolFiles: false, env: process.env}) : undefined;
  const entries = found
    .filter(({name}) => name !== '.git' && !isTemporaryName(name) && (hidden || !name.startsWith('.')))
    .filter((entry) => rules?.judge(entry.name, entry.isDirectory()) !== 'ignored')
    .sort((a, b) => compareCodePoints(a.name, b.name));
  return {entries: entries.slice(0, limit).map((entry) => ({name: entry.name, kind: kindOf(entry)})), truncated: entries.length > limit};
}

function notAFolder(path: string, cause: unknown): FettleError {
  return new FettleError({
    code: 'NOT_A_FILE',
    message: `${path} is a file, not a folder.`,
    hint: 'Read it, or list the folder it is in.',
    cause,
  });
}

function kindOf(entry: Dirent): FolderEntry['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  return entry.isDirectory() ? 'directory' : 'file';
}
