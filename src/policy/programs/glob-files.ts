import {posix} from 'node:path';
import type {ListFolder} from '../decision.ts';
import {fittingNames, hasGlob} from '../shell/shell-glob.ts';
import {charge} from '../budget.ts';

/** A file that a glob matches. */
export interface GlobFile {
  /** As the shell names it; absolute. */
  readonly path: string;
  /** With all links followed; '' for a link that leads nowhere. */
  readonly real: string;
}

/**
 * Finds the files that a glob matches now. Undefined if that is unknown: a folder cannot be listed, or is too large.
 * `glob` is absolute and without `.` and `..`; the stars of bash, which stay within one name.
 */
export function globFiles(glob: string, listFolder: ListFolder): readonly GlobFile[] | undefined {
  const parts = glob.split('/').slice(1);
  const first = parts.findIndex(hasGlob);
  if (!glob.startsWith('/') || first === -1) return undefined;
  const start = `/${parts.slice(0, first).join('/')}`;
  let found: readonly GlobFile[] = [{path: start, real: start}];
  for (const [index, part] of parts.slice(first).entries()) {
    if (found.length > MOST_FOLDERS) return undefined;
    const isLast = first + index === parts.length - 1;
    const next: GlobFile[] = [];
    for (const folder of found) {
      const inside = namesIn(folder, {part, isLast, listFolder});
      if (inside === undefined) return undefined;
      next.push(...inside);
    }
    if (next.length > MOST_FILES) return undefined;
    found = next;
  }
  return found;
}

const MOST_FOLDERS = 50;
const MOST_FILES = 1000;
const STEPS_A_FOLDER = 10;

interface Step {
  readonly part: string;
  readonly isLast: boolean;
  readonly listFolder: ListFolder;
}

/** A name that is written out need not be there: who reads it will say so. */
function namesIn(folder: GlobFile, {part, isLast, listFolder}: Step): readonly GlobFile[] | undefined {
  charge(STEPS_A_FOLDER);
  const listed = listFolder(folder.path);
  if (listed === undefined) return undefined;
  const names = hasGlob(part) ? fittingNames(part, listed.names) : listed.names.filter((name) => name === part);
  return names
    .filter((name) => isLast || listed.folders.has(name))
    .map((name) => ({path: posix.join(folder.path, name), real: listed.links.get(name) ?? posix.join(listed.real, name)}));
}
