import {lstatSync, readFileSync, realpathSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';

export interface LinkedWorktree {
  /** The folder in the repository that belongs to this worktree alone. Real path. */
  readonly own: string;
  /** The folder of the repository. Real path. */
  readonly common: string;
}

/**
 * Finds the repository that the `.git` of a folder leads to (git-worktree(1), "Details"). Undefined unless it leads back, too: a folder that
 * only claims to be a worktree would otherwise get access to another repository. Also undefined if git would read a configuration of the
 * worktree's own.
 */
export function linkedWorktree(root: string): LinkedWorktree | undefined {
  try {
    const [, named] = /^gitdir: ([^\r\n]+)\s*$/.exec(readFileSync(join(root, '.git'), 'utf8')) ?? [];
    if (named === undefined) return undefined;
    const own = resolve(root, named);
    const common = dirname(dirname(own));
    if (join(common, 'worktrees') !== dirname(own) || ![own, common].every(isRealFolder)) return undefined;
    const back = resolve(own, readFileSync(join(own, 'gitdir'), 'utf8').trim());
    const leadsBack = realpathSync(back) === join(root, '.git') && readFileSync(join(own, 'commondir'), 'utf8').trim() === '../..';
    const hasConfig = lstatSync(join(own, 'config.worktree'), {throwIfNoEntry: false}) !== undefined;
    const readsConfig = /worktreeconfig/i.test(readFileSync(join(common, 'config'), 'utf8'));
    return leadsBack && (hasConfig || !readsConfig) ? {own, common} : undefined;
  } catch {
    return undefined;
  }
}

/** A folder whose path has no link in it. */
export function isRealFolder(path: string): boolean {
  try {
    return realpathSync(path) === path && lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
