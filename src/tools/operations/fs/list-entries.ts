import {lstat, readFile} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import * as z from 'zod/mini';
import {parseIgnoreRules} from '../../../workspace/ignore/ignore-rules.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation} from '../../operation.ts';
import {excludedPaths} from './excluded-paths.ts';
import {existingPath} from './existing-path.ts';
import {readSubjects, shownPath} from './path-subjects.ts';
import {walkEntries, type WalkedEntry} from './walk-entries.ts';

const args = z.object({
  path: z.string(),
  /** Part of a name in any case, or a glob; undefined: every name. */
  name: z.optional(z.string()),
  /** Levels of folders that are listed; 1: only what lies directly in `path`. */
  depth: z.number(),
  order: z.enum(['path', 'largest']),
  filesOnly: z.boolean(),
  hidden: z.boolean(),
  /** Size and time of change of each entry shown. */
  details: z.boolean(),
  /** 1-based. */
  page: z.number(),
  perPage: z.number(),
  /** A file in the root of the workspace with more lines in the syntax of .gitignore; it may be missing. */
  excludeFile: z.string(),
});

const entry = z.object({
  /** Relative to the workspace, absolute outside. */
  path: z.string(),
  /** 0: directly in the folder. */
  level: z.number(),
  kind: z.enum(['file', 'directory', 'link']),
  /** Bytes; null where it was not asked for. */
  size: z.nullable(z.number()),
  /** ISO 8601; null where it was not asked for. */
  modified: z.nullable(z.string()),
});

const result = z.object({
  path: z.string(),
  entries: z.array(entry),
  page: z.number(),
  /** How many there are over all pages. */
  total: z.number(),
  /** The folder holds more than were looked at. */
  capped: z.boolean(),
});

export type ListEntriesArgs = z.infer<typeof args>;
export type ListEntriesResult = z.infer<typeof result>;

/**
 * Files and folders with their metadata, page by page; contents are never looked at ("vtcode architecture › Search Stack Consolidation":
 * list_files remains a discovery/metadata tool). Ignored files are left out, links are not followed.
 */
export const listEntries: Operation<ListEntriesArgs, ListEntriesResult> = {
  id: 'fs.entries',
  permission: 'ls',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path}, ctx) => readSubjects(path, ctx),
  async run(asked, ctx) {
    const folder = await existingPath(asked.path, ctx, 'read');
    const {found, capped} = await foundIn(folder.path, asked, ctx);
    const measured = asked.order === 'largest' ? await bySize(folder.path, found) : found;
    const start = (asked.page - 1) * asked.perPage;
    const shown = measured.slice(start, start + asked.perPage);
    const own = shownPath(folder);
    const prefix = own === '.' ? '' : `${own.replace(/\/$/, '')}/`;
    const entries = shown.map(async (each) => ({
      path: prefix + each.path,
      level: each.level,
      kind: each.kind,
      ...(asked.details || asked.order === 'largest' ? await metadata(join(folder.path, each.path)) : {size: null, modified: null}),
    }));
    return {path: own, entries: await Promise.all(entries), page: asked.page, total: found.length, capped};
  },
};

const MAX_LOOKED_AT = 20_000;

async function foundIn(folder: string, asked: ListEntriesArgs, ctx: ToolContext): Promise<{found: WalkedEntry[]; capped: boolean}> {
  const lines = await readFile(join(ctx.workspace.root, asked.excludeFile), 'utf8').catch(() => '');
  const excluded = excludedPaths(lines.split(/\r?\n/));
  const fromRoot = relative(ctx.workspace.root, folder).split(sep).join('/');
  const prefix = fromRoot === '' || fromRoot.startsWith('..') ? '' : `${fromRoot}/`;
  const fits = nameFilter(asked.name);
  const found: WalkedEntry[] = [];
  let lookedAt = 0;
  const walk = {folder, depth: asked.depth, skip: new Set<string>(), ignoreFiles: true, hidden: asked.hidden};
  for await (const each of walkEntries(walk, ctx.signal)) {
    if (lookedAt >= MAX_LOOKED_AT) return {found, capped: true};
    lookedAt += 1;
    const wanted = (!asked.filesOnly || each.kind === 'file') && fits(each.name, each.kind === 'directory');
    const path = `${prefix}${each.path}${each.kind === 'directory' ? '/' : ''}`;
    if (wanted && !excluded.excludes(path)) found.push(each);
  }
  return {found, capped: false};
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
