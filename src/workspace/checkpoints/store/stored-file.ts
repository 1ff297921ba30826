import {closeSync, constants, fstatSync, lstatSync, openSync, readFileSync} from 'node:fs';
import {FettleError, systemErrorCode} from '../../../base/errors.ts';

/**
 * The bytes of a file of the store; undefined if it does not exist. A link or pipe in its place is never followed and never waited for.
 * @throws FettleError IO for a link, a pipe, a folder, more than `maxBytes`; other errors of the system.
 */
export function readStored(path: string, maxBytes = MAX_BYTES): Buffer | undefined {
  const fd = openStored(path);
  if (fd === undefined) return undefined;
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > maxBytes) throw notOurs(path);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Refuses a folder of the store that is a link, not a folder, or of another user: its content could be anybody's. A missing one is fine.
 * @throws FettleError DENIED.
 */
export function assertOwnFolder(path: string): void {
  const stats = lstatSync(path, {throwIfNoEntry: false});
  if (stats === undefined) return;
  const user = process.getuid?.();
  const reason = stats.isDirectory() ? `belongs to another user (uid ${stats.uid})` : 'is not a folder';
  if (stats.isDirectory() && (user === undefined || stats.uid === user)) return;
  throw new FettleError({
    code: 'DENIED',
    message: `The checkpoints are not used: ${path} ${reason}. Nothing was changed.`,
    hint: 'Check it: if it is yours, take ownership of it; otherwise move it away.',
  });
}

/** Larger than any record or index written here. */
const MAX_BYTES = 1024 * 1024 * 1024;

function openStored(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT') return undefined;
    throw code === 'ELOOP' ? notOurs(path) : error;
  }
}

function notOurs(path: string): FettleError {
  return new FettleError({code: 'IO', message: `${path} is not what was written there.`, hint: 'Check it, then move it away.'});
}
