import {closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readlinkSync, type Stats} from 'node:fs';
import {isFettleError, systemErrorCode} from '../../base/errors.ts';
import {hashOf, type BlobStore} from './store/blob-store.ts';
import {parentOf, systemPath, type BytePath} from './byte-path.ts';
import {modeOf, rightsOf, stampOf, type EntryState, type FileEntry} from './entry-state.ts';

export interface Capture {
  /** Absolute. */
  readonly folder: string;
  readonly maxFileBytes: number;
  /** The store for contents; undefined: contents are not stored. */
  readonly keep?: {readonly blobs: BlobStore; readonly durable: boolean} | undefined;
}

/**
 * Captures the state of a path, with its content on request. Links are never followed. Throws the errors of the store if it cannot write.
 */
export async function captureEntry(path: BytePath, capture: Capture): Promise<EntryState> {
  const stats = isReached(path, capture.folder) ? statsOf(path, capture.folder) : undefined;
  return stats === undefined ? null : await captureKnown(path, stats, capture);
}

/** False: a part of the path is a link, or not a folder. Entries beyond a link do not belong to this tree. */
export function isReached(path: BytePath, folder: string): boolean {
  const parent = parentOf(path);
  return parent === '' || (isReached(parent, folder) && statsOf(parent, folder)?.isDirectory() === true);
}

export async function captureKnown(path: BytePath, stats: Stats, capture: Capture): Promise<EntryState> {
  if (stats.isDirectory()) return {kind: 'folder', mode: modeOf(stats)};
  if (stats.isSymbolicLink()) {
    return {kind: 'link', target: readlinkSync(systemPath(capture.folder, path), {encoding: 'latin1'})};
  }
  return stats.isFile() ? await captureFile(path, stats, capture) : {kind: 'other'};
}

/** Returns undefined if the entry does not exist. */
export function statsOf(path: BytePath, folder: string): Stats | undefined {
  try {
    return lstatSync(systemPath(folder, path));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

async function captureFile(path: BytePath, stats: Stats, capture: Capture): Promise<EntryState> {
  const base = fileBase(stats);
  const unknown: FileEntry = {...base, stamp: stampOf(stats)};
  if (stats.size > capture.maxFileBytes) return unknown;
  const read = readRegular(path, capture.folder);
  if (read === undefined) return unknown;
  const {bytes} = read;
  const known = fileBase(read.stats);
  if (capture.keep === undefined) return {...known, size: bytes.length, hash: hashOf(bytes)};
  try {
    return {...known, size: bytes.length, hash: await capture.keep.blobs.put(bytes, capture.keep.durable)};
  } catch (error) {
    if (isFettleError(error) && error.code === 'LIMIT') return unknown;
    throw error;
  }
}

function fileBase(stats: Stats): FileEntry {
  const rights = rightsOf(stats);
  return {
    kind: 'file',
    mode: modeOf(stats),
    size: stats.size,
    ...(stats.nlink > 1 ? {linked: true as const} : {}),
    ...(rights === undefined ? {} : {rights}),
  };
}

/** Returns undefined if the file may not be read, or is no longer a regular file. A pipe in its place does not block. */
function readRegular(path: BytePath, folder: string): {bytes: Buffer; stats: Stats} | undefined {
  let fd: number;
  try {
    fd = openSync(systemPath(folder, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(fd);
    return stats.isFile() ? {bytes: readFileSync(fd), stats} : undefined;
  } finally {
    closeSync(fd);
  }
}
