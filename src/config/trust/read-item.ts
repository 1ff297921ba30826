import {hash} from 'node:crypto';
import {constants} from 'node:fs';
import {open, realpath} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {systemErrorCode} from '../../base/errors.ts';
import type {TrustItem, TrustKind} from './trust-item.ts';

/** An item, or why it can never be one. */
export type ReadItem = {readonly item: TrustItem} | {readonly problem: string};

/** The most bytes of one item. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Reads and digests a file of a project, once. A link is followed if it stays in the project; only regular files are read, and no FIFO is
 * waited for.
 * @param path Relative to the root, with `/`.
 */
export async function readItem(root: string, path: string, kind: TrustKind): Promise<ReadItem> {
  try {
    const real = await realpath(join(root, path));
    const below = relative(root, real);
    if (below === '..' || below.startsWith(`..${sep}`)) return {problem: `${path}: leads out of the project`};
    await using file = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const stats = await file.stat();
    if (!stats.isFile()) return {problem: `${path}: is not a regular file`};
    if (stats.size > MOST_BYTES) return {problem: `${path}: is larger than ${MOST_BYTES / 1024 / 1024} MiB`};
    const buffer = Buffer.alloc(stats.size);
    const {bytesRead} = await file.read(buffer, 0, stats.size, 0);
    return {item: makeItem(path, kind, buffer.subarray(0, bytesRead))};
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code === undefined) throw thrown;
    return {problem: `${path}: cannot be read (${code})`};
  }
}

export function makeItem(path: string, kind: TrustKind, bytes: Uint8Array): TrustItem {
  return {path, kind, digest: hash('sha256', bytes), bytes};
}
