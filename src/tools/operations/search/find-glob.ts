import * as z from 'zod/mini';
import {pathGlob} from './path-glob.ts';
import type {Operation} from '../../operation.ts';
import {requireValidGlob} from '../../../search/glob/valid-glob.ts';
import {patternSubjects} from '../fs/path-subjects.ts';
import {patternBelow, searchRoot} from './search-root.ts';

const args = z.object({
  /** The folder to search. */
  path: z.string(),
  /** `*` also crosses folders; matched against the path from the folder searched. */
  pattern: z.string(),
  caseSensitive: z.boolean(),
  limit: z.number(),
});

const result = z.object({
  /** Ordered by path; relative to the workspace, absolute outside. */
  paths: z.array(z.string()),
  truncated: z.boolean(),
});

export type FindGlobArgs = z.infer<typeof args>;
export type FindGlobResult = z.infer<typeof result>;

/** Finds files by a glob whose `*` crosses folders, also hidden and ignored ones; `.git` is never looked into. */
export const findGlob: Operation<FindGlobArgs, FindGlobResult> = {
  id: 'find.crossing-glob',
  permission: 'glob',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path, pattern}, ctx) => patternSubjects(path, pattern, ctx),
  async run({path, pattern, caseSensitive, limit}, ctx) {
    const root = await searchRoot(path, ctx);
    const matches = pathGlob(patternBelow(pattern, root.path), {caseSensitive});
    const query = {root: root.path, order: 'path', limit: Infinity, hidden: true, ignoreFiles: false, requireGit: false} as const;
    const {paths} = await ctx.search.files(query, ctx.signal);
    const found = paths.filter(matches);
    if (found.length === 0) requireValidGlob(pattern);
    return {paths: found.slice(0, limit).map(root.shown), truncated: found.length > limit};
  },
};
