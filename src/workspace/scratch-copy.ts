import {chmod, constants, copyFile, lstat, mkdir, readdir, readlink, symlink, utimes} from 'node:fs/promises';
import {FettleError, systemErrorCode} from '../base/errors.ts';

export interface CopyOptions {
  /** Absolute and real. */
  readonly from: string;
  /** Absolute; made. */
  readonly to: string;
  /** Absolute paths that are left out, with their content. */
  readonly without: readonly string[];
  readonly maxEntries?: number;
}

/**
 * Copies a folder, with modes, times and links; pipes, sockets and devices are left out. A link to a place in
 * the folder is changed to that place in the copy, so that nothing in the copy leads back. Shares blocks on disk
 * if the file system can. Names are bytes.
 */
export async function copyFolder({from, to, without, maxEntries = 300_000}: CopyOptions, signal: AbortSignal): Promise<void> {
  let entries = 0;
  const [source, target] = [Buffer.from(from), Buffer.from(to)];
  const left = new Set(without.map((path) => Buffer.from(path).toString('latin1')));

  const copyEntry = async (path: Buffer, copy: Buffer): Promise<void> => {
    signal.throwIfAborted();
    entries += 1;
    if (entries > maxEntries) throw tooMany(from, maxEntries);
    if (left.has(path.toString('latin1'))) return;
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) await symlink(moved(await readlink(path, {encoding: 'buffer'}), source, target), copy);
    else if (stats.isFile()) {
      await copyFile(path, copy, constants.COPYFILE_FICLONE);
      await utimes(copy, stats.atimeMs / 1000, stats.mtimeMs / 1000);
    } else if (stats.isDirectory()) {
      await mkdir(copy, {mode: 0o700});
      // As many at a time as the system's threads take: that bounds the open files, too.
      const names = await readdir(path, {encoding: 'buffer'});
      const done = await Promise.allSettled(names.map(async (name) => await copyGone(below(path, name), below(copy, name))));
      for (const one of done) if (one.status === 'rejected') throw one.reason;
      await chmod(copy, stats.mode & 0o7777);
      await utimes(copy, stats.atimeMs / 1000, stats.mtimeMs / 1000);
    }
  };
  /** Copies an entry; one that is removed meanwhile is skipped. */
  const copyGone = async (path: Buffer, copy: Buffer): Promise<void> => {
    await copyEntry(path, copy).catch((error: unknown) => {
      if (systemErrorCode(error) !== 'ENOENT') throw error;
    });
  };
  await copyEntry(source, target);
}

function below(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}

function moved(link: Buffer, from: Buffer, to: Buffer): Buffer {
  const isInside = link.equals(from) || link.subarray(0, from.length + 1).equals(below(from, Buffer.alloc(0)));
  return isInside ? Buffer.concat([to, link.subarray(from.length)]) : link;
}

function tooMany(folder: string, entries: number): FettleError {
  return new FettleError({
    code: 'TOO_LARGE',
    message: `${folder} has more than ${entries} entries: too many for a scratch copy.`,
    hint: 'Clone the project without build output, and name that folder with --cwd.',
  });
}
