import * as z from 'zod/mini';
import {copyEntry} from '../../workspace/copy-entry.ts';
import type {Operation} from '../operation.ts';
import {carriedTo, entryFiles, entrySubjects} from './entry-files.ts';
import {fileChanges} from './file-changes.ts';
import {destinationEntry, existingEntry} from './named-entry.ts';

const args = z.object({
  source: z.string(),
  /** A folder that exists, or a path that ends with `/`: into it, under the same name. */
  destination: z.string(),
});

const result = z.object({
  source: z.string(),
  /** Where the copy is. */
  destination: z.string(),
  /** The same, absolute. */
  file: z.string(),
  changes: fileChanges,
});

export type CopyPathArgs = z.infer<typeof args>;
export type CopyPathResult = z.infer<typeof result>;

/**
 * Copies a file or a whole folder, with modes, links as links ("zblade tool calls › copy_file"). All of it or nothing comes to be there;
 * what is there already is never replaced: BAD_ARGS.
 */
export const copyPath: Operation<CopyPathArgs, CopyPathResult> = {
  id: 'fs.copy',
  permission: 'write',
  args,
  result,
  sideEffect: 'write',
  async subjects({source, destination}, ctx) {
    const from = await existingEntry(source, ctx);
    const to = await destinationEntry(from, destination, ctx);
    const files = await entryFiles(from, ctx);
    const copies = files.map((file) => carriedTo(file, from, to));
    return [...entrySubjects(from, files, false), ...entrySubjects(to, copies, true)];
  },
  async run({source, destination}, ctx) {
    const from = await existingEntry(source, ctx);
    const to = await destinationEntry(from, destination, ctx);
    const files = await entryFiles(from, ctx);
    await copyEntry(from.path, to.path, ctx.signal);
    return {
      source: from.relative,
      destination: to.relative,
      file: to.path,
      changes: files.map((file) => ({path: carriedTo(file, from, to), kind: 'add'})),
    };
  },
};
