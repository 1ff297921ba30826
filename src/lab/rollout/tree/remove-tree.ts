import {chmod, lstat, readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';

/** Removes a folder that an agent could write, also if it has made folders unreadable. What the system still refuses stays: a scratch folder is never a result. */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, {recursive: true, force: true});
  } catch {
    await openFolders(folder).catch(() => undefined);
    await rm(folder, {recursive: true, force: true}).catch(() => undefined);
  }
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if ((await lstat(path)).isDirectory()) await openFolders(path);
  }
}
