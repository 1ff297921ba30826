import {isAbsolute, relative, resolve, sep} from 'node:path';

/** Returns one text for all forms of a path: relative to `root` if it is below it, absolute elsewhere, without `.`, `//` and a trailing slash. */
export function comparablePath(path: string, root: string): string {
  const full = resolve(root, path);
  const below = relative(root, full);
  if (below === '') return '.';
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below) ? full : below;
}
