import {realpath, stat} from 'node:fs/promises';
import {FettleError, toFettleError} from '../base/errors.ts';
import {resolveInWorkspace} from './resolve-path.ts';
import type {Workspace} from './workspace.ts';

/** Opens a workspace. @throws FettleError NOT_FOUND, DENIED; NOT_A_FILE if the root is not a folder. */
export async function openWorkspace(root: string): Promise<Workspace> {
  try {
    const real = await realpath(root);
    if (!(await stat(real)).isDirectory()) throw notAFolder(root);
    return {root: real, resolve: (path, options) => resolveInWorkspace(real, path, options)};
  } catch (error) {
    throw toFettleError(error);
  }
}

function notAFolder(root: string): FettleError {
  return new FettleError({code: 'NOT_A_FILE', message: `${root} is not a folder.`, hint: 'Name the folder to work in.'});
}
