import {lstatSync, readdirSync, readlinkSync, unlinkSync, type Dirent} from 'node:fs';
import {join} from 'node:path';

const MOST = 5000;

/**
 * The links in what git writes by itself: the files of `.git`, its logs and its references. Git follows them (a link `.git/logs/HEAD` to a start
 * file of a shell gets the message of the next commit appended), and makes none. By their path from the root, with what they lead to.
 */
export function gitLinks(root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const folders = ['.git'];
  let seen = 0;
  for (const folder of folders) {
    for (const entry of list(join(root, folder))) {
      seen += 1;
      const path = `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) found.set(path, readlinkSync(join(root, path)));
      else if (entry.isDirectory() && (folder !== '.git' || WRITTEN.has(entry.name))) folders.push(path);
    }
    if (seen > MOST) break;
  }
  return found;
}

const WRITTEN: ReadonlySet<string> = new Set(['logs', 'refs', 'info']);

function list(folder: string): Dirent[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder, {withFileTypes: true}) : [];
  } catch {
    return [];
  }
}

/** Takes away the links that were not there before. A line for each. */
export function removeNewGitLinks(root: string, before: ReadonlyMap<string, string>): string[] {
  return [...gitLinks(root)].flatMap(([path, target]) => {
    if (before.get(path) === target) return [];
    try {
      unlinkSync(join(root, path));
    } catch {
      return [`${path} is a link to ${target}, which git would follow: take it away.`];
    }
    return [`${path} was a link to ${target}, which git would have followed: it was taken away.`];
  });
}
