import {lstatSync, realpathSync} from 'node:fs';
import {isAbsolute, join, sep} from 'node:path';
import type {Subject} from '../../../policy/decision.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {ToolContext} from '../../context.ts';

/**
 * Returns the permission subjects of a path to read: its real path. It may be outside the workspace; the policy
 * decides on that. A saved output of this thread is not a subject: results ask the model to read it.
 */
export async function readSubjects(path: string, ctx: ToolContext): Promise<readonly Subject[]> {
  return readSubjectsOf(await resolvePath(path, ctx, 'read'), ctx);
}

/** The same for a path that is resolved. */
export function readSubjectsOf(resolved: ResolvedPath, ctx: ToolContext): readonly Subject[] {
  return !resolved.inside && isSpooled(resolved.path, ctx) ? [] : [subject(resolved, false)];
}

/** Returns the permission subjects of a search below a folder: the folder, and, if the pattern leads out of it, its target. */
export async function patternSubjects(path: string, pattern: string, ctx: ToolContext): Promise<readonly Subject[]> {
  return await patternSubjectsOf(await resolvePath(path, ctx, 'read'), {path, pattern}, ctx);
}

/** The same for a folder that is resolved. */
export async function patternSubjectsOf(
  resolved: ResolvedPath,
  {path, pattern}: {readonly path: string; readonly pattern: string},
  ctx: ToolContext,
): Promise<readonly Subject[]> {
  const below = readSubjectsOf(resolved, ctx);
  const base = leadsTo(pattern);
  return base === undefined ? below : [...below, ...(await readSubjects(isAbsolute(base) ? base : join(path, base), ctx))];
}

/** Returns the folder that a pattern names before its first wildcard, if it is absolute or goes up: `/etc/*`, `../**`, `{..,src}/*`. */
function leadsTo(pattern: string): string | undefined {
  const plain = pattern.replace(/^!/, '');
  const goesUp = /(?:^|[/{,(|])\.\.(?=[/},)|]|$)/.test(plain);
  if (!goesUp && !isAbsolute(plain) && !plain.startsWith('~')) return undefined;
  const literal = /^[^*?[\]{}()!|\\]*/.exec(plain)?.[0] ?? '';
  const folder = literal.slice(0, literal.lastIndexOf('/') + 1);
  if (isAbsolute(plain) || plain.startsWith('~')) return folder === '' ? '/' : folder;
  // If `..` follows a variable, it is unknown how far it leads: at least outside.
  return folder.includes('..') ? folder : '../'.repeat(plain.split('..').length - 1 + folder.split('/').length);
}

/** Returns the permission subjects of a path to write. */
export async function writeSubjects(path: string, ctx: ToolContext): Promise<readonly Subject[]> {
  return [writeSubject(await resolvePath(path, ctx, 'write'))];
}

export function resolvePath(path: string, ctx: ToolContext, access: 'read' | 'write'): Promise<ResolvedPath> {
  return ctx.workspace.resolve(path, {scope: 'any', forWrite: access === 'write'});
}

/** Returns a path in a form that a model can use again: relative to the workspace, absolute outside of it. */
export function shownPath({path, relative, inside}: ResolvedPath): string {
  if (!inside) return path;
  return relative === '' ? '.' : relative;
}

export function writeSubject(resolved: ResolvedPath): Subject {
  const asked = subject(resolved, true);
  return resolved.exists && isHardLinked(resolved.path) ? {...asked, hardLinked: true} : asked;
}

/** True for a file that has a second name, maybe outside of the workspace. */
function isHardLinked(path: string): boolean {
  try {
    const stats = lstatSync(path);
    return stats.isFile() && stats.nlink > 1;
  } catch {
    return false; // it is gone, or nobody may look: opening it says so
  }
}

function subject({requested, path, relative, inside}: ResolvedPath, write: boolean): Extract<Subject, {kind: 'path'}> {
  return {kind: 'path', path, relative, inside, write, requested};
}

function isSpooled(path: string, {spoolDir}: ToolContext): boolean {
  try {
    return path.startsWith(`${realpathSync.native(spoolDir)}${sep}`);
  } catch {
    return false; // nothing has been stored yet
  }
}
