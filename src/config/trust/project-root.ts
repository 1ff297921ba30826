import {lstat} from 'node:fs/promises';
import {dirname, join, relative, sep} from 'node:path';

export interface ProjectRoot {
  /** The folder to which trust belongs. */
  readonly root: string;
  /** False: it is a home folder, or holds one; it is too wide to be trusted. */
  readonly canBeTrusted: boolean;
}

/**
 * The project of a folder: the nearest folder, this one or above, with an entry `.git`; without one the folder itself. Only its own name counts:
 * references of a `.git` file or a `commondir` to another repository are ignored (CVE-2026-40068). The search ends below the home
 * folder, and a nested repository, work tree or submodule is a project of its own.
 * @param folder Absolute, a real path.
 */
export async function projectRoot(folder: string, home: string): Promise<ProjectRoot> {
  for (let at = folder; !holds(at, home); at = dirname(at)) {
    if (await hasGit(at)) return {root: at, canBeTrusted: true};
    if (dirname(at) === at) break;
  }
  return {root: folder, canBeTrusted: !holds(folder, home) && dirname(folder) !== folder};
}

/** True if the folder is the home folder, or one above it. */
function holds(folder: string, home: string): boolean {
  const below = relative(folder, home);
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`));
}

async function hasGit(folder: string): Promise<boolean> {
  return await lstat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
}
