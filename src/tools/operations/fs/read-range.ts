import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import {readLineRange} from '../../../workspace/read-line-range.ts';
import type {Operation} from '../../operation.ts';
import {existingPath} from './existing-path.ts';
import {readSubjects, shownPath} from './path-subjects.ts';

const args = z.object({
  path: z.string(),
  /** 1-based, inclusive. */
  startLine: z.number(),
  /** Inclusive; undefined: to the end of the file. */
  endLine: z.optional(z.number()),
  /** Lines around the range, before and after it. */
  contextLines: z.number(),
  maxBytes: z.number(),
});

const result = z.object({
  path: z.string(),
  lines: z.array(z.string()),
  /** Of the first line given; one past the end of the file where none is. */
  firstLine: z.number(),
  /** null where the end of the file was not reached. */
  totalLines: z.nullable(z.number()),
  /** Lines of the range are missing: they are more than `maxBytes`. */
  truncated: z.boolean(),
});

export type ReadRangeArgs = z.infer<typeof args>;
export type ReadRangeResult = z.infer<typeof result>;

/** Reads the lines from one number to another; a range that lies beyond the file is cut to it, and may be empty. */
export const readRange: Operation<ReadRangeArgs, ReadRangeResult> = {
  id: 'fs.read-range',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path}, ctx) => readSubjects(path, ctx),
  async run({path, startLine, endLine = Infinity, contextLines, maxBytes}, ctx) {
    if (endLine < startLine) {
      throw new FettleError({
        code: 'BAD_ARGS',
        message: `end_line ${endLine} is before start_line ${startLine}.`,
        hint: 'Both are counted from 1, and both lines are read.',
      });
    }
    const resolved = await existingPath(path, ctx, 'read');
    const firstLine = Math.max(1, startLine - contextLines);
    const maxLines = endLine + contextLines - firstLine + 1;
    const read = await readLineRange(resolved.path, {firstLine, maxLines, maxBytes}, ctx.signal);
    ctx.files.note(resolved.path, read.state);
    const {lines, totalLines} = read;
    return {
      path: shownPath(resolved),
      lines,
      firstLine: lines.length === 0 && totalLines !== null ? totalLines + 1 : firstLine,
      totalLines,
      truncated: read.lastLineCut || (read.truncated && lines.length < maxLines),
    };
  },
};
