import {constants, type Stats} from 'node:fs';
import {basename, dirname} from 'node:path';
import {FettleError, systemErrorCode, toFettleError} from '../base/errors.ts';
import {openDirectory, pathSwapped, type DirectoryHandle} from '../exec/directory-handle.ts';
import {QUICK_FS, type AtomicFile, type AtomicFs} from './atomic-fs.ts';
import {sameState, stateOf, type FileState, type WrittenState} from './file-state.ts';
import {copyAttributes, findAttributes, noteWithout} from './keep-attributes.ts';
import {notAFile} from './open-regular-file.ts';
import {removeLeftovers, temporaryName} from './temporary-file.ts';

export interface WriteOptions {
  /** The file must still be in this state, or must not exist; undefined: any existing file is overwritten. */
  readonly expect?: FileState | 'absent' | undefined;
  /** Mode of a new file; absent: the system's default. */
  readonly mode?: number | undefined;
  /** Called for each folder that had to be made, the highest first. */
  readonly onFolder?: ((path: string) => void) | undefined;
}

export interface Written {
  readonly created: boolean;
  readonly state: WrittenState;
}

/**
 * Replaces or creates the file of a real path as a whole: at every instant the old or the new content is there, never a part. The folder is held
 * open from the first look to the rename, so that nothing can replace it; a link where none was approved is refused. Mode stays, and so do
 * owner, access control list and extended attributes if the system allows it: the state names what was lost. setuid and setgid stay with their
 * owner, and are removed if the owner cannot be preserved. Of a hard-linked file only this name gets the new content: the other may be outside
 * the workspace or in a package store. In a folder that takes no new file nothing is written, since it could not be done safely.
 * @throws FettleError STALE (not as expected, or led elsewhere by a link), BAD_ARGS (there, but expected to be absent), NOT_A_FILE, DENIED, IO;
 * the old file is then intact.
 */
export async function writeFileAtomic(
  path: string,
  bytes: Uint8Array,
  {expect, mode, onFolder, fs = QUICK_FS}: WriteOptions & {readonly fs?: AtomicFs} = {},
): Promise<Written> {
  try {
    await using folder = await folderOf(path, {expect, onFolder, fs});
    try {
      const replaced = await writableFile(fs, {path, folder});
      if (replaced === undefined && typeof expect === 'object') throw staleFile(path, 'was removed');
      if (replaced !== undefined && expect === 'absent') throw alreadyThere(path);
      return {created: replaced === undefined, state: await replaceByRename({fs, path, folder, bytes, replaced, expect, mode})};
    } catch (error) {
      throw folder.named(error);
    }
  } catch (error) {
    throw toFettleError(error);
  }
}

interface Replacement {
  readonly fs: AtomicFs;
  readonly path: string;
  readonly folder: DirectoryHandle;
  readonly bytes: Uint8Array;
  readonly replaced: Stats | undefined;
  readonly expect: FileState | 'absent' | undefined;
  readonly mode: number | undefined;
}

async function folderOf(path: string, {expect, onFolder, fs}: WriteOptions & {readonly fs: AtomicFs}): Promise<DirectoryHandle> {
  const mayMake = typeof expect !== 'object';
  try {
    return await openDirectory(dirname(path), {make: mayMake ? (at) => fs.mkdir(at) : undefined, onMade: onFolder});
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOTDIR') throw fileOnTheWay(path, error);
    throw code === 'ENOENT' && !mayMake ? staleFile(path, 'was removed') : error;
  }
}

/** Returns the file to replace; undefined if there is none yet. A rename would also replace a file that is write-protected, and a link. */
async function writableFile(fs: AtomicFs, {path, folder}: {path: string; folder: DirectoryHandle}): Promise<Stats | undefined> {
  const stats = await unlessMissing(fs.lstat(folder.at(basename(path))));
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) throw pathSwapped(path);
  if (!stats.isFile()) throw notAFile(path, stats);
  await fs.access(folder.at(basename(path)), constants.W_OK);
  return stats;
}

