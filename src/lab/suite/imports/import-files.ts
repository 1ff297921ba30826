import {createHash, randomBytes} from 'node:crypto';
import {mkdir, realpath, rename, rm, stat, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {FettleError, systemErrorCode, toFettleError} from '../../../base/errors.ts';

/** A file that is made of a task of another format. */
export interface ImportedFile {
  /** Relative, of plain parts. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isProgram?: boolean | undefined;
}

/**
 * Writes files into a folder below `importsFolder` that is named by their content, and returns it. They are there as a whole or not at all, and
 * written once: the same files have the same folder. Only the owner can read them. @throws FettleError BAD_ARGS, IO
 */
export async function importFiles(importsFolder: string, files: readonly ImportedFile[]): Promise<string> {
  const wrong = files.find(({path}) => !isPlainPath(path));
  if (wrong !== undefined)
    throw new FettleError({code: 'BAD_ARGS', message: `${JSON.stringify(wrong.path)} is not a plain relative path.`});
  try {
    await mkdir(importsFolder, {recursive: true, mode: 0o700});
    const folder = join(await realpath(importsFolder), nameOf(files));
    if (!(await isThere(folder))) await writeNew(folder, files);
    return folder;
  } catch (error) {
    throw toFettleError(error);
  }
}

/** True for a relative path whose parts are names that file systems take: no `..`, no `.git`, no backslash, none of more than 255 bytes. */
export function isPlainPath(path: string): boolean {
  return (
    path.length <= 1000 &&
    path.split('/').every((part) => /^[^\0\\]+$/.test(part) && Buffer.byteLength(part) <= 255 && !/^(?:\.\.?|\.git)$/i.test(part))
  );
}

function nameOf(files: readonly ImportedFile[]): string {
  const hash = createHash('sha256');
  for (const {path, bytes, isProgram = false} of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(JSON.stringify([path, isProgram, bytes.length]));
    hash.update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}

async function isThere(folder: string): Promise<boolean> {
  return await stat(folder).then(
    () => true,
    () => false,
  );
}

async function writeNew(folder: string, files: readonly ImportedFile[]): Promise<void> {
  const temporary = `${folder}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await mkdir(temporary, {mode: 0o700});
    for (const {path, bytes, isProgram = false} of files) {
      await mkdir(dirname(join(temporary, path)), {recursive: true, mode: 0o700});
      await writeFile(join(temporary, path), bytes, {mode: isProgram ? 0o700 : 0o600, flag: 'wx'});
    }
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, {recursive: true, force: true});
    // Somebody else has written the same files meanwhile.
    const code = systemErrorCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}
