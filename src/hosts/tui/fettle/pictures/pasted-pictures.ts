import {realpath} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {keepPicture} from './keep-picture.ts';
import {readPicture} from './read-picture.ts';

export interface PicturePlace {
  /** The folder that is worked in. */
  readonly root: string;
  readonly home: string;
  /** The folder of the session, where pictures stay as long as it does; made when needed. */
  readonly folder: string;
}

/**
 * Makes pasted paths of pictures into paths that last: relative ones in the workspace, copies in the folder of the session for those outside of it.
 * Undefined if one of the files does not exist: then the paste is just a text. Throws what `readPicture` throws.
 */
export async function pastedPictures(
  paths: readonly string[],
  place: PicturePlace,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const root = await realpath(place.root);
  const read: (() => Promise<string>)[] = [];
  for (const pasted of paths) {
    const path = pasted.startsWith('~/') ? join(place.home, pasted.slice(2)) : pasted;
    const picture = await readPicture(path);
    if (picture === undefined || signal.aborted) return undefined;
    // By its real path: a link in the workspace may lead out of it, and its target may be removed.
    const real = await realpath(path);
    const inside = real.startsWith(root + sep) ? relative(root, real) : undefined;
    read.push(async () => inside ?? (await keepPicture(picture.bytes, picture.type, place.folder)));
  }
  // Nothing is copied before all of them are known to be pictures.
  const kept: string[] = [];
  for (const keep of read) kept.push(await keep());
  return kept;
}
