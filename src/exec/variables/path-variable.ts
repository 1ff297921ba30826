import {realpathSync} from 'node:fs';
import {delimiter, isAbsolute, join, relative, sep} from 'node:path';

/**
 * `PATH` without entries in these folders: an active virtual environment or `node_modules/.bin` of a workspace
 * contains files that its commands have written, and programs that Fettle starts for itself run outside the
 * sandbox (GHSA-p9g2-cr55-cw9c).
 */
export function pathWithout(path: string, folders: readonly string[]): string {
  const own = [...new Set(folders.flatMap((folder) => [folder, realPath(folder)]))];
  const isOwn = (entry: string): boolean => own.some((folder) => isWithin(folder, entry));
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !isOwn(entry) && !isOwn(realPath(entry)))
    .join(delimiter);
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function isWithin(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** The files that could be meant by the name of a program, in the order of `PATH`. */
export function programsNamed(name: string, path: string): string[] {
  return path.split(delimiter).flatMap((entry) => (isAbsolute(entry) ? [join(entry, name)] : []));
}
