import {constants, type Stats} from 'node:fs';
import {access, lstat} from 'node:fs/promises';
import * as z from 'zod/mini';
import type {Operation} from '../../operation.ts';
import {assertStillReal, pathSwapped} from '../../../exec/directory-handle.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import {requireExisting} from './existing-path.ts';
import {readSubjectsOf, resolvePath, shownPath} from './path-subjects.ts';

const args = z.object({path: z.string()});

const result = z.object({
  path: z.string(),
  /** Absolute. */
  file: z.string(),
  /** Bytes. */
  size: z.number(),
  isDirectory: z.boolean(),
  isFile: z.boolean(),
  /** Whole seconds since 1970. */
  modified: z.number(),
  readonly: z.boolean(),
});

export type PathInfoArgs = z.infer<typeof args>;
export type PathInfoResult = z.infer<typeof result>;

/** Reports the metadata of a file or folder; links are followed ("zblade tool calls › get_file_info"). */
export const pathInfo: Operation<PathInfoArgs, PathInfoResult> = {
  id: 'fs.stat',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  async resolve({path}, ctx) {
    const resolved = await resolvePath(path, ctx, 'read');
    return {subjects: readSubjectsOf(resolved, ctx), run: async () => await infoOf(resolved)};
  },
};

async function infoOf(resolved: ResolvedPath): Promise<PathInfoResult> {
  await requireExisting(resolved);
  // What was judged has no link in it: one that stands there now is not followed.
  assertStillReal(resolved.path);
  const stats = await lstat(resolved.path);
  if (stats.isSymbolicLink()) throw pathSwapped(resolved.path);
  return {
    path: shownPath(resolved),
    file: resolved.path,
    size: stats.size,
    isDirectory: stats.isDirectory(),
    isFile: stats.isFile(),
    modified: Math.floor(stats.mtimeMs / 1000),
    readonly: await isReadonly(resolved.path, stats),
  };
}

/** True without any write bit, or without one for us: root may write everything, but gets the answer of the bits. */
async function isReadonly(path: string, {mode}: Stats): Promise<boolean> {
  if ((mode & 0o222) === 0) return true;
  return access(path, constants.W_OK).then(
    () => false,
    () => true,
  );
}
