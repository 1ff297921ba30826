import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {listFolder as list} from '../../../search/list-folder.ts';
import type {Operation} from '../../operation.ts';
import {existingPath} from './existing-path.ts';
import {readSubjects, shownPath} from './path-subjects.ts';

const args = z.object({
  path: z.string(),
  limit: z.number(),
  ignoreFiles: z.boolean(),
  hidden: z.boolean(),
});

const result = z.object({
  path: z.string(),
  entries: z.array(z.object({name: z.string(), isFolder: z.boolean()})),
  truncated: z.boolean(),
});

export type ListFolderArgs = z.infer<typeof args>;
export type ListFolderResult = z.infer<typeof result>;

/** Lists one level of a folder, ordered by name. */
export const listFolder: Operation<ListFolderArgs, ListFolderResult> = {
  id: 'fs.list',
  permission: 'ls',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path}, ctx) => readSubjects(path, ctx),
  async run({path, ...rules}, ctx) {
    const resolved = await existingPath(path, ctx, 'read');
    const {entries, truncated} = await list(resolved.path, {...rules, root: ctx.workspace.root}, ctx.signal);
    const shown = entries.map(async ({name, kind}) => ({
      name,
      isFolder: kind === 'directory' || (kind === 'link' && (await leadsToFolder(resolved.path, name))),
    }));
    return {path: shownPath(resolved), entries: await Promise.all(shown), truncated};
  },
};

async function leadsToFolder(folder: string, link: string): Promise<boolean> {
  try {
    return (await stat(join(folder, link))).isDirectory();
  } catch {
    return false; // it leads nowhere
  }
}
