import {closeSync, constants, openSync, readSync, statSync} from 'node:fs';
import {stat} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';

/** The data folders of a repository. A linked work tree has a folder of its own and shares the common one. */
export interface GitDirectory {
  /** With the HEAD of this work tree. */
  readonly directory: string;
  readonly commonDirectory: string;
}

/** Finds the repository whose top is this folder, by `.git` as a folder or as a file (work trees, submodules); undefined: none, or a broken one. */
export async function gitDirectoryOf(folder: string): Promise<GitDirectory | undefined> {
  const dotGit = join(folder, '.git');
  const info = await stat(dotGit).catch(() => undefined);
  if (info === undefined) return undefined;
  if (info.isDirectory()) return describe(dotGit);
  const target = /^gitdir: ([^\r\n]+)/.exec(await readSmallFile(dotGit))?.[1];
  return target === undefined ? undefined : describe(resolve(folder, target));
}

/** Finds the nearest folder, this one or above, that is the top of a repository. */
export async function findRepositoryRoot(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await gitDirectoryOf(at)) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** Returns the text of a regular file of modest size; '' for anything else (also FIFOs and devices, which could block or never end). */
export async function readSmallFile(path: string): Promise<string> {
  return (await readSmallBytes(path)).toString('utf8');
}

/**
 * Bytes of a regular file of at most 4 MiB; empty for anything else. Read at once: such files are looked for around each command, and to wait
 * for another thread takes longer than most of them.
 */
export async function readSmallBytes(path: string): Promise<Buffer> {
  try {
    const info = statSync(path, {throwIfNoEntry: false});
    if (info?.isFile() !== true || info.size > MOST_BYTES) return Buffer.alloc(0);
    return readAtMost(path, info.size);
  } catch {
    return Buffer.alloc(0); // unreadable is the same as absent: git goes on as well
  }
}

function readAtMost(path: string, size: number): Buffer {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const buffer = Buffer.alloc(size);
    return buffer.subarray(0, readSync(fd, buffer, 0, size, 0));
  } finally {
    closeSync(fd);
  }
}

const MOST_BYTES = 4 * 1024 * 1024;

async function describe(directory: string): Promise<GitDirectory | undefined> {
  const common = (await readSmallFile(join(directory, 'commondir'))).trim();
  const commonDirectory = common === '' ? directory : resolve(directory, common);
  const parts = [join(directory, 'HEAD'), join(commonDirectory, 'objects'), join(commonDirectory, 'refs')];
  const found = await Promise.all(parts.map((part) => stat(part).catch(() => undefined)));
  return found.includes(undefined) ? undefined : {directory, commonDirectory};
}
