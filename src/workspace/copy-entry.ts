import nodeFs from 'node:fs/promises';
import {constants, type Stats} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {FettleError, systemErrorCode, toFettleError} from '../base/errors.ts';
import {openDirectory, pathSwapped, NO_LINK, type DirectoryHandle} from '../exec/directory-handle.ts';
import {deleteEntry} from './delete-entry.ts';
import {throwIfCancelled} from './open-regular-file.ts';
import {temporaryName} from './temporary-file.ts';

/** The calls of `node:fs/promises` that copying and moving make; tests let each of them fail. */
export type EntryFs = Pick<typeof nodeFs, 'lstat' | 'mkdir' | 'open' | 'rename'>;

/**
 * Copies a file, link or folder to a place where nothing is; folders above it are made. Links stay links, modes and times stay. It is copied
 * beside the place first: either all of it is there, or nothing. Both sides are held open folder by folder, and files are opened without
 * following: what is swapped for a link meanwhile is refused, never read or written.
 * @throws FettleError BAD_ARGS (something is there), NOT_A_FILE (it holds a FIFO, socket or device), NOT_FOUND, DENIED, STALE, IO, CANCELLED.
 */
// oxlint-disable-next-line max-params -- the signal comes last, except for a parameter of tests
export async function copyEntry(from: string, to: string, signal: AbortSignal, fs: EntryFs = nodeFs): Promise<void> {
  throwIfCancelled(signal);
  const temporary = join(dirname(to), temporaryName());
  try {
    await using source = await openDirectory(dirname(from));
    await using target = await openDirectory(dirname(to), {make: (path) => fs.mkdir(path)});
    try {
      await copyOne({folder: source, path: from}, {folder: target, path: temporary}, {signal, fs});
      await assertFree(target.at(basename(to)), to, fs);
      await target.confirm();
      await fs.rename(target.at(basename(temporary)), target.at(basename(to)));
    } catch (error) {
      await deleteEntry(temporary, new AbortController().signal).catch(() => undefined);
      throw source.named(target.named(error));
    }
  } catch (error) {
    throw toFettleError(error);
  }
}

/** `rename` would silently replace an existing entry. */
export async function assertFree(at: string, path: string, fs: Pick<EntryFs, 'lstat'>): Promise<void> {
  const found = await fs.lstat(at).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return;
  throw new FettleError({code: 'BAD_ARGS', message: `${path} already exists. Nothing was changed.`, hint: 'Choose another name.'});
}

interface Spot {
  readonly folder: DirectoryHandle;
  readonly path: string;
}

interface Copying {
  readonly signal: AbortSignal;
  readonly fs: EntryFs;
}

async function copyOne(from: Spot, to: Spot, copying: Copying): Promise<void> {
  throwIfCancelled(copying.signal);
  const [source, target] = [placeOf(from), placeOf(to)];
  const stats = await nodeFs.lstat(source);
  if (stats.isSymbolicLink()) return await nodeFs.symlink(await nodeFs.readlink(source), target);
  if (stats.isDirectory()) return await copyFolder(from, to, {...copying, stats});
  if (!stats.isFile()) throw specialFile(from.path);
  await copyFile(from, target, copying);
}

function placeOf({folder, path}: Spot): string {
  return folder.at(basename(path));
}

async function copyFolder(from: Spot, to: Spot, {stats, ...copying}: Copying & {readonly stats: Stats}): Promise<void> {
  await copying.fs.mkdir(placeOf(to), {mode: 0o700});
  await using source = await openDirectory(from.path);
  await using target = await openDirectory(to.path);
  for (const name of await nodeFs.readdir(source.at('.'))) {
    await copyOne({folder: source, path: join(from.path, name)}, {folder: target, path: join(to.path, name)}, copying);
  }
  await nodeFs.chmod(target.at('.'), stats.mode & 0o1777);
  await nodeFs.utimes(target.at('.'), stats.atime, stats.mtime);
}

const CHUNK_BYTES = 256 * 1024;

async function copyFile(from: Spot, target: string, {signal, fs}: Copying): Promise<void> {
  await using source = await nodeFs.open(placeOf(from), constants.O_RDONLY | NO_LINK).catch((error: unknown) => {
    throw systemErrorCode(error) === 'ELOOP' ? pathSwapped(from.path) : error;
  });
  const stats = await source.stat();
  if (!stats.isFile()) throw specialFile(from.path);
  await using copy = await fs.open(target, 'wx', 0o600);
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, Math.max(1, stats.size)));
  for (;;) {
    throwIfCancelled(signal);
    const {bytesRead} = await source.read(buffer, 0, buffer.length);
    if (bytesRead === 0) break;
    await copy.writeFile(buffer.subarray(0, bytesRead));
  }
  await copy.chmod(stats.mode & 0o1777);
  await copy.utimes(stats.atime, stats.mtime);
}

function specialFile(path: string): FettleError {
  return new FettleError({
    code: 'NOT_A_FILE',
    message: `${path} is, or holds, a FIFO, socket or device. Nothing was copied.`,
    hint: 'Only files, links and folders are copied.',
  });
}
