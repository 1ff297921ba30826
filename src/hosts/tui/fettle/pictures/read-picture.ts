import {constants} from 'node:fs';
import {open, type FileHandle} from 'node:fs/promises';
import {FettleError, systemErrorCode} from '../../../../base/errors.ts';
import {visibleText} from '../../../../base/visible-text.ts';
import {MOST_PICTURE_BYTES, pictureType, type PictureType} from './picture-type.ts';

export interface Picture {
  readonly bytes: Uint8Array;
  readonly type: PictureType;
}

/**
 * Reads the file of a picture; undefined if the file does not exist. Throws NOT_A_FILE if its first bytes are not those of a picture,
 * TOO_LARGE above 10 MB, and DENIED if it may not be read.
 */
export async function readPicture(path: string): Promise<Picture | undefined> {
  const file = await opened(path);
  if (file === undefined) return undefined;
  try {
    const info = await file.stat();
    if (!info.isFile()) throw refused('NOT_A_FILE', path, 'is not a regular file');
    if (info.size > MOST_PICTURE_BYTES) throw refused('TOO_LARGE', path, `is larger than ${MOST_PICTURE_BYTES / 1_000_000} MB`);
    const bytes = Buffer.alloc(info.size);
    const {bytesRead} = await file.read(bytes, 0, info.size, 0);
    const type = pictureType(bytes.subarray(0, bytesRead));
    if (type === undefined) throw refused('NOT_A_FILE', path, 'is not a PNG, JPEG, GIF or WebP picture');
    return {bytes: bytes.subarray(0, bytesRead), type};
  } finally {
    await file.close();
  }
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    // A pipe by the name of a picture is not waited for.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw refused('DENIED', path, 'cannot be read');
  }
}

function refused(code: 'NOT_A_FILE' | 'TOO_LARGE' | 'DENIED', path: string, why: string): FettleError {
  const message = `${visibleText(path).replaceAll('\n', ' ')} ${why}: the text stays as it was pasted.`;
  return new FettleError({code, message});
}
