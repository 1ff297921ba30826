import {realpath, stat} from 'node:fs/promises';
import {isAbsolute, relative, resolve, sep} from 'node:path';
import {FettleError, toFettleError} from '../base/errors.ts';
import {realTarget} from './resolve-real-path.ts';
import type {ResolvedPath, ResolveOptions, Workspace} from './workspace.ts';

/** Opens a workspace. @throws FettleError NOT_FOUND, DENIED; NOT_A_FILE if the root is not a folder. */
export async function openWorkspace(root: string): Promise<Workspace> {
  try {
    const real = await realpath(root);
    if (!(await stat(real)).isDirectory()) throw notAFolder(root);
    return {root: real, resolve: (path, options) => resolveIn(real, path, options)};
  } catch (error) {
    throw toFettleError(error);
  }
}

async function resolveIn(root: string, path: string, {scope, forWrite}: ResolveOptions): Promise<ResolvedPath> {
  if (path === '') throw new FettleError({code: 'BAD_ARGS', message: 'The path is empty.', hint: 'Use "." for the workspace.'});
  if (path.includes('\0')) throw new FettleError({code: 'BAD_ARGS', message: 'The path has a NUL character in it.'});
  if (path.length > MAX_PATH_CHARS) {
    const message = `The path has ${path.length} characters; no system takes more than ${MAX_PATH_CHARS}.`;
    throw new FettleError({code: 'BAD_ARGS', message, hint: 'Give the path alone, without other text.'});
  }
  const lexical = resolve(root, path);
  const target = realTarget(lexical);
  const inside = isBelow(root, target.path);
  if (scope === 'inside' && !inside) throw outside(path, target.path, root);
  if (isSystemPath(target.path, root) || isSystemPath(lexical, root)) throw systemPath(path);
  if (forWrite && target.dangling) throw danglingLink(path, target.path);
  const fromRoot = relative(root, target.path).split(sep).join('/');
  return {requested: path, path: target.path, relative: fromRoot, inside, exists: target.exists};
}

const MAX_PATH_CHARS = 4096;

/** Compares names, never prefixes: /repo-evil is not below /repo, /repo/..x is. */
function isBelow(root: string, path: string): boolean {
  const fromRoot = relative(root, path);
  return fromRoot !== '..' && !fromRoot.startsWith(`..${sep}`) && !isAbsolute(fromRoot);
}

/** Kernel file systems: `/proc/self/root` leads everywhere, devices block or never end. A workspace may itself live there. */
function isSystemPath(path: string, root: string): boolean {
  return SYSTEM_FOLDERS.some((folder) => isBelow(folder, path) && !(isBelow(folder, root) && isBelow(root, path)));
}

const SYSTEM_FOLDERS = ['/proc', '/dev', '/sys'];

function outside(path: string, real: string, root: string): FettleError {
  const leads = real === path ? '' : ` (it leads to ${real})`;
  return new FettleError({
    code: 'OUTSIDE_SCOPE',
    message: `${path} is outside of the workspace ${root}${leads}.`,
    hint: 'Use a path in the workspace.',
  });
}

function systemPath(path: string): FettleError {
  return new FettleError({
    code: 'NOT_A_FILE',
    message: `${path} is in a file system of the kernel.`,
    hint: 'Only regular files can be read and written; use a shell command for this.',
  });
}

function danglingLink(path: string, target: string): FettleError {
  return new FettleError({
    code: 'NOT_FOUND',
    message: `${path} is, or leads through, a link to ${target}, which does not exist; writing it would create that.`,
    hint: 'Name the target itself, or remove the link first.',
  });
}

function notAFolder(root: string): FettleError {
  return new FettleError({code: 'NOT_A_FILE', message: `${root} is not a folder.`, hint: 'Name the folder to work in.'});
}
