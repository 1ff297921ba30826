import {lstat} from 'node:fs/promises';
import * as z from 'zod/mini';
import {FettleError, toFettleError} from '../../../base/errors.ts';
import {makeFolders} from '../../../exec/directory-handle.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {Operation} from '../../operation.ts';
import {shownPath} from './path-subjects.ts';

const args = z.object({path: z.string()});

const result = z.object({
  path: z.string(),
  /** Absolute. */
  file: z.string(),
  /** False if the folder existed already. */
  created: z.boolean(),
});

export type MakeFolderArgs = z.infer<typeof args>;
export type MakeFolderResult = z.infer<typeof result>;

/** Makes a folder and those above it ("zblade tool calls › create_directory"). An existing folder is not an error. */
export const makeFolder: Operation<MakeFolderArgs, MakeFolderResult> = {
  id: 'fs.mkdir',
  permission: 'write',
  args,
  result,
  sideEffect: 'write',
  isKeyed: true,
  async resolve({path}, {workspace}) {
    const resolved = await workspace.resolve(path, {scope: 'inside', forWrite: true});
    const {requested, path: real, relative, inside} = resolved;
    return {
      subjects: [{kind: 'path', path: real, relative, inside, write: true, requested}],
      serialKey: real,
      run: async () => await make(resolved),
    };
  },
};

async function make(resolved: ResolvedPath): Promise<MakeFolderResult> {
  if (resolved.exists && !(await lstat(resolved.path)).isDirectory()) throw fileInTheWay(resolved);
  try {
    await makeFolders(resolved.path);
  } catch (error) {
    throw toFettleError(error);
  }
  return {path: shownPath(resolved), file: resolved.path, created: !resolved.exists};
}

function fileInTheWay(resolved: ResolvedPath): FettleError {
  return new FettleError({
    code: 'NOT_A_FILE',
    message: `${shownPath(resolved)} exists and is not a folder.`,
    hint: 'Choose another name.',
  });
}
