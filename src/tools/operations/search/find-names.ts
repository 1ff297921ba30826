import * as z from 'zod/mini';
import {assertStillReal} from '../../../exec/directory-handle.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation} from '../../operation.ts';
import {requireExisting} from '../fs/existing-path.ts';
import {readSubjectsOf, resolvePath, shownPath} from '../fs/path-subjects.ts';
import {walkEntries} from '../fs/walk-entries.ts';

const args = z.object({
  path: z.string(),
  /** Part of the name of an entry, case-sensitive. */
  part: z.string(),
  /** The number of levels to search; undefined: all. */
  maxDepth: z.optional(z.number()),
  limit: z.number(),
});

const result = z.object({
  /** Files and folders: relative to the workspace, absolute outside. */
  paths: z.array(z.string()),
  truncated: z.boolean(),
});

export type FindNamesArgs = z.infer<typeof args>;
export type FindNamesResult = z.infer<typeof result>;

/** Finds files and folders by a part of their name, also hidden and ignored ones; `.git` is never searched, and links are not followed. */
export const findNames: Operation<FindNamesArgs, FindNamesResult> = {
  id: 'find.name',
  permission: 'glob',
  args,
  result,
  sideEffect: 'read',
  async resolve({path, ...asked}, resolving) {
    const resolved = await resolvePath(path, resolving, 'read');
    return {subjects: readSubjectsOf(resolved, resolving), run: async (ctx) => await find(resolved, asked, ctx)};
  },
};

async function find(
  resolved: ResolvedPath,
  {part, maxDepth = Infinity, limit}: Omit<FindNamesArgs, 'path'>,
  ctx: ToolContext,
): Promise<FindNamesResult> {
  await requireExisting(resolved);
  assertStillReal(resolved.path);
  const shown = shownPath(resolved);
  const found: string[] = [];
  const walk = {folder: resolved.path, depth: maxDepth, skip: NOTHING, ignoreFiles: false, hidden: true};
  for await (const entry of walkEntries(walk, ctx.signal)) {
    if (entry.name.includes(part)) found.push(shown === '.' ? entry.path : `${shown}/${entry.path}`);
    if (found.length > limit) break;
  }
  return {paths: found.slice(0, limit), truncated: found.length > limit};
}

const NOTHING: ReadonlySet<string> = new Set();
