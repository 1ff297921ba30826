import {lstat, readdir, readFile, readlink} from 'node:fs/promises';
import {join} from 'node:path';

/** What a folder holds, by relative path: the bytes of a file (as Latin-1), the target of a link, the kind of anything else. */
export async function treeOf(root: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const path of (await readdir(root, {recursive: true})).sort()) {
    const stats = await lstat(join(root, path));
    if (stats.isFile()) tree[path] = await readFile(join(root, path), 'latin1');
    else if (stats.isSymbolicLink()) tree[path] = `-> ${await readlink(join(root, path))}`;
    else tree[path] = stats.isDirectory() ? 'folder' : 'other';
  }
  return tree;
}
