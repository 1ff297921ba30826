import {readlinkSync, realpathSync} from 'node:fs';
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
 * Resolves an absolute path, following all links. It does not wait: the way through the threads of Node takes longer than the look. For what does not exist the nearest existing parent decides. @throws FettleError NOT_FOUND
 * for a loop of links, DENIED for a folder that may not be looked into, BAD_ARGS for a path too long.
 */
export function realTarget(path: string): RealTarget {
  return follow(path, 0);
}

/** As many links as Linux follows. */
const MAX_LINKS = 40;

function follow(path: string, links: number): RealTarget {
  const real = unlessMissing(() => realpathSync.native(path));
  if (real !== undefined) return {path: real, exists: true, dangling: false};
  const parent = follow(dirname(path), links);
  const here = join(parent.path, basename(path));
  const target = parent.exists ? linkTarget(here) : undefined;
  if (target === undefined) return {path: here, exists: false, dangling: parent.dangling};
  if (links >= MAX_LINKS) throw toFettleError(Object.assign(new Error(`${path}: too many links`), {code: 'ELOOP'}));
  return {...follow(resolve(parent.path, target), links + 1), dangling: true};
}

function linkTarget(path: string): string | undefined {
  return unlessMissing(() => {
    try {
      return readlinkSync(path);
    } catch (error) {
      if (systemErrorCode(error) === 'EINVAL') return undefined; // it exists, but is not a link
      throw error;
    }
  });
}

function unlessMissing(lookup: () => string | undefined): string | undefined {
  try {
    return lookup();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw toFettleError(error);
  }
}
