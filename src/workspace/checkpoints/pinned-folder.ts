import {closeSync, constants, mkdirSync, openSync} from 'node:fs';
import {FettleError, systemErrorCode} from '../../base/errors.ts';
import {openDirectory} from '../../exec/directory-handle.ts';
import {pathText, systemPath, type BytePath} from './byte-path.ts';

/**
 * Runs `body` with a name for a folder below the root that stays this very folder: each part of the path was opened in the one before, and none
 * of them is a link, whatever others put there meanwhile (CVE-2026-39861). The names may be any bytes. Missing folders are created.
 * @throws FettleError STALE if a part is a link or not a folder; errors of the system otherwise.
 */
export async function inPinnedFolder<T>(root: string, path: BytePath, body: (place: string) => Promise<T>): Promise<T> {
  await using directory = await openDirectory(root);
  let place = directory.at('.');
  const byDescriptor = place.startsWith(DESCRIPTORS);
  const opened: number[] = [];
  try {
    for (const name of path === '' ? [] : path.split('/')) {
      const fd = openOrMake(place, name, path);
      opened.push(fd);
      place = byDescriptor ? `${DESCRIPTORS}${fd}` : `${place}/${pathText(name)}`;
    }
    await directory.confirm();
    return await body(place);
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** Flags to open an entry of a pinned folder that is neither read nor written: with descriptor paths, its mode does not matter. */
export function lookOnly(place: string): number {
  return place.startsWith(DESCRIPTORS) ? O_PATH : constants.O_RDONLY;
}

/** Only Linux has this flag, and descriptor paths that can be followed further (open(2)). */
const O_PATH = 0o10000000;
const DESCRIPTORS = '/proc/self/fd/';

function openOrMake(place: string, name: string, path: BytePath): number {
  try {
    return openFolder(place, name, path);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    mkdirSync(systemPath(place, name));
    return openFolder(place, name, path);
  }
}

function openFolder(place: string, name: string, path: BytePath): number {
  try {
    return openSync(systemPath(place, name), lookOnly(place) | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== 'ELOOP' && code !== 'ENOTDIR') throw error;
    throw new FettleError({
      code: 'STALE',
      message: `${pathText(path)} is not the folder that it was: a part of it is a link or a file now. Nothing was written there.`,
      hint: 'Check it, and move it away if necessary.',
      cause: error,
    });
  }
}