async function unlessMissing(lookup: Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await lookup;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function replaceByRename({fs, path, folder, bytes, replaced, expect, mode}: Replacement): Promise<WrittenState> {
  if (typeof expect === 'object' && replaced !== undefined) assertState(path, replaced, expect);
  await removeLeftovers(dirname(path), folder.at('.'));
  await folder.confirm();
  const [temporary, target] = [folder.at(temporaryName()), folder.at(basename(path))];
  // Anyone who could not read the old content must not be able to read the new one meanwhile.
  const file = await fs.open(temporary, 'wx', replaced === undefined ? 0o666 : 0o600).catch((error: unknown) => {
    throw noRoomBeside(path, error);
  });
  try {
    const {had, state} = await fillAndClose(file, {bytes, replaced, mode, target});
    await folder.confirm();
    if (expect === 'absent') await publishNew(fs, {temporary, target, path});
    else {
      if (expect !== undefined) assertState(path, await fs.lstat(target), expect);
      await fs.rename(temporary, target);
    }
    if (!had) noteWithout(target);
    return state;
  } catch (error) {
    await fs.unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** Creating a hard link never replaces an existing file, but not every file system has them. */
async function publishNew(fs: AtomicFs, {temporary, target, path}: {temporary: string; target: string; path: string}): Promise<void> {
  try {
    await fs.link(temporary, target);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') throw alreadyThere(path);
    return fs.rename(temporary, target);
  }
  await fs.unlink(temporary);
}

interface Content extends Pick<Replacement, 'bytes' | 'replaced' | 'mode'> {
  /** Path of the file that is replaced. */
  readonly target: string;
}

interface Filled {
  readonly state: WrittenState;
  /** True if the replaced file had an access control list or extended attributes. */
  readonly had: boolean;
}

async function fillAndClose(file: AtomicFile, {target, ...content}: Content): Promise<Filled> {
  const {replaced} = content;
  // Runs while the content is written, which takes as long.
  const looking = replaced === undefined ? undefined : findAttributes(target, replaced);
  try {
    const isOwned = await fill(file, content);
    const found = await looking;
    if (replaced === undefined) return {had: false, state: stateOf(await file.stat())};
    const lost = [];
    if (found !== undefined) {
      lost.push(...(await copyAttributes(target, replaced, {found, to: file.fd, withAccessList: isOwned})));
      await keepMode(file, replaced, isOwned);
    }
    const stats = await file.stat();
    lost.push(...lostBits(replaced, stats));
    return {had: found !== undefined, state: lost.length === 0 ? stateOf(stats) : {...stateOf(stats), lost}};
  } finally {
    await looking;
    await file.close();
  }
}

/** Returns true if the file has its former owner. */
async function fill(file: AtomicFile, {bytes, replaced, mode}: Omit<Content, 'target'>): Promise<boolean> {
  for (let offset = 0; offset < bytes.length;) {
    const {bytesWritten} = await file.write(bytes, offset);
    if (bytesWritten === 0) throw new FettleError({code: 'IO', message: 'The disk accepted no more data. Nothing was changed.'});
    offset += bytesWritten;
  }
  const isOwned = replaced === undefined || (await keepOwner(file, replaced));
  if (replaced !== undefined) await keepMode(file, replaced, isOwned);
  else if (mode !== undefined) await file.chmod(mode & 0o777);
  await file.sync();
  return isOwned;
}

async function keepOwner(file: AtomicFile, replaced: Stats): Promise<boolean> {
  const {uid, gid} = await file.stat();
  if (uid === replaced.uid && gid === replaced.gid) return true;
  // Only root may give files away; otherwise the writer becomes the owner.
  return await file.chown(replaced.uid, replaced.gid).then(
    () => true,
    () => false,
  );
}

/** After the owner and the content: each of them clears setuid and setgid. Those are rights of the owner alone. */
async function keepMode(file: AtomicFile, replaced: Stats, isOwned: boolean): Promise<void> {
  await file.chmod(replaced.mode & (isOwned ? 0o7777 : 0o1777));
}

function lostBits(before: Stats, after: Stats): string[] {
  return SPECIAL_BITS.flatMap(([bit, name]) => ((before.mode & bit) !== 0 && (after.mode & bit) === 0 ? name : []));
}

const SPECIAL_BITS = [
  [0o4000, 'setuid'],
  [0o2000, 'setgid'],
  [0o1000, 'sticky'],
] as const;

function assertState(path: string, found: Stats, expected: FileState): void {
  if (!sameState(stateOf(found), expected)) throw staleFile(path, 'changed on disk');
}

function alreadyThere(path: string): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `${path} already exists. Nothing was written.`,
    hint: 'Edit it, or allow overwriting it.',
  });
}

export function staleFile(path: string, what: string): FettleError {
  return new FettleError({
    code: 'STALE',
    message: `${path} ${what} since it was read. Nothing was written.`,
    hint: 'Read it again, then redo the change on its current content.',
  });
}

function fileOnTheWay(path: string, cause: unknown): FettleError {
  return new FettleError({
    code: 'NOT_A_FILE',
    message: `${path} cannot be written: a part of its path is a file, not a folder.`,
    hint: 'Write to another path, or move that file away first.',
    cause,
  });
}

function noRoomBeside(path: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') return error;
  return new FettleError({
    code: 'DENIED',
    message: `The folder of ${path} takes no new files, so that nothing can be written there safely.`,
    hint: 'Change the permissions of the folder, or write elsewhere.',
    cause: error,
  });
}
