import {readlink, realpath} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {systemErrorCode, toFettleError} from '../base/errors.ts';

export interface RealTarget {
  /** Absolute; the part that exists has no link in it. */
  readonly path: string;
  readonly exists: boolean;
  /** A link on the way leads to something that does not exist. */
  readonly dangling: boolean;
}

/**
 * Resolves an absolute path, following all links. For a missing path, the nearest existing parent decides. @throws FettleError NOT_FOUND
 * for a loop of links, DENIED for a folder that may not be looked into, BAD_ARGS for a path too long.
 */
export async function realTarget(path: string): Promise<RealTarget> {
  return follow(path, 0);
}

/** As many links as Linux follows. */
const MAX_LINKS = 40;

async function follow(path: string, links: number): Promise<RealTarget> {
  const real = await unlessMissing(realpath(path));
  if (real !== undefined) return {path: real, exists: true, dangling: false};
  const parent = await follow(dirname(path), links);
  const here = join(parent.path, basename(path));
  const target = parent.exists ? await linkTarget(here) : undefined;
  if (target === undefined) return {path: here, exists: false, dangling: parent.dangling};
  if (links >= MAX_LINKS) throw toFettleError(Object.assign(new Error(`${path}: too many links`), {code: 'ELOOP'}));
  return {...(await follow(resolve(parent.path, target), links + 1)), dangling: true};
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (systemErrorCode(error) === 'EINVAL') return undefined; // it exists, but is not a link
    return unlessMissing(Promise.reject(error));
  }
}

async function unlessMissing(lookup: Promise<string>): Promise<string | undefined> {
  try {
    return await lookup;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw toFettleError(error);
  }
}
