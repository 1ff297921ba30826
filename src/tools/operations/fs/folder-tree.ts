import * as z from 'zod/mini';
import type {Operation} from '../../operation.ts';
import {existingPath} from './existing-path.ts';
import {readSubjects} from './path-subjects.ts';
import {walkEntries} from './walk-entries.ts';

const args = z.object({
  path: z.string(),
  /** Levels of folders that are listed; 1: only what lies directly in `path`. */
  depth: z.number(),
  limit: z.number(),
  /** Names of folders that are passed over. */
  skip: z.array(z.string()),
});

const result = z.object({
  /** Absolute. */
  path: z.string(),
  /** Each folder before what it holds, ordered by name. */
  entries: z.array(z.object({name: z.string(), level: z.number(), isFolder: z.boolean()})),
  /** How many there are, at least; more than `entries` where it was cut to the limit. */
  total: z.number(),
});

export type FolderTreeArgs = z.infer<typeof args>;
export type FolderTreeResult = z.infer<typeof result>;

type Entry = FolderTreeResult['entries'][number];

/** The folders and files below a folder to a depth, without hidden and ignored ones; links are not followed. */
export const folderTree: Operation<FolderTreeArgs, FolderTreeResult> = {
  id: 'fs.tree',
  permission: 'ls',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path}, ctx) => readSubjects(path, ctx),
  async run({path, depth, limit, skip}, ctx) {
    const resolved = await existingPath(path, ctx, 'read');
    const found: Entry[] = [];
    const walk = {folder: resolved.path, depth, skip: new Set(skip), ignoreFiles: true, hidden: false};
    for await (const {name, level, kind} of walkEntries(walk, ctx.signal)) {
      found.push({name, level, isFolder: kind === 'directory'});
      if (found.length >= MAX_FOUND) break;
    }
    return {path: resolved.path, entries: found.slice(0, limit), total: found.length};
  },
};

/** Enough to say how much there is; a larger tree is not walked to its end. */
const MAX_FOUND = 20_000;
