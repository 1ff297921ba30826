import {closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, realpathSync, statSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {FettleError, systemErrorCode} from '../base/errors.ts';
import {PLATFORM} from './process/platform.ts';

/** A folder that is held open: names are resolved in this very folder, even if its path leads elsewhere meanwhile. */
export interface DirectoryHandle extends AsyncDisposable {
  /** A path for calls of the file system. Its last part is not followed for being named here: the call decides. */
  at(name: string): string;
  /** Checks again that the path still leads to this folder, on systems that cannot name a folder by its descriptor. Throws STALE. */
  confirm(): Promise<void>;
  /** Returns an error of a call with the path that people know in its message. */
  named(thrown: unknown): unknown;
}

export interface OpenDirectoryOptions {
  /** Makes a folder that is missing; absent: ENOENT is thrown as it is. One call for each missing folder. */
  readonly make?: ((path: string) => Promise<unknown>) | undefined;
  /** Called for each folder that was created, the highest first. */
  readonly onMade?: ((path: string) => void) | undefined;
}

/**
 * Holds the folder of a real path. A link anywhere in the path is refused: it was none when the path was judged ("check, then swap",
 * CVE-2026-39861, CVE-2026-21523).
 * @throws FettleError STALE; the errors of the system otherwise.
 */
export async function openDirectory(path: string, options: OpenDirectoryOptions = {}): Promise<DirectoryHandle> {
  try {
    return openAt(path);
  } catch (error) {
    if (options.make === undefined || systemErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
  }
  await using parent = await openDirectory(dirname(path), options);
  await parent.confirm();
  try {
    await options.make(parent.at(basename(path)));
    options.onMade?.(path);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw parent.named(error);
  }
  return openAt(path);
}

/** Makes a folder and those above it, each in the one that was held. True if it was not there before. */
export async function makeFolders(path: string): Promise<boolean> {
  const made: string[] = [];
  await using folder = await openDirectory(path, {make: (at) => mkdir(at), onMade: (one) => made.push(one)});
  await folder.confirm();
  return made.length > 0;
}

/**
 * Verifies that an open file is the one that a real path names, and that no link was on the way.
 * @throws FettleError STALE.
 */
export function assertOpenedAt(fd: number, path: string): void {
  const opened = pathOf(fd);
  if (opened === path) return;
  if (opened !== undefined || !isSame(fd, path)) throw pathSwapped(path);
}

/**
 * Makes sure that no link stands on a real path by now, where what is done with it holds nothing open.
 * @throws FettleError STALE; the errors of the system otherwise.
 */
export function assertStillReal(path: string): void {
  if (realpathSync.native(path) !== path) throw pathSwapped(path);
}

/** For opening a file by its real path: a link at the end is refused (ELOOP), and no FIFO blocks. */
export const NO_LINK = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export function pathSwapped(path: string): FettleError {
  return new FettleError({
    code: 'STALE',
    message: `${path} changed target since it was approved: a part of it was replaced. Nothing was done.`,
    hint: 'List the folder, then call again: the path is checked again.',
  });
}

function openAt(path: string): DirectoryHandle {
  const fd = openFolder(path);
  try {
    assertOpenedAt(fd, path);
    return handleOf(fd, path);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openFolder(path: string): number {
  try {
    return openSync(path, FOLDER);
  } catch (error) {
    const code = systemErrorCode(error);
    // Linux reports a link as ENOTDIR here, others as ELOOP.
    const isLink = (code === 'ENOTDIR' || code === 'ELOOP') && lstatSync(path, {throwIfNoEntry: false})?.isSymbolicLink() === true;
    throw isLink ? pathSwapped(path) : error;
  }
}

/** O_PATH of Linux: a folder may be named without being allowed to list it. */
const O_PATH = 0o10000000;
const IS_LINUX = PLATFORM === 'linux';
const FOLDER = (IS_LINUX ? O_PATH : constants.O_RDONLY) | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

function handleOf(fd: number, path: string): DirectoryHandle {
  const descriptor = pathOf(fd) === undefined ? undefined : `${DESCRIPTORS}${fd}`;
  const place = descriptor ?? path;
  return {
    at: (name) => (descriptor === undefined ? join(path, name) : `${place}/${name}`),
    async confirm() {
      if (descriptor === undefined) assertOpenedAt(fd, path);
    },
    named(thrown) {
      if (descriptor === undefined || !(thrown instanceof Error) || !thrown.message.includes(descriptor)) return thrown;
      const message = thrown.message.replaceAll(descriptor, path);
      return Object.assign(new Error(message, {cause: thrown}), {code: systemErrorCode(thrown)});
    },
    [Symbol.asyncDispose]: async () => closeSync(fd),
  };
}

const DESCRIPTORS = '/proc/self/fd/';

/** Returns the path of a descriptor as the system reports it; undefined if it does not. */
function pathOf(fd: number): string | undefined {
  if (!IS_LINUX) return undefined;
  try {
    return readlinkSync(`${DESCRIPTORS}${fd}`);
  } catch {
    return undefined; // no /proc here
  }
}

function isSame(fd: number, path: string): boolean {
  try {
    const [opened, named] = [fstatSync(fd), statSync(path)];
    return realpathSync.native(path) === path && opened.dev === named.dev && opened.ino === named.ino;
  } catch {
    return false; // gone again
  }
}
