import {lstatSync} from 'node:fs';
import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import {pathSwapped} from '../../../exec/directory-handle.ts';
import {deleteEntry} from '../../../workspace/delete-entry.ts';
import {refuseStale} from '../../../workspace/refuse-stale.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation} from '../../operation.ts';
import {entryFiles, entrySubjects, reportedFiles} from './entry-files.ts';
import {fileChanges} from './file-changes.ts';
import {existingEntry, type ExistingEntry} from './named-entry.ts';

const args = z.object({
  path: z.string(),
  /** Needed for a folder, even an empty one. */
  recursive: z.boolean(),
});

const result = z.object({
  path: z.string(),
  /** Absolute. */
  file: z.string(),
  kind: z.enum(['file', 'folder', 'link']),
  changes: fileChanges,
});

export type DeletePathArgs = z.infer<typeof args>;
export type DeletePathResult = z.infer<typeof result>;

/**
 * Deletes a file, a link (never its target) or, on request, a folder; never the workspace itself
 * ("zblade tool calls › delete_file"). Throws STALE if a file in it changed since this thread read it.
 */
export const deletePath: Operation<DeletePathArgs, DeletePathResult> = {
  id: 'fs.delete',
  permission: 'write',
  args,
  result,
  sideEffect: 'write',
  async resolve({path, recursive}, resolving) {
    const entry = await existingEntry(path, resolving);
    const files = await entryFiles(entry, resolving);
    return {subjects: entrySubjects(entry, files, true), run: async (ctx) => await remove({entry, files, recursive}, ctx)};
  },
};

interface Judged {
  readonly entry: ExistingEntry;
  readonly files: readonly string[];
  readonly recursive: boolean;
}

async function remove({entry, files, recursive}: Judged, ctx: ToolContext): Promise<DeletePathResult> {
  const isFolder = entry.stats.isDirectory();
  if (isFolder && !recursive) throw needsRecursive(entry.relative);
  for (const file of files) await refuseStale(file, ctx.files.known(file));
  // A folder in the place of a file that was judged would go with all that is in it.
  if (lstatSync(entry.path, {throwIfNoEntry: false})?.isDirectory() === !isFolder) throw pathSwapped(entry.path);
  await deleteEntry(entry.path, ctx.signal);
  ctx.files.forget(entry.path);
  return {
    path: entry.relative,
    file: entry.path,
    kind: isFolder ? 'folder' : entry.stats.isSymbolicLink() ? 'link' : 'file',
    changes: reportedFiles(entry, files).map((file) => ({path: file, kind: 'delete'})),
  };
}

function needsRecursive(path: string): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `${path} is a folder: it is deleted only with recursive: true. Nothing was changed.`,
    hint: 'List the folder first; then say recursive: true if all of it may go.',
  });
}
