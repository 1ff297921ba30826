import {lstatSync, readlinkSync} from 'node:fs';
import {unlink} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {openDirectory} from '../../directory-handle.ts';
import {entriesOf} from './autoloaded-file.ts';

const MOST = 5000;

/** A link among the files that git writes, by its path from the root, with its target. */
export type GitLink = readonly [path: string, target: string];

/**
 * Finds links among the files that git writes by itself: the files of `.git`, its logs and its references. Git
 * follows them (a link `.git/logs/HEAD` to a start file of a shell gets the message of the next commit
 * appended), and makes none. `folders`: those that git writes.
 */
export function gitLinks(root: string, folders: readonly string[]): readonly GitLink[] {
  const found: GitLink[] = [];
  const waiting = [...folders];
  let seen = 0;
  for (const folder of waiting) {
    const isTop = /(?:^|\/)(?:\.git|worktrees\/[^/]+)$/.test(folder);
    for (const entry of entriesOf(join(root, folder))) {
      seen += 1;
      const path = `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) found.push([path, readlinkSync(join(root, path))]);
      else if (entry.isDirectory() && (!isTop || WRITTEN.has(entry.name))) waiting.push(path);
    }
    if (seen > MOST) break;
  }
  return found;
}

const WRITTEN: ReadonlySet<string> = new Set(['logs', 'refs', 'info']);

/** Takes away the links that were not there before; commands may be running. A line for each. */
export async function removeNewGitLinks(root: string, before: readonly GitLink[], folders: readonly string[]): Promise<string[]> {
  const known = new Map(before);
  const added = gitLinks(root, folders).filter(([path, target]) => known.get(path) !== target);
  return await Promise.all(
    added.map(async ([path, target]) =>
      (await removeLink(join(root, path)))
        ? `${path} was a link to ${target}, which git would have followed: it was taken away.`
        : `${path} is a link to ${target}, which git would follow: take it away.`,
    ),
  );
}

async function removeLink(path: string): Promise<boolean> {
  try {
    await using folder = await openDirectory(dirname(path));
    const at = folder.at(basename(path));
    if (!lstatSync(at).isSymbolicLink()) return false;
    await unlink(at);
    return true;
  } catch {
    return false;
  }
}
