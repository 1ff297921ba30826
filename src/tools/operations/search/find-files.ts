import * as z from 'zod/mini';
import {requireValidGlob} from '../../../search/glob/valid-glob.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation} from '../../operation.ts';
import {patternSubjectsOf, resolvePath} from '../fs/path-subjects.ts';
import {pathGlob} from './path-glob.ts';
import {patternBelow, searchRoot} from './search-root.ts';

const args = z.object({
  /** The folder to search. */
  path: z.string(),
  pattern: z.string(),
  /** crossing: `*` also crosses folders; matched against the path from the folder searched ("zblade tool calls › find_files_glob"). */
  dialect: z.enum(['gitignore', 'bash', 'crossing']),
  order: z.enum(['path', 'newest']),
  limit: z.number(),
  hidden: z.boolean(),
  /** True if .gitignore applies. Default: yes. */
  ignoreFiles: z.optional(z.boolean()),
  /** Only for the dialect `crossing`. Default: case-sensitive. */
  caseInsensitive: z.optional(z.boolean()),
});

const result = z.object({
  /** Paths that a model can pass to other tools: relative to the workspace, absolute outside. */
  paths: z.array(z.string()),
  truncated: z.boolean(),
});

export type FindFilesArgs = z.infer<typeof args>;
export type FindFilesResult = z.infer<typeof result>;

/** Finds files below a folder by a pattern of their paths; `.git` is never listed. */
export const findFilesOperation: Operation<FindFilesArgs, FindFilesResult> = {
  id: 'find.glob',
  permission: 'glob',
  args,
  result,
  sideEffect: 'read',
  async resolve({path, ...asked}, resolving) {
    const resolved = await resolvePath(path, resolving, 'read');
    const subjects = await patternSubjectsOf(resolved, {path, pattern: asked.pattern}, resolving);
    return {subjects, run: async (ctx) => await find(resolved, asked, ctx)};
  },
};

async function find(
  resolved: ResolvedPath,
  {pattern, dialect, order, limit, hidden, ignoreFiles = true, caseInsensitive = false}: Omit<FindFilesArgs, 'path'>,
  ctx: ToolContext,
): Promise<FindFilesResult> {
  const root = await searchRoot(resolved);
  const own = dialect === 'bash' ? pattern : patternBelow(pattern, root.path);
  // A listing is git's own, as that of `listFolder`; what .ignore and .rgignore say is for a search of texts.
  const query = {root: root.path, order, hidden, ignoreFiles, toolIgnoreFiles: false, requireGit: false} as const;
  const {paths, truncated} =
    dialect === 'crossing'
      ? cutTo(
          limit,
          (await ctx.search.files({...query, limit: Infinity}, ctx.signal)).paths.filter(pathGlob(own, {caseSensitive: !caseInsensitive})),
        )
      : await ctx.search.files({...query, limit, match: {dialect, pattern: own}}, ctx.signal);
  if (paths.length === 0) requireValidGlob(pattern);
  return {paths: paths.map(root.shown), truncated};
}

function cutTo(limit: number, paths: readonly string[]): {readonly paths: readonly string[]; readonly truncated: boolean} {
  return {paths: paths.slice(0, limit), truncated: paths.length > limit};
}
