import {closeSync, constants, fstatSync, openSync, read, readSync, type Stats} from 'node:fs';
import {promisify} from 'node:util';
import {FettleError, isFettleError, systemErrorCode, toFettleError} from '../base/errors.ts';
import {assertOpenedAt, pathSwapped, NO_LINK} from '../exec/directory-handle.ts';

/**
 * Opens a file for reading by its real path, verifies through the descriptor that it is that very file and a
 * regular one, and closes it after use. A link that replaced the file or a folder above it since the path was
 * evaluated is refused; a FIFO without a writer does not block. @throws FettleError NOT_FOUND, DENIED,
 * NOT_A_FILE, STALE, and the errors of `use`; NOT_TEXT gets the path into its message.
 */
export async function withRegularFile<T>(path: string, use: (fd: number, stats: Stats) => Promise<T>): Promise<T> {
  try {
    const fd = openSync(path, constants.O_RDONLY | NO_LINK);
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile()) throw notAFile(path, stats);
      assertOpenedAt(fd, path);
      return await use(fd, stats);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw named(path, error);
  }
}

/** @throws FettleError CANCELLED */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.', cause: signal.reason});
}

/**
 * Fills the buffer from `position` on; returns how many bytes there were. A small piece is read at once: a thread that reads it takes longer
 * to wake.
 */
export async function readFully(fd: number, buffer: Buffer, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const left = buffer.length - filled;
    const bytesRead =
      left <= READ_AT_ONCE
        ? readSync(fd, buffer, filled, left, position + filled)
        : (await readByThread(fd, buffer, filled, left, position + filled)).bytesRead;
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** Reads all of a file that has the given size; of one that grew no more than that. */
export async function readWhole(fd: number, {size}: Stats): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(size);
  return buffer.subarray(0, await readFully(fd, buffer, 0));
}

const readByThread = promisify(read);
const READ_AT_ONCE = 128 * 1024;

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
