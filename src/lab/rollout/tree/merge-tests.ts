import {constants} from 'node:fs';
import {copyFile, lstat, mkdir, readdir, readlink, rm, symlink} from 'node:fs/promises';
import {join} from 'node:path';

/**
 * Merges folders of hidden tests into `to`, in this order. Whatever stands in the way is removed first: a link that leads elsewhere, a folder where
 * a file belongs. `root` (a real path) is the folder below which nothing is trusted: its parts down to `to` become real folders.
 */
export async function mergeTests(
  folders: readonly string[],
  {root, to}: {readonly root: string; readonly to: readonly string[]},
): Promise<void> {
  let at = root;
  for (const name of to) {
    at = join(at, name);
    await realFolder(at);
  }
  for (const folder of folders) await mergeFolder(folder, at);
}

async function mergeFolder(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, {withFileTypes: true})) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await realFolder(target);
      await mergeFolder(source, target);
    } else {
      await rm(target, {recursive: true, force: true});
      if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
      else await copyFile(source, target, constants.COPYFILE_EXCL);
    }
  }
}

async function realFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  await rm(path, {recursive: true, force: true});
  await mkdir(path);
}
