import nodeFs from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {FettleError, systemErrorCode, toFettleError} from '../base/errors.ts';
import {throwIfCancelled} from './open-regular-file.ts';
import {temporaryName} from './temporary-file.ts';

/** The calls of `node:fs/promises` that copying and moving make; tests let each of them fail. */
export type EntryFs = Pick<typeof nodeFs, 'cp' | 'lstat' | 'mkdir' | 'rename' | 'rm'>;

/**
 * Copies a file, link or folder to a place where nothing is; folders above it are made. Links stay links, modes stay. It is copied beside
 * the place first: either all of it is there, or nothing.
 * @throws FettleError BAD_ARGS (something is there), NOT_A_FILE (it holds a FIFO, socket or device), NOT_FOUND, DENIED, IO, CANCELLED.
 */
// oxlint-disable-next-line max-params -- the signal comes last but for what only tests give
export async function copyEntry(from: string, to: string, signal: AbortSignal, fs: EntryFs = nodeFs): Promise<void> {
  throwIfCancelled(signal);
  const temporary = join(dirname(to), temporaryName());
  try {
    await fs.mkdir(dirname(to), {recursive: true});
    await fs.cp(from, temporary, {recursive: true, verbatimSymlinks: true, preserveTimestamps: true, errorOnExist: true, force: false});
    throwIfCancelled(signal);
    await assertFree(to, fs);
    await fs.rename(temporary, to);
  } catch (error) {
    await fs.rm(temporary, {recursive: true, force: true}).catch(() => undefined);
    throw copyError(from, error);
  }
}

/** `rename` would replace what is there without a word. */
export async function assertFree(path: string, fs: Pick<EntryFs, 'lstat'>): Promise<void> {
  const found = await fs.lstat(path).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return;
  throw new FettleError({code: 'BAD_ARGS', message: `${path} exists already. Nothing was changed.`, hint: 'Choose another name.'});
}

function copyError(from: string, error: unknown): FettleError {
  const special = error instanceof Error && 'code' in error && SPECIAL_FILES.includes(String(error.code));
  if (!special) return toFettleError(error);
  return new FettleError({
    code: 'NOT_A_FILE',
    message: `${from} is, or holds, a FIFO, socket or device. Nothing was copied.`,
    hint: 'Only files, links and folders are copied.',
    cause: error,
  });
}

const SPECIAL_FILES = ['ERR_FS_CP_FIFO_PIPE', 'ERR_FS_CP_SOCKET', 'ERR_FS_CP_UNKNOWN'];
