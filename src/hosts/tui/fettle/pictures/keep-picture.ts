import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {systemErrorCode} from '../../../../base/errors.ts';
import type {PictureType} from './picture-type.ts';

/** Writes a picture into the folder of a session, readable by the person alone, as `picture-1.png` and so on. Returns its path. */
export async function keepPicture(bytes: Uint8Array, type: PictureType, folder: string): Promise<string> {
  await mkdir(folder, {recursive: true, mode: 0o700});
  for (let number = 1; ; number += 1) {
    const path = join(folder, `picture-${number}.${type}`);
    try {
      // Nothing that is there is written over, and no link is followed.
      await writeFile(path, bytes, {flag: 'wx', mode: 0o600});
      return path;
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST' || number >= MOST_PICTURES) throw error;
    }
  }
}

/** Limit for one session and format. */
const MOST_PICTURES = 10_000;
