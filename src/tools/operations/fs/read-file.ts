import {stat} from 'node:fs/promises';
import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import {displayText} from '../../../text/encoding.ts';
import {splitLines} from '../../../text/line-endings.ts';
import {readTextFile} from '../../../workspace/read-file.ts';
import {readLineRange} from '../../../workspace/read-line-range.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation} from '../../operation.ts';
import {requireExisting} from './existing-path.ts';
import {readSubjectsOf, resolvePath, shownPath} from './path-subjects.ts';

const args = z.object({
  path: z.string(),
  /** 1-based. Default: 1. */
  firstLine: z.optional(z.number()),
  /** Inclusive. Default: the last line of the file. */
  lastLine: z.optional(z.number()),
  /** Most lines to read. Default: all. */
  maxLines: z.optional(z.number()),
  /** Lines around the range, before and after it. Default: 0. */
  contextLines: z.optional(z.number()),
  /** Stops adding lines once the text has this many bytes. */
  maxBytes: z.number(),
  /** A larger file is refused: TOO_LARGE. Default: any size. */
  maxFileBytes: z.optional(z.number()),
  /** True: reads the whole file as one text with its own line endings; TOO_LARGE if it has more than `maxBytes`. */
  whole: z.optional(z.boolean()),
});

const result = z.object({
  path: z.string(),
  /** Absolute. */
  file: z.string(),
  lines: z.array(z.string()),
  firstLine: z.number(),
  /** null if the end of the file was not reached. */
  totalLines: z.nullable(z.number()),
  /** True if more lines follow in the file. */
  truncated: z.boolean(),
  /** True if the only line shown is the beginning of a longer one. */
  lastLineCut: z.boolean(),
  /** The whole file with its line endings, if `whole` was set. */
  content: z.optional(z.string()),
});

export type ReadFileArgs = z.infer<typeof args>;
export type ReadFileResult = z.infer<typeof result>;

/** Reads a text file: a range of its lines, or the whole file. Notes the state in which the thread read it. */
export const readFile: Operation<ReadFileArgs, ReadFileResult> = {
  id: 'fs.read',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  async resolve(asked, resolving) {
    const resolved = await resolvePath(asked.path, resolving, 'read');
    return {subjects: readSubjectsOf(resolved, resolving), run: async (ctx) => await readResolved(resolved, asked, ctx)};
  },
};

async function readResolved(resolved: ResolvedPath, asked: ReadFileArgs, ctx: ToolContext): Promise<ReadFileResult> {
  refuseReversed(asked);
  await requireExisting(resolved);
  const text = await (asked.whole === true ? readAll(resolved, asked, ctx) : readRange(resolved, asked, ctx));
  return {path: shownPath(resolved), file: resolved.path, ...text};
}

function refuseReversed({firstLine = 1, lastLine}: ReadFileArgs): void {
  if (lastLine === undefined || lastLine >= firstLine) return;
  throw new FettleError({
    code: 'BAD_ARGS',
    message: `end_line ${lastLine} is before start_line ${firstLine}.`,
    hint: 'Both are counted from 1, and both lines are read.',
  });
}

type Text = Omit<ReadFileResult, 'path' | 'file'>;

async function readAll({path}: ResolvedPath, {maxBytes}: ReadFileArgs, ctx: ToolContext): Promise<Text> {
  const {text, state} = await readTextFile(path, {maxBytes}, ctx.signal);
  ctx.files.note(path, state);
  const content = displayText(text);
  const lines = splitLines(content);
  return {lines, firstLine: 1, totalLines: lines.length, truncated: false, lastLineCut: false, content};
}

async function readRange(resolved: ResolvedPath, asked: ReadFileArgs, ctx: ToolContext): Promise<Text> {
  const {firstLine: first = 1, lastLine = Infinity, maxLines: most = Infinity, contextLines = 0, maxBytes, maxFileBytes} = asked;
  if (maxFileBytes !== undefined) await refuseLarge(resolved, maxFileBytes);
  const firstLine = contextLines === 0 ? first : Math.max(1, first - contextLines);
  const maxLines = Math.min(most, lastLine + contextLines - firstLine + 1);
  const {state, ...range} = await readLineRange(resolved.path, {firstLine, maxLines, maxBytes}, ctx.signal);
  ctx.files.note(resolved.path, state);
  return range;
}

async function refuseLarge(resolved: ResolvedPath, maxFileBytes: number): Promise<void> {
  const {size} = await stat(resolved.path);
  if (size <= maxFileBytes) return;
  throw new FettleError({
    code: 'TOO_LARGE',
    message: `${shownPath(resolved)} has ${size} bytes; a file of more than ${maxFileBytes} bytes is not read at once.`,
    hint: 'Read a part of it with offset and limit.',
  });
}
