import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {visibleText} from '../../../base/visible-text.ts';

/**
 * The branch of the repository that contains a folder, or the beginning of the commit if none is checked out; undefined without a repository.
 * Does not start git.
 */
export function gitBranch(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const head = headIn(at);
    if (head !== undefined) return branchOf(head);
    if (dirname(at) === at) return undefined;
  }
}

/** The text of HEAD: in `.git`, or in the folder that the file `.git` of a worktree or submodule names. */
function headIn(folder: string): string | undefined {
  const own = smallText(join(folder, '.git', 'HEAD'));
  if (own !== undefined) return own;
  const [, place] = /^gitdir: (.+)$/m.exec(smallText(join(folder, '.git')) ?? '') ?? [];
  return place === undefined ? undefined : smallText(resolve(folder, place, 'HEAD'));
}

function branchOf(head: string): string | undefined {
  const [, branch] = /^ref: refs\/heads\/(\S+)\s*$/.exec(head) ?? [];
  if (branch !== undefined) return visibleText(branch).slice(0, MOST_CHARS);
  return /^[0-9a-f]{40}/.exec(head)?.[0].slice(0, 9);
}

const MOST_CHARS = 100;

/** A repository may put a pipe or a device there: neither is waited for. */
function smallText(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(fd).isFile()) return undefined;
    const bytes = Buffer.alloc(1024);
    return bytes.toString('utf8', 0, readSync(fd, bytes));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
