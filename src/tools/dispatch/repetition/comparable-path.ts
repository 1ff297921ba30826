import {isAbsolute, relative, resolve, sep} from 'node:path';

/** Returns one text for all spellings of a path: from `root` where it lies below it, absolute elsewhere, without `.`, `//` and a slash at the end. */
export function comparablePath(path: string, root: string): string {
  const full = resolve(root, path);
  const below = relative(root, full);
  if (below === '') return '.';
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below) ? full : below;
}
