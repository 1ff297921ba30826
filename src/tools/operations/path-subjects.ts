import {realpath} from 'node:fs/promises';
import {sep} from 'node:path';
import type {Subject} from '../../policy/decision.ts';
import type {ResolvedPath} from '../../workspace/workspace.ts';
import type {ToolContext} from '../context.ts';

/**
 * What permission rules see of a path that is read: the file it really names. It may lie outside the workspace; what that means is for the
 * policy. A kept output of this thread is no subject: the model has been told to read it.
 */
export async function readSubjects(path: string, ctx: ToolContext): Promise<readonly Subject[]> {
  const resolved = await resolvePath(path, ctx, 'read');
  return !resolved.inside && (await isSpooled(resolved.path, ctx)) ? [] : [subject(resolved, false)];
}

/** What permission rules see of a path that is written. */
export async function writeSubjects(path: string, ctx: ToolContext): Promise<readonly Subject[]> {
  return [subject(await resolvePath(path, ctx, 'write'), true)];
}

export function resolvePath(path: string, ctx: ToolContext, access: 'read' | 'write'): Promise<ResolvedPath> {
  return ctx.workspace.resolve(path, {scope: 'any', forWrite: access === 'write'});
}

/** A path as a model can give it back: relative to the workspace, absolute outside of it. */
export function shownPath({path, relative, inside}: ResolvedPath): string {
  if (!inside) return path;
  return relative === '' ? '.' : relative;
}

function subject({requested, path, relative, inside}: ResolvedPath, write: boolean): Subject {
  return {kind: 'path', path, relative, inside, write, requested};
}

async function isSpooled(path: string, {spoolDir}: ToolContext): Promise<boolean> {
  try {
    return path.startsWith(`${await realpath(spoolDir)}${sep}`);
  } catch {
    return false; // nothing has been kept yet
  }
}
