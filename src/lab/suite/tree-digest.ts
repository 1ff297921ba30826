import {createHash} from 'node:crypto';
import {lstat, readdir, readlink} from 'node:fs/promises';
import {isAbsolute, join, relative, sep} from 'node:path';
import type {Stats} from 'node:fs';
import {realTarget} from '../../workspace/real-target.ts';
import {readFully, throwIfCancelled, withRegularFile} from '../../workspace/open-regular-file.ts';
import {taskProblem} from './task-text.ts';

/** Bounds of one tree; tests set smaller ones. */
export interface TreeLimits {
  readonly entries: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
}

const LIMITS: TreeLimits = {entries: 50_000, fileBytes: 256 * 1024 * 1024, totalBytes: 1024 * 1024 * 1024};

/**
 * Returns the SHA-256 of a file or folder: names, contents, executable bits and links, wherever it stands. A tree that cannot be copied safely
 * is refused: a link that leads out of it, a FIFO, socket or device, more entries or bytes than the limits.
 * @param path - absolute, a real path
 * @throws FettleError CONFIG naming the entry, CANCELLED
 */
export async function treeDigest(path: string, signal: AbortSignal, limits: TreeLimits = LIMITS): Promise<string> {
  const walk: Walk = {root: path, limits, signal, entries: 0, bytes: 0};
  return await entryDigest(walk, path);
}

interface Walk {
  readonly root: string;
  readonly limits: TreeLimits;
  readonly signal: AbortSignal;
  entries: number;
  bytes: number;
}

async function entryDigest(walk: Walk, path: string): Promise<string> {
  throwIfCancelled(walk.signal);
  walk.entries += 1;
  if (walk.entries > walk.limits.entries) throw taskProblem(`${walk.root}: more than ${walk.limits.entries} entries`);
  const stats = await lstat(path).catch((error: unknown) => {
    throw taskProblem(`${path}: cannot be read, or its name is not UTF-8`, error);
  });
  if (stats.isSymbolicLink()) return await linkDigest(walk, path);
  if (stats.isDirectory()) return await folderDigest(walk, path);
  if (stats.isFile()) return await fileDigest(walk, path, stats);
  throw taskProblem(`${path}: a device, socket or FIFO, which a task may not have`);
}

async function folderDigest(walk: Walk, path: string): Promise<string> {
  const names = (await readdir(path)).sort();
  const hash = createHash('sha256').update('folder\0');
  for (const name of names) hash.update(`${name}\0${await entryDigest(walk, join(path, name))}\0`);
  return hash.digest('hex');
}

/** In a copy of the tree a link must lead to the same place of the copy, and nowhere else. */
async function linkDigest({root}: Walk, path: string): Promise<string> {
  const target = await readlink(path);
  if (path === root || isAbsolute(target) || !isBelow(root, realTarget(path).path)) {
    throw taskProblem(`${path}: a link that leads out of ${root} (to ${target})`);
  }
  return createHash('sha256').update(`link\0${target}`).digest('hex');
}

/** Compares names, never prefixes. */
function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function fileDigest(walk: Walk, path: string, {size, mode}: Stats): Promise<string> {
  const {fileBytes, totalBytes} = walk.limits;
  walk.bytes += size;
  if (size > fileBytes) throw taskProblem(`${path}: ${size} bytes, at most ${fileBytes}`);
  if (walk.bytes > totalBytes) throw taskProblem(`${walk.root}: more than ${totalBytes} bytes`);
  const hash = createHash('sha256').update((mode & 0o111) === 0 ? 'file\0' : 'program\0');
  await withRegularFile(path, async (fd) => {
    const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, Math.max(1, size)));
    for (let at = 0; at < size;) {
      throwIfCancelled(walk.signal);
      const read = await readFully(fd, buffer.subarray(0, Math.min(buffer.length, size - at)), at);
      if (read === 0) break;
      hash.update(buffer.subarray(0, read));
      at += read;
    }
  });
  return hash.digest('hex');
}

const CHUNK_BYTES = 1024 * 1024;
