import {constants, type Stats} from 'node:fs';
import nodeFs from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {FettleError, systemErrorCode, toFettleError} from '../base/errors.ts';
import {sameState, stateOf, type FileState} from './file-state.ts';
import {notAFile} from './open-regular-file.ts';
import {removeLeftovers, temporaryName} from './temporary-file.ts';

/** The calls of `node:fs/promises` that an atomic write makes; tests let each of them fail. */
export interface AtomicFs {
  realpath(path: string): Promise<string>;
  readlink(path: string): Promise<string>;
  stat(path: string): Promise<Stats>;
  access(path: string, mode: number): Promise<void>;
  mkdir(path: string, options: {recursive: true}): Promise<unknown>;
  open(path: string, flags: string, mode: number): Promise<AtomicFile>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

export interface AtomicFile {
  write(bytes: Uint8Array, offset: number): Promise<{bytesWritten: number}>;
  chown(uid: number, gid: number): Promise<void>;
  chmod(mode: number): Promise<void>;
  sync(): Promise<void>;
  stat(): Promise<Stats>;
  close(): Promise<void>;
}

export interface WriteOptions {
  /** The file must still be in this state, or must not be there; undefined: whatever is there is overwritten. */
  readonly expect?: FileState | 'absent' | undefined;
}

export interface Written {
  readonly created: boolean;
  readonly state: FileState;
}

/**
 * Replaces or creates a file as a whole: at every instant the old or the new content is there, never a part.
 * A final link is followed and stays. Mode stays (setuid and setgid go, as with any write), owner where the system allows it.
 * Of a hard-linked file only this name gets the new content: the other may lie outside the workspace or in a package store.
 * In a folder that takes no new file nothing is written, for it could not be done safely.
 * @throws FettleError STALE (not as expected), BAD_ARGS (there, but expected to be absent), NOT_A_FILE, NOT_FOUND (a dangling link), DENIED, IO; the old file is then intact.
 */
export async function writeFileAtomic(
  path: string,
  bytes: Uint8Array,
  {expect, fs = nodeFs}: WriteOptions & {readonly fs?: AtomicFs} = {},
): Promise<Written> {
  try {
    const target = await existingTarget(fs, path);
    if (target === undefined) {
      if (expect !== undefined && expect !== 'absent') throw staleFile(path, 'was removed');
      await fs.mkdir(dirname(path), {recursive: true});
    }
    if (target !== undefined && expect === 'absent') throw alreadyThere(path);
    const replaced = target === undefined ? undefined : await writableFile(fs, target);
    const plan = {fs, path: target ?? path, bytes, replaced, expect};
    return {created: target === undefined, state: await replaceByRename(plan)};
  } catch (error) {
    throw toFettleError(error);
  }
}

interface Replacement {
  readonly fs: AtomicFs;
  /** No link. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly replaced: Stats | undefined;
  readonly expect: FileState | 'absent' | undefined;
}

/** What the path really names; undefined: nothing yet. */
async function existingTarget(fs: AtomicFs, path: string): Promise<string | undefined> {
  try {
    return await fs.realpath(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOTDIR') throw fileOnTheWay(path, error);
    if (code !== 'ENOENT') throw error;
  }
  const link = await fs.readlink(path).catch(() => undefined);
  if (link === undefined) return undefined;
  throw new FettleError({
    code: 'NOT_FOUND',
    message: `${path} is a link to ${link}, which does not exist; writing it would create that.`,
    hint: 'Name the target itself, or remove the link first.',
  });
}

/** A rename would also replace a file that is write-protected. */
async function writableFile(fs: AtomicFs, path: string): Promise<Stats> {
  const stats = await fs.stat(path);
  if (!stats.isFile()) throw notAFile(path, stats);
  await fs.access(path, constants.W_OK);
  return stats;
}

async function replaceByRename({fs, path, bytes, replaced, expect}: Replacement): Promise<FileState> {
  if (typeof expect === 'object' && replaced !== undefined) assertState(path, replaced, expect);
  await removeLeftovers(dirname(path));
  const temporary = join(dirname(path), temporaryName());
  // Nobody may read the new content meanwhile who could not read the old one.
  const file = await fs.open(temporary, 'wx', replaced === undefined ? 0o666 : 0o600).catch((error: unknown) => {
    throw noRoomBeside(path, error);
  });
  try {
    const state = await fillAndClose(file, bytes, replaced);
    if (expect === 'absent') await publishNew(fs, temporary, path);
    else {
      if (expect !== undefined) assertState(path, await fs.stat(path), expect);
      await fs.rename(temporary, path);
    }
    return state;
  } catch (error) {
    await fs.unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** A link is never made over something, in one step; not every file system has links. */
async function publishNew(fs: AtomicFs, temporary: string, path: string): Promise<void> {
  try {
    await fs.link(temporary, path);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') throw alreadyThere(path);
    return fs.rename(temporary, path);
  }
  await fs.unlink(temporary);
}

async function fillAndClose(file: AtomicFile, bytes: Uint8Array, replaced: Stats | undefined): Promise<FileState> {
  try {
    return await fill(file, bytes, replaced);
  } finally {
    await file.close();
  }
}

async function fill(file: AtomicFile, bytes: Uint8Array, replaced: Stats | undefined): Promise<FileState> {
  for (let offset = 0; offset < bytes.length;) {
    const {bytesWritten} = await file.write(bytes, offset);
    if (bytesWritten === 0) throw new FettleError({code: 'IO', message: 'The disk took no more bytes. Nothing was changed.'});
    offset += bytesWritten;
  }
  if (replaced !== undefined) await keepOwnerAndMode(file, replaced);
  await file.sync();
  return stateOf(await file.stat());
}

async function keepOwnerAndMode(file: AtomicFile, replaced: Stats): Promise<void> {
  const {uid, gid} = await file.stat();
  if (uid !== replaced.uid || gid !== replaced.gid) {
    // Only root may give files away; whoever may write here becomes the owner.
    await file.chown(replaced.uid, replaced.gid).catch(() => undefined);
  }
  await file.chmod(replaced.mode & 0o1777);
}

function assertState(path: string, found: Stats, expected: FileState): void {
  if (!sameState(stateOf(found), expected)) throw staleFile(path, 'changed on disk');
}

function alreadyThere(path: string): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `${path} exists already. Nothing was written.`,
    hint: 'Edit it, or say that it may be overwritten.',
  });
}

export function staleFile(path: string, what: string): FettleError {
  return new FettleError({
    code: 'STALE',
    message: `${path} ${what} since it was read. Nothing was written.`,
    hint: 'Read it again, then repeat the change on what is there now.',
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
