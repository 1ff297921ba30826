import {lstat, readFile, stat} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import * as z from 'zod/mini';
import {assertStillReal} from '../../../exec/directory-handle.ts';
import {parseIgnoreRules} from '../../../workspace/ignore/ignore-rules.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation} from '../../operation.ts';
import {excludedPaths} from './excluded-paths.ts';
import {requireExisting} from './existing-path.ts';
import {readSubjectsOf, resolvePath, shownPath} from './path-subjects.ts';
import {walkEntries, type WalkedEntry} from './walk-entries.ts';

const args = z.object({
  path: z.string(),
  /** The number of levels to list. Default: 1, only direct entries of `path`. */
  depth: z.optional(z.number()),
  /** Entries of a page. */
  limit: z.number(),
  /** 1-based. Default: 1. */
  page: z.optional(z.number()),
  hidden: z.boolean(),
  /** Names of folders that are skipped. */
  skip: z.optional(z.array(z.string())),
  /** Part of a name in any case, or a glob. Default: every name. */
  name: z.optional(z.string()),
  filesOnly: z.optional(z.boolean()),
  /** Default: by path. */
  order: z.optional(z.enum(['path', 'largest'])),
  /** True: each entry has its size and time of change. */
  details: z.optional(z.boolean()),
  /** A file in the root of the workspace with more lines in the syntax of .gitignore; it may be missing. */
  excludeFile: z.optional(z.string()),
});

const entry = z.object({
  /** Relative to the workspace, absolute outside. */
  path: z.string(),
  name: z.string(),
  /** 0: directly in the folder. */
  level: z.number(),
  kind: z.enum(['file', 'directory', 'link']),
  /** True for a link to a folder as well. */
  isFolder: z.boolean(),
  /** Bytes; null if it was not asked for. */
  size: z.nullable(z.number()),
  /** ISO 8601; null if it was not asked for. */
  modified: z.nullable(z.string()),
});

const result = z.object({
  path: z.string(),
  /** Absolute. */
  folder: z.string(),
  /** Each folder before its content, ordered by name, unless `order` says otherwise. */
  entries: z.array(entry),
  page: z.number(),
  /** The number of entries on all pages. */
  total: z.number(),
  /** True if the folder contains more entries than were counted. */
  capped: z.boolean(),
});

export type ListFolderArgs = z.infer<typeof args>;
export type ListFolderResult = z.infer<typeof result>;

/**
 * Lists files and folders, page by page, without reading files ("vtcode architecture › Search Stack Consolidation": list_files remains a
 * discovery/metadata tool). Ignored files are left out, links are not followed.
 */
export const listFolderOperation: Operation<ListFolderArgs, ListFolderResult> = {
  id: 'fs.list',
  permission: 'ls',
  args,
  result,
  sideEffect: 'read',
  async resolve(asked, resolving) {
    const resolved = await resolvePath(asked.path, resolving, 'read');
    return {subjects: readSubjectsOf(resolved, resolving), run: async (ctx) => await list(resolved, asked, ctx)};
  },
};

async function list(resolved: ResolvedPath, asked: ListFolderArgs, ctx: ToolContext): Promise<ListFolderResult> {
  const {page = 1, limit, order} = asked;
  const details = asked.details === true || order === 'largest';
  await requireExisting(resolved);
  assertStillReal(resolved.path);
  const {found, capped} = await foundIn(resolved.path, asked, ctx);
  const ordered = order === 'largest' ? await bySize(resolved.path, found) : found;
  const path = shownPath(resolved);
  const prefix = path === '.' ? '' : `${path.replace(/\/$/, '')}/`;
  const entries = ordered.slice((page - 1) * limit, page * limit).map(async ({kind, name, level, ...walked}) => ({
    path: prefix + walked.path,
    name,
    level,
    kind,
    isFolder: kind === 'directory' || (kind === 'link' && (await leadsToFolder(join(resolved.path, walked.path)))),
    ...(details ? await metadata(join(resolved.path, walked.path)) : {size: null, modified: null}),
  }));
  return {path, folder: resolved.path, entries: await Promise.all(entries), page, total: found.length, capped};
}

/** Enough to say how much there is; a larger tree is not walked to its end. */
const MAX_LOOKED_AT = 20_000;

async function foundIn(folder: string, asked: ListFolderArgs, ctx: ToolContext): Promise<{found: WalkedEntry[]; capped: boolean}> {
  const {depth = 1, hidden, skip = [], filesOnly = false} = asked;
  const excludes = await exclusion(folder, asked.excludeFile, ctx);
  const fits = nameFilter(asked.name);
  const found: WalkedEntry[] = [];
  let lookedAt = 0;
  for await (const each of walkEntries({folder, depth, skip: new Set(skip), ignoreFiles: true, hidden}, ctx.signal)) {
    if (lookedAt >= MAX_LOOKED_AT) return {found, capped: true};
    lookedAt += 1;
    if ((!filesOnly || each.kind === 'file') && fits(each.name, each.kind === 'directory') && !excludes(each)) found.push(each);
  }
  return {found, capped: false};
}

/** Lines of the file are relative to the workspace, whichever folder is listed. */
async function exclusion(
  folder: string,
  file: string | undefined,
  {workspace: {root}}: ToolContext,
): Promise<(entry: WalkedEntry) => boolean> {
  if (file === undefined) return () => false;
  const lines = await readFile(join(root, file), 'utf8').catch(() => '');
  const excluded = excludedPaths(lines.split(/\r?\n/));
  const fromRoot = relative(root, folder).split(sep).join('/');
  const prefix = fromRoot === '' || fromRoot.startsWith('..') ? '' : `${fromRoot}/`;
  return ({path, kind}) => excluded.excludes(`${prefix}${path}${kind === 'directory' ? '/' : ''}`);
}

function nameFilter(name: string | undefined): (name: string, isFolder: boolean) => boolean {
  if (name === undefined) return () => true;
  if (!/[*?[]/.test(name)) return (other) => other.toLowerCase().includes(name.toLowerCase());
  const rules = parseIgnoreRules(Buffer.from(name), true).inFolder('');
  return (other, isFolder) => rules?.(Buffer.from(other).toString('latin1'), isFolder) === 'ignored';
}

async function bySize(folder: string, found: readonly WalkedEntry[]): Promise<WalkedEntry[]> {
  const sized = await Promise.all(found.map(async (each) => ({each, size: (await metadata(join(folder, each.path))).size ?? 0})));
  return sized.sort((a, b) => b.size - a.size).map(({each}) => each);
}

async function metadata(path: string): Promise<{size: number | null; modified: string | null}> {
  try {
    const {size, mtime} = await lstat(path);
    return {size, modified: mtime.toISOString()};
  } catch {
    return {size: null, modified: null}; // gone meanwhile
  }
}

async function leadsToFolder(link: string): Promise<boolean> {
  try {
    return (await stat(link)).isDirectory();
  } catch {
    return false; // it leads nowhere
  }
}
