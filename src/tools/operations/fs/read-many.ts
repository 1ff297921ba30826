import {stat} from 'node:fs/promises';
import * as z from 'zod/mini';
import {FettleError, isFettleError, toFettleError} from '../../../base/errors.ts';
import type {Subject} from '../../../policy/decision.ts';
import {readLineRange} from '../../../workspace/read-line-range.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation} from '../../operation.ts';
import {requireExisting} from './existing-path.ts';
import {selectFiles, type FileSelection, type SelectedFiles} from './file-selection.ts';
import {readSubjectsOf, resolvePath, shownPath} from './path-subjects.ts';

const args = z.object({
  /** Globs below the workspace, or paths of files, which are read even if they are ignored. */
  patterns: z.array(z.string()),
  dialect: z.enum(['gitignore', 'bash']),
  /** Lines of a gitignore: matching files are left out. */
  exclude: z.array(z.string()),
  maxFiles: z.number(),
  /** A larger file is cut to the first lines that fit, and a longer line to the whole characters that fit. */
  maxBytesPerFile: z.number(),
  /** Each line as `N: text`. */
  lineNumbers: z.boolean(),
});

const readFile = z.object({
  path: z.string(),
  truncated: z.boolean(),
  content: z.string(),
  /** Lines and bytes of the content, without line numbers. */
  lineCount: z.number(),
  byteCount: z.number(),
  /** Bytes on disk. */
  originalByteCount: z.number(),
});

const result = z.object({
  /** In the order of their paths. */
  files: z.array(z.union([readFile, z.object({path: z.string(), error: z.string()})])),
  summary: z.object({
    matched: z.number(),
    returned: z.number(),
    truncatedFiles: z.number(),
    /** Files that match, but exceed the limit of files. */
    skipped: z.number(),
    failed: z.number(),
    /** Patterns that select nothing. */
    unmatched: z.array(z.string()),
    elapsedMs: z.number(),
  }),
});

export type ReadManyArgs = z.infer<typeof args>;
export type ReadManyResult = z.infer<typeof result>;

/**
 * Reads the files that patterns select, each up to a limit ("zblade tool calls › read_many_files"). An
 * unreadable file is reported beside the others. Throws NOT_FOUND if nothing is selected, and the error of the
 * first file if none can be read.
 */
export const readMany: Operation<ReadManyArgs, ReadManyResult> = {
  id: 'fs.read-many',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  async resolve(asked, resolving) {
    const began = performance.now();
    const selected = await selectFiles(selectionOf(asked), resolving);
    const places = await Promise.all(selected.paths.map((path) => placeOf(path, resolving)));
    return {
      subjects: places.flatMap(({subjects}) => subjects),
      run: async (ctx) => await readAll({selected, places, began}, asked, ctx),
    };
  },
};

interface Selection {
  readonly selected: SelectedFiles;
  readonly places: readonly Place[];
  readonly began: number;
}

async function readAll({selected, places, began}: Selection, asked: ReadManyArgs, ctx: ToolContext): Promise<ReadManyResult> {
  const {matched, unmatched} = selected;
  if (matched === 0) throw nothingSelected(asked.patterns);
  const files: ReadManyResult['files'] = [];
  const errors: FettleError[] = [];
  for (const {path, resolved} of places) {
    try {
      files.push(await readOne(resolved, asked, ctx));
    } catch (thrown) {
      const error = toFettleError(thrown);
      if (error.code === 'CANCELLED') throw error;
      errors.push(error);
      files.push({path, error: error.message});
    }
  }
  const [firstError] = errors;
  if (firstError !== undefined && errors.length === files.length) throw firstError;
  const summary = {
    matched,
    returned: files.length - errors.length,
    truncatedFiles: files.filter((file) => 'truncated' in file && file.truncated).length,
    skipped: matched - files.length,
    failed: errors.length,
    unmatched: [...unmatched],
    elapsedMs: Math.round(performance.now() - began),
  };
  return {files, summary};
}

function selectionOf({patterns, dialect, exclude, maxFiles}: ReadManyArgs): FileSelection {
  return {patterns, dialect, exclude, limit: maxFiles};
}

interface Place {
  readonly path: string;
  readonly resolved: ResolvedPath | FettleError;
  readonly subjects: readonly Subject[];
}

/** A link that leads out of the scope is not read: its error is reported beside the other files. */
async function placeOf(path: string, ctx: ToolContext): Promise<Place> {
  try {
    const resolved = await resolvePath(path, ctx, 'read');
    return {path, resolved, subjects: readSubjectsOf(resolved, ctx)};
  } catch (error) {
    if (isFettleError(error) && error.code === 'OUTSIDE_SCOPE') return {path, resolved: error, subjects: []};
    throw error;
  }
}

async function readOne(
  resolved: Place['resolved'],
  {maxBytesPerFile, lineNumbers}: ReadManyArgs,
  ctx: ToolContext,
): Promise<z.infer<typeof readFile>> {
  if (isFettleError(resolved)) throw resolved;
  await requireExisting(resolved);
  const limits = {firstLine: 1, maxLines: Infinity, maxBytes: maxBytesPerFile};
  const {lines, truncated, lastLineCut, state} = await readLineRange(resolved.path, limits, ctx.signal);
  ctx.files.note(resolved.path, state);
  const shown = lineNumbers ? lines.map((line, index) => `${index + 1}: ${line}`) : lines;
  return {
    path: shownPath(resolved),
    truncated: truncated || lastLineCut,
    content: shown.join('\n'),
    lineCount: lines.length,
    byteCount: Buffer.byteLength(lines.join('\n')),
    originalByteCount: (await stat(resolved.path)).size,
  };
}

function nothingSelected(patterns: readonly string[]): FettleError {
  return new FettleError({
    code: 'NOT_FOUND',
    message: `No file matches ${patterns.join(', ') || 'no pattern'} after the filters.`,
    hint: 'List the folder, or try a wider glob; ignored and hidden files are read only by their own path.',
  });
}
