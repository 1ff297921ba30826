import {stat} from 'node:fs/promises';
import type {ToolContext} from '../../context.ts';
import {existingPath} from '../fs/existing-path.ts';
import {shownPath} from '../fs/path-subjects.ts';

export interface SearchRoot {
  /** Absolute and real. */
  readonly path: string;
  /** Returns a found path in a form that a model can pass to other tools. */
  shown(match: string): string;
}

/** Resolves the root of a search: a folder, or one file. Throws NOT_FOUND if it does not exist. */
export async function searchRoot(path: string, ctx: ToolContext): Promise<SearchRoot> {
  const resolved = await existingPath(path, ctx, 'read');
  const own = shownPath(resolved);
  if ((await stat(resolved.path)).isFile()) return {path: resolved.path, shown: () => own};
  const prefix = own === '.' ? '' : `${own.replace(/\/$/, '')}/`;
  return {path: resolved.path, shown: (match) => prefix + match};
}

/** Rewrites a pattern that contains the searched folder as one below it: `/repo/src/*.ts` in /repo becomes `/src/*.ts`. */
export function patternBelow(pattern: string, root: string): string {
  return pattern.startsWith(`${root}/`) ? pattern.slice(root.length) : pattern;
}
