import {readFile, stat} from 'node:fs/promises';
import {FettleError, systemErrorCode} from '../base/errors.ts';

/** Largest size of a settings file; real ones have a few thousand bytes. */
export const MAX_CONFIG_BYTES = 256 * 1024;
export const TOO_LARGE = 'larger than 256 KB, which no configuration is';

/** The bytes of a configuration file; undefined if there is none. Throws CONFIG if it is not a file, too large, or unreadable. */
export async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    // Asked first: opening a FIFO would wait for its writer.
    const found = await stat(path);
    if (!found.isFile()) throw new FettleError({code: 'CONFIG', message: `${path}: not a regular file`});
    if (found.size > MAX_CONFIG_BYTES)
      throw new FettleError({code: 'CONFIG', message: `${path}: ${TOO_LARGE}`, hint: 'Is it the right file?'});
    return await readFile(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    if (isAbsence(code)) return undefined;
    throw new FettleError({code: 'CONFIG', message: `${path}: cannot be read (${code})`, hint: 'Check its owner and mode.', cause: error});
  }
}

/** True if a regular file exists there; an inaccessible path counts as absent. */
export async function isRegularFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

function isAbsence(code: string): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}
