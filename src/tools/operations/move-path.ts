import * as z from 'zod/mini';
import {moveEntry} from '../../workspace/move-entry.ts';
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
  /** Where it is now. */
  destination: z.string(),
  /** The same, absolute. */
  file: z.string(),
  changes: fileChanges,
});

export type MovePathArgs = z.infer<typeof args>;
export type MovePathResult = z.infer<typeof result>;

/**
 * Moves or renames a file, link or folder, and makes the folders above ("zblade tool calls › move_file"). What is there already is
 * never replaced: BAD_ARGS.
 */
export const movePath: Operation<MovePathArgs, MovePathResult> = {
  id: 'fs.move',
  permission: 'write',
  args,
  result,
  sideEffect: 'write',
  async subjects({source, destination}, ctx) {
    const from = await existingEntry(source, ctx);
    const to = await destinationEntry(from, destination, ctx);
    const files = await entryFiles(from, ctx);
    const moved = files.map((file) => carriedTo(file, from, to));
    return [...entrySubjects(from, files, true), ...entrySubjects(to, moved, true)];
  },
  async run({source, destination}, ctx) {
    const from = await existingEntry(source, ctx);
    const to = await destinationEntry(from, destination, ctx);
    const files = await entryFiles(from, ctx);
    await moveEntry(from.path, to.path, ctx.signal);
    ctx.files.moved(from.path, to.path);
    return {
      source: from.relative,
      destination: to.relative,
      file: to.path,
      changes: files.flatMap((file) => [
        {path: file, kind: 'delete' as const},
        {path: carriedTo(file, from, to), kind: 'add' as const},
      ]),
    };
  },
};
