import {basename, join} from 'node:path';
import * as z from 'zod/mini';
import {FettleError, isFettleError} from '../../../base/errors.ts';
import {readTextFile} from '../../../workspace/read-file.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {ToolContext} from '../../context.ts';
import {plainOperation} from '../../operation.ts';
import {indexedCode} from './indexed-code.ts';
import {readSubjects, resolvePath, shownPath} from '../fs/path-subjects.ts';

const args = z.object({
  /** The folder whose overview is read. */
  path: z.string(),
  /** Characters, counted as a person does it: an emoji is one. */
  offset: z.number(),
  maxChars: z.number(),
});

const result = z.object({
  workspace_root: z.string(),
  /** The stored overview; null if there is none. */
  index_path: z.nullable(z.string()),
  /** Source of the text: the index of symbols, the stored file, or one after the other. */
  source: z.enum(['semantic_index', 'file', 'semantic_index+file']),
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

/**
 * A window on the overview of a project (zblade tool calls › Project Index Tools): "the local artifact, or a semantic overview generated
 * by the local language service when available"; here the generated one first, then what is stored. UNAVAILABLE if there is neither.
 */
export const projectIndex = plainOperation<ProjectIndexArgs, ProjectIndexResult>({
  id: 'index.window',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  async subjects({path}, ctx) {
    return (await Promise.all(STORED.map((file) => readSubjects(join(path, file), ctx)))).flat();
  },
  async run({path, offset, maxChars}, ctx) {
    const folder = await resolvePath(path, ctx, 'read');
    const [generated, stored] = [await generatedText(folder, ctx), await storedText(path, ctx)];
    const texts = [generated, stored?.text].filter((text) => text !== undefined);
    if (texts.length === 0) throw missing(join(path, STORED[0]));
    const chars = Array.from(texts.join('\n'));
    const start = Math.min(offset, chars.length);
    const end = Math.min(start + maxChars, chars.length);
    return {
      workspace_root: folder.path,
      index_path: stored?.path ?? null,
      source: sourceOf(generated, stored?.text),
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
});

/** Ours, and where the editor of the seed keeps it. */
const STORED = ['.fettle/context/project_index.md', '.zblade/context/project_index.md'] as const;
/** The previews of an index are bounded; a larger file is none. */
const MAX_BYTES = 16_000_000;

function sourceOf(generated: string | undefined, stored: string | undefined): ProjectIndexResult['source'] {
  if (generated === undefined) return 'file';
  return stored === undefined ? 'semantic_index' : 'semantic_index+file';
}

async function generatedText({path, relative, inside}: ResolvedPath, ctx: ToolContext): Promise<string | undefined> {
  if (ctx.code === undefined || !inside) return undefined;
  const {graph} = await indexedCode(ctx);
  const {projectOverview} = await import('../../../code/overview/project-overview.ts');
  const below = relative === '' || relative === '.' ? undefined : relative;
  return await projectOverview(graph, {name: basename(below === undefined ? path : ctx.workspace.root), below}, ctx.signal);
}

async function storedText(path: string, ctx: ToolContext): Promise<{readonly path: string; readonly text: string} | undefined> {
  for (const file of STORED) {
    const resolved = await resolvePath(join(path, file), ctx, 'read');
    try {
      const {text} = await readTextFile(resolved.path, {maxBytes: MAX_BYTES}, ctx.signal);
      return {path: shownPath(resolved), text};
    } catch (error) {
      if (!isFettleError(error) || error.code !== 'NOT_FOUND') throw error;
    }
  }
  return undefined;
}

function missing(shown: string): FettleError {
  const hint = 'Look at the project itself: get_workspace_structure, grep_search, read_file.';
  return new FettleError({code: 'UNAVAILABLE', message: `project index missing: ${shown}`, hint});
}
