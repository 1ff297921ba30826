import {stat} from 'node:fs/promises';
import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import {readLineRange} from '../../../workspace/read-line-range.ts';
import type {Operation} from '../../operation.ts';
import {existingPath} from './existing-path.ts';
import {readSubjects, shownPath} from './path-subjects.ts';

const args = z.object({
  path: z.string(),
  /** 1-based. */
  firstLine: z.number(),
  maxLines: z.number(),
  /** No more lines are taken once this many bytes of text are. */
  maxBytes: z.number(),
  /** A larger file is refused; undefined: any size. */
  maxFileBytes: z.optional(z.number()),
});

const result = z.object({
  path: z.string(),
  lines: z.array(z.string()),
  firstLine: z.number(),
  /** null where the end of the file was not reached. */
  totalLines: z.nullable(z.number()),
  /** More follows. */
  truncated: z.boolean(),
  /** The only line shown is the beginning of a longer one. */
  lastLineCut: z.boolean(),
});

export type ReadLinesArgs = z.infer<typeof args>;
export type ReadLinesResult = z.infer<typeof result>;

/** Reads a range of lines of a text file, and remembers the state in which the thread has seen the file. */
export const readLines: Operation<ReadLinesArgs, ReadLinesResult> = {
  id: 'fs.read',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path}, ctx) => readSubjects(path, ctx),
  async run({path, firstLine, maxLines, maxBytes, maxFileBytes}, ctx) {
    const resolved = await existingPath(path, ctx, 'read');
    if (maxFileBytes !== undefined) await refuseLarge(resolved.path, shownPath(resolved), maxFileBytes);
    const range = await readLineRange(resolved.path, {firstLine, maxLines, maxBytes}, ctx.signal);
    const {state, ...lines} = range;
    ctx.files.note(resolved.path, state);
    return {path: shownPath(resolved), ...lines};
  },
};

async function refuseLarge(path: string, shown: string, maxFileBytes: number): Promise<void> {
  const {size} = await stat(path);
  if (size <= maxFileBytes) return;
  throw new FettleError({
    code: 'TOO_LARGE',
    message: `${shown} has ${size} bytes; a file of more than ${maxFileBytes} bytes is not read at once.`,
    hint: 'Read a part of it with offset and limit.',
  });
}
