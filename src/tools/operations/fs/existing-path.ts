import {readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {ToolContext} from '../../context.ts';
import {nearestWord} from '../../../base/nearest-word.ts';
import {resolvePath, shownPath} from './path-subjects.ts';

/** Resolves a path that must name something. Throws NOT_FOUND, naming siblings with nearly the same name. */
export async function existingPath(path: string, ctx: ToolContext, access: 'read' | 'write'): Promise<ResolvedPath> {
  const resolved = await resolvePath(path, ctx, access);
  await requireExisting(resolved);
  return resolved;
}

/** Throws NOT_FOUND where nothing was there when the path was resolved. */
export async function requireExisting(resolved: ResolvedPath): Promise<void> {
  if (resolved.exists) return;
  const path = resolved.requested;
  const nearest = nearestWord(basename(resolved.path), await namesIn(dirname(resolved.path)));
  const hint = nearest === undefined ? 'Find it with glob, or list the folder.' : `Did you mean ${join(dirname(path), nearest)}?`;
  throw new FettleError({code: 'NOT_FOUND', message: `${shownPath(resolved)} does not exist.`, hint});
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // the folder is missing, too
  }
}
