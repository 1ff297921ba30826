import {lstat} from 'node:fs/promises';
import type {ToolContext} from '../context.ts';
import {resolvePath} from '../operations/fs/path-subjects.ts';
import type {FileChange} from '../toolset.ts';
import type {CustomSubject} from './define-custom-tool.ts';

/**
 * Watches the files that a call announced to write, for events, verifiers and hosts. Call this before the call,
 * and the returned function after it.
 */
export async function watchWrites(subjects: readonly CustomSubject[], ctx: ToolContext): Promise<() => Promise<FileChange[]>> {
  const written = subjects.flatMap((subject) => ('path' in subject && subject.write === true ? [subject.path] : []));
  const before = await Promise.all(written.map(async (path) => await resolvePath(path, ctx, 'write')));
  return async () => {
    const after = await Promise.all(before.map(async ({path}) => await isThere(path)));
    return before.flatMap(({path, exists: existed}, index): FileChange[] => {
      const exists = after[index] === true;
      if (!existed && !exists) return [];
      return [{path, kind: existed ? (exists ? 'update' : 'delete') : 'add'}];
    });
  };
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
