import {constants, type Stats} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import * as z from 'zod/mini';
import type {Operation} from '../../operation.ts';
import {existingPath} from './existing-path.ts';
import {readSubjects, shownPath} from './path-subjects.ts';

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
  subjects: ({path}, ctx) => readSubjects(path, ctx),
  async run({path}, ctx) {
    const resolved = await existingPath(path, ctx, 'read');
    const stats = await stat(resolved.path);
    return {
      path: shownPath(resolved),
      file: resolved.path,
      size: stats.size,
      isDirectory: stats.isDirectory(),
      isFile: stats.isFile(),
      modified: Math.floor(stats.mtimeMs / 1000),
      readonly: await isReadonly(resolved.path, stats),
    };
  },
};

/** True if no write bit is set, or none for this user. root may write everything, but the bits decide here. */
async function isReadonly(path: string, {mode}: Stats): Promise<boolean> {
  if ((mode & 0o222) === 0) return true;
  return access(path, constants.W_OK).then(
    () => false,
    () => true,
  );
}
