import {constants, type Stats} from 'node:fs';
import {open, type FileHandle} from 'node:fs/promises';
import {FettleError, isFettleError, systemErrorCode, toFettleError} from '../base/errors.ts';
import {assertOpenedAt, pathSwapped, NO_LINK} from '../exec/directory-handle.ts';

/**
 * Opens a file for reading by its real path, verifies through the descriptor that it is that very file and a
 * regular one, and closes it after use. A link that replaced the file or a folder above it since the path was
 * evaluated is refused; a FIFO without a writer does not block. @throws FettleError NOT_FOUND, DENIED,
 * NOT_A_FILE, STALE, and the errors of `use`; NOT_TEXT gets the path into its message.
 */
export async function withRegularFile<T>(path: string, use: (file: FileHandle, stats: Stats) => Promise<T>): Promise<T> {
  try {
    await using file = await open(path, constants.O_RDONLY | NO_LINK);
    const stats = await file.stat();
    if (!stats.isFile()) throw notAFile(path, stats);
    await assertOpenedAt(file, path);
    return await use(file, stats);
  } catch (error) {
    throw named(path, error);
  }
}

/** @throws FettleError CANCELLED */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.', cause: signal.reason});
}

/** Fills the buffer from `position` on; returns the number of bytes read. */
export async function readFully(file: FileHandle, buffer: Buffer, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const {bytesRead} = await file.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** The error for something that is not a regular file, with its kind. */
export function notAFile(path: string, stats: Stats): FettleError {
  return new FettleError({
    code: 'NOT_A_FILE',
    message: `${path} is ${kindOf(stats)}, not a regular file.`,
    hint: stats.isDirectory() ? 'List the folder, or name a file in it.' : ONLY_REGULAR,
  });
}

const ONLY_REGULAR = 'Only regular files can be read and written.';

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a FIFO';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

function named(path: string, error: unknown): FettleError {
  if (systemErrorCode(error) === 'ELOOP') return pathSwapped(path);
  // A socket cannot be opened at all.
  if (error instanceof Error && 'code' in error && error.code === 'ENXIO') {
    return new FettleError({
      code: 'NOT_A_FILE',
      message: `${path} is a socket or device, not a regular file.`,
      hint: ONLY_REGULAR,
      cause: error,
    });
  }
  if (!isFettleError(error) || error.code !== 'NOT_TEXT') return toFettleError(error);
  return new FettleError({code: error.code, message: `${path}: ${error.message}`, hint: error.hint, cause: error});
}
