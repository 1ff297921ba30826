import * as z from 'zod/mini';
import {requireValidGlob} from '../../../search/glob/valid-glob.ts';
import type {Operation} from '../../operation.ts';
import {patternSubjects} from '../fs/path-subjects.ts';
import {patternBelow, searchRoot} from './search-root.ts';

const args = z.object({
  /** The folder to search. */
  path: z.string(),
  pattern: z.string(),
  dialect: z.enum(['gitignore', 'bash']),
  order: z.enum(['path', 'newest']),
  limit: z.number(),
  hidden: z.boolean(),
});

const result = z.object({
  /** As a model can give them to other tools: relative to the workspace, absolute outside. */
  paths: z.array(z.string()),
  truncated: z.boolean(),
});

export type FindFilesArgs = z.infer<typeof args>;
export type FindFilesResult = z.infer<typeof result>;

/** Finds files below a folder by a pattern of their paths; ignore files are honoured, `.git` is never listed. */
export const findFiles: Operation<FindFilesArgs, FindFilesResult> = {
  id: 'find.glob',
  permission: 'glob',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path, pattern}, ctx) => patternSubjects(path, pattern, ctx),
  async run({path, pattern, dialect, order, limit, hidden}, ctx) {
    const root = await searchRoot(path, ctx);
    const query = {
      root: root.path,
      match: {dialect, pattern: dialect === 'gitignore' ? patternBelow(pattern, root.path) : pattern},
      order,
      limit,
      hidden,
      ...GIT_RULES,
    };
    const found = await ctx.search.files(query, ctx.signal);
    if (found.paths.length === 0) requireValidGlob(pattern);
    return {paths: found.paths.map(root.shown), truncated: found.truncated};
  },
};

/** A listing is git's own, as that of `listFolder`; what .ignore and .rgignore say is for a search of texts. */
const GIT_RULES = {ignoreFiles: true, toolIgnoreFiles: false, requireGit: false} as const;
