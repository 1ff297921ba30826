import {isFettleError} from '../../../base/errors.ts';
import {compareCodePoints} from '../../../search/path-order.ts';
import type {PathQuery} from '../../../search/engine.ts';
import {stat} from 'node:fs/promises';
import type {ToolContext} from '../../context.ts';
import {resolvePath, shownPath} from './path-subjects.ts';

export interface FileSelection {
  /** Globs below the workspace, or paths of files. */
  readonly patterns: readonly string[];
  readonly dialect: PathQuery['dialect'];
  /** Lines of a gitignore. */
  readonly exclude: readonly string[];
  readonly limit: number;
}

export interface SelectedFiles {
  /** Paths that a model can pass to other tools, sorted; at most as many as the limit. */
  readonly paths: readonly string[];
  readonly matched: number;
  /** Patterns that select nothing. */
  readonly unmatched: readonly string[];
}

/** Finds the files that match a pattern and are not excluded. Ignored and hidden files are selected only by their own path. */
export async function selectFiles({patterns, dialect, exclude, limit}: FileSelection, ctx: ToolContext): Promise<SelectedFiles> {
  const found = new Set<string>();
  const unmatched: string[] = [];
  for (const pattern of patterns) {
    const named = await namedFile(pattern, ctx);
    const paths = named === undefined ? await filesBelow({dialect, pattern}, namesHidden(pattern), ctx) : [named];
    if (paths.length === 0) unmatched.push(pattern);
    for (const path of paths) found.add(path);
  }
  for (const pattern of exclude) {
    for (const path of await filesBelow({dialect: 'gitignore', pattern}, true, ctx)) found.delete(path);
  }
  const paths = [...found].sort(compareCodePoints);
  return {paths: paths.slice(0, limit), matched: paths.length, unmatched};
}

async function namedFile(pattern: string, ctx: ToolContext): Promise<string | undefined> {
  const resolved = await resolvePath(pattern, ctx, 'read').catch((error: unknown) => {
    if (!isFettleError(error) || error.code !== 'OUTSIDE_SCOPE') throw error;
  });
  // A link that leads outside is selected, too: reading it gives the error for this entry.
  if (resolved === undefined) return /[*?[{]/.test(pattern) ? undefined : pattern;
  return resolved.exists && (await stat(resolved.path)).isFile() ? shownPath(resolved) : undefined;
}

/** True if the pattern names a dot file, so that hidden files are included. */
function namesHidden(pattern: string): boolean {
  return /(?:^|[/{,])\.[^./]/.test(pattern);
}

async function filesBelow(match: PathQuery, hidden: boolean, ctx: ToolContext): Promise<readonly string[]> {
  const {root} = ctx.workspace;
  const rules = {root, hidden, ignoreFiles: true, requireGit: false, order: 'path', limit: Infinity} as const;
  return (await ctx.search.files({...rules, match}, ctx.signal)).paths;
}
