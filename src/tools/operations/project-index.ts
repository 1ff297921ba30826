import {join} from 'node:path';
import * as z from 'zod/mini';
import {FettleError, isFettleError} from '../../base/errors.ts';
import {readTextFile} from '../../workspace/read-file.ts';
import type {ToolContext} from '../context.ts';
import type {Operation} from '../operation.ts';
import {readSubjects, resolvePath, shownPath} from './path-subjects.ts';

const args = z.object({
  /** The folder whose index is read. */
  path: z.string(),
  /** Characters, counted as a person does it: an emoji is one. */
  offset: z.number(),
  maxChars: z.number(),
});

const result = z.object({
  workspace_root: z.string(),
  index_path: z.string(),
  total_chars: z.number(),
  offset: z.number(),
  end: z.number(),
  returned_chars: z.number(),
  max_chars: z.number(),
  has_more: z.boolean(),
  next_offset: z.nullable(z.number()),
  content: z.string(),
});

export type ProjectIndexArgs = z.infer<typeof args>;
export type ProjectIndexResult = z.infer<typeof result>;

/** A window on the written overview of a project (zblade tool calls › Project Index Tools). UNAVAILABLE where there is none. */
export const projectIndex: Operation<ProjectIndexArgs, ProjectIndexResult> = {
  id: 'index.window',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path}, ctx) => readSubjects(join(path, INDEX_FILE), ctx),
  async run({path, offset, maxChars}, ctx) {
    const folder = await resolvePath(path, ctx, 'read');
    const index = await resolvePath(join(path, INDEX_FILE), ctx, 'read');
    const chars = Array.from(await indexText(index.path, shownPath(index), ctx));
    const start = Math.min(offset, chars.length);
    const end = Math.min(start + maxChars, chars.length);
    return {
      workspace_root: folder.path,
      index_path: shownPath(index),
      total_chars: chars.length,
      offset: start,
      end,
      returned_chars: end - start,
      max_chars: maxChars,
      has_more: end < chars.length,
      next_offset: end < chars.length ? end : null,
      content: chars.slice(start, end).join(''),
    };
  },
};

const INDEX_FILE = '.zblade/context/project_index.md';
/** The previews of an index are bounded; a larger file is none. */
const MAX_BYTES = 16_000_000;

async function indexText(path: string, shown: string, {signal}: ToolContext): Promise<string> {
  try {
    return (await readTextFile(path, {maxBytes: MAX_BYTES}, signal)).text;
  } catch (error) {
    if (!isFettleError(error) || error.code !== 'NOT_FOUND') throw error;
    const hint = 'Look at the project itself: get_workspace_structure, grep_search, read_file.';
    throw new FettleError({code: 'UNAVAILABLE', message: `project index missing: ${shown}`, hint, cause: error});
  }
}
