import {access, constants, stat} from 'node:fs/promises';
import {isAbsolute, resolve} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import type {Io} from '../io.ts';

/** The folder to work in, absolute. Throws USAGE if there is none: neither a deleted working folder nor a misspelt `-C` starts anything. */
export async function existingFolder({cwd}: Io, named: string | undefined): Promise<string> {
  const hint = 'Change to a folder that exists, or name one: fettle -C FOLDER …';
  const isRelative = named === undefined || !isAbsolute(named);
  if (cwd === '' && isRelative) throw new FettleError({code: 'USAGE', message: 'The working folder was deleted.', hint});
  const folder = resolve(cwd === '' ? '/' : cwd, named ?? '.');
  const found = await stat(folder).catch((cause: unknown) => {
    throw new FettleError({code: 'USAGE', message: `${folder} does not exist.`, hint, cause});
  });
  if (!found.isDirectory()) throw new FettleError({code: 'USAGE', message: `${folder} is not a folder.`, hint});
  await access(folder, constants.X_OK).catch((cause: unknown) => {
    throw new FettleError({code: 'USAGE', message: `${folder} cannot be entered.`, hint, cause});
  });
  return folder;
}
