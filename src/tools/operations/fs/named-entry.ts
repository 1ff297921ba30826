import type {Stats} from 'node:fs';
import {lstat} from 'node:fs/promises';
import {basename, dirname, join, relative, resolve, sep} from 'node:path';
import {FettleError, systemErrorCode, toFettleError} from '../../../base/errors.ts';
import type {Subject} from '../../../policy/decision.ts';
import type {ToolContext} from '../../context.ts';

/** The entry that a path names: a link at its end means the link itself, not its target. */
export interface NamedEntry {
  readonly requested: string;
  /** Absolute; the parent folder is a real path. */
  readonly path: string;
  /** Relative to the workspace, with `/`. */
  readonly relative: string;
  /** undefined: the entry does not exist. */
  readonly stats: Stats | undefined;
}

export type ExistingEntry = NamedEntry & {readonly stats: Stats};

/**
 * Resolves an entry that is deleted, moved or copied as it is. Always in the workspace, and never the workspace itself.
 * @throws FettleError OUTSIDE_SCOPE, BAD_ARGS.
 */
export async function namedEntry(path: string, ctx: ToolContext): Promise<NamedEntry> {
  const {workspace} = ctx;
  if (path === '' || path.includes('\0')) await workspace.resolve(path, INSIDE);
  const lexical = resolve(workspace.root, path);
  if (lexical === workspace.root) throw workspaceItself(path);
  const folder = await workspace.resolve(dirname(lexical), INSIDE);
  return entryAt(join(folder.path, basename(lexical)), path, ctx);
}

/** @throws FettleError NOT_FOUND if nothing is there. */
export async function existingEntry(path: string, ctx: ToolContext): Promise<ExistingEntry> {
  const entry = await namedEntry(path, ctx);
  const {stats} = entry;
  if (stats !== undefined) return {...entry, stats};
  throw new FettleError({code: 'NOT_FOUND', message: `${entry.relative} does not exist.`, hint: 'Find it with glob, or list the folder.'});
}

/**
 * Resolves the destination of a source: the path itself, or, if it is a folder or ends with `/`, the name of the
 * source in that folder, as for `mv` and `cp`. @throws FettleError BAD_ARGS if the destination exists, or if a
 * folder would go into itself.
 */
export async function destinationEntry(source: NamedEntry, destination: string, ctx: ToolContext): Promise<NamedEntry> {
  const target = await placeOf(source, destination, ctx);
  if (target.path === source.path || target.path.startsWith(source.path + sep)) {
    throw new FettleError({
      code: 'BAD_ARGS',
      message: `${source.relative} cannot go to ${target.relative}: that is the same path, or inside it.`,
      hint: 'Name another destination.',
    });
  }
  if (target.stats === undefined) return target;
  throw new FettleError({
    code: 'BAD_ARGS',
    message: `${target.relative} already exists. Nothing was changed.`,
    hint: 'Choose another name, or delete it first if it is not needed.',
  });
}

export function entrySubject({requested, path, relative}: Omit<NamedEntry, 'stats'>, write: boolean): Subject {
  return {kind: 'path', path, relative, inside: true, write, requested};
}

async function placeOf(source: NamedEntry, destination: string, ctx: ToolContext): Promise<NamedEntry> {
  const followed = await ctx.workspace.resolve(destination, {...INSIDE, forWrite: false});
  const intoFolder = /[/\\]$/.test(destination) || (followed.exists && (await lstat(followed.path)).isDirectory());
  return intoFolder ? entryAt(join(followed.path, basename(source.path)), destination, ctx) : namedEntry(destination, ctx);
}

async function entryAt(path: string, requested: string, {workspace}: ToolContext): Promise<NamedEntry> {
  return {requested, path, relative: relative(workspace.root, path).split(sep).join('/'), stats: await statsOf(path)};
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw toFettleError(error);
  }
}

const INSIDE = {scope: 'inside', forWrite: true} as const;

function workspaceItself(path: string): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `${path} is the workspace itself.`,
    hint: 'Name a file or folder in it.',
  });
}
