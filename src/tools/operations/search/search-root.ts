import {statSync} from 'node:fs';
import {assertStillReal} from '../../../exec/directory-handle.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import {requireExisting} from '../fs/existing-path.ts';
import {shownPath} from '../fs/path-subjects.ts';

export interface SearchRoot {
  /** Absolute and real. */
  readonly path: string;
  /** Returns a found path in a form that a model can pass to other tools. */
  shown(match: string): string;
}

/** The root of a search: a folder, or one file. Throws NOT_FOUND if nothing is there, STALE where the path leads elsewhere by now. */
export async function searchRoot(resolved: ResolvedPath): Promise<SearchRoot> {
  await requireExisting(resolved);
  assertStillReal(resolved.path);
  const own = shownPath(resolved);
  if (statSync(resolved.path).isFile()) return {path: resolved.path, shown: () => own};
  const prefix = own === '.' ? '' : `${own.replace(/\/$/, '')}/`;
  return {path: resolved.path, shown: (match) => prefix + match};
}

/** Rewrites a pattern that contains the searched folder as one below it: `/repo/src/*.ts` in /repo becomes `/src/*.ts`. */
export function patternBelow(pattern: string, root: string): string {
  return pattern.startsWith(`${root}/`) ? pattern.slice(root.length) : pattern;
}
