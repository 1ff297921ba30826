import {constants} from 'node:fs';
import {chmod, copyFile, lstat, mkdir, readdir, readlink, rm, symlink} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {FettleError, systemErrorCode} from '../../../base/errors.ts';

interface Target {
  /** A real path, below which nothing is trusted. */
  readonly root: string;
  /** Names below the root; the folders among them become real ones. */
  readonly to: readonly string[];
}

/** Merges folders of hidden tests into another, in this order. Whatever stands in the way is removed first: a link, a folder where a file belongs. */
export async function mergeTests(folders: readonly string[], {root, to}: Target): Promise<void> {
  const at = await realFolders(root, to);
  for (const folder of folders) await mergeFolder(folder, at);
}

/** Copies a file, or the content of a folder, in the same way. */
export async function copyInside(from: string, {root, to}: Target): Promise<void> {
  if ((await lstat(from)).isDirectory()) return await mergeTests([from], {root, to});
  const folder = await realFolders(root, to.slice(0, -1));
  await copyEntry(from, join(folder, to.at(-1) ?? basename(from)));
}

async function realFolders(root: string, names: readonly string[]): Promise<string> {
  let at = root;
  for (const name of names) {
    at = join(at, name);
    await realFolder(at);
  }
  return at;
}

async function mergeFolder(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, {withFileTypes: true})) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await realFolder(target);
      await mergeFolder(source, target);
    } else {
      await copyEntry(source, target);
    }
  }
}

async function copyEntry(source: string, target: string): Promise<void> {
  try {
    await copyNew(source, target);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    await rm(target, {recursive: true, force: true});
    await copyNew(source, target);
  }
}

/** Throws EEXIST if anything is there, a link that leads nowhere, too. */
async function copyNew(source: string, target: string): Promise<void> {
  const found = await lstat(source);
  if (found.isSymbolicLink()) await symlink(await readlink(source), target);
  else if (found.isFile()) await copyWritable(source, target, found.mode);
  else throw new FettleError({code: 'NOT_A_FILE', message: `${source} is neither a file, a folder nor a link.`});
}

/** A suite may be read-only, and is read by root whatever its modes say; a task that begins with files that nobody can open would be another one. */
async function copyWritable(source: string, target: string, mode: number): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  if ((mode & 0o600) !== 0o600) await chmod(target, (mode & 0o777) | 0o600);
}

async function realFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  await rm(path, {recursive: true, force: true});
  await mkdir(path);
}
