import {lstatSync, readdirSync, rmdirSync, unlinkSync} from 'node:fs';
import {chmod, lstat, readdir, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {createExecEnvironment} from '../../../exec/create-environment.ts';

/**
 * Removes a folder that an agent could write, also if it has made folders unreadable or nested them deeper than a path can say. What the system still
 * refuses stays: a scratch folder is never a result.
 */
export async function removeTree(folder: string): Promise<void> {
  if (removeSmall(folder, {left: MOST_AT_ONCE})) return;
  try {
    await rm(folder, {recursive: true, force: true});
  } catch {
    await openFolders(folder).catch(() => undefined);
    await rm(folder, {recursive: true, force: true}).catch(async () => await removeDeep(folder));
  }
}

/**
 * Most scratch folders are small: without a thread for each step they are gone at once. A link is removed, not followed. False: there is more, or the
 * system refuses something.
 */
function removeSmall(path: string, entries: {left: number}): boolean {
  try {
    const found = lstatSync(path, {throwIfNoEntry: false});
    if (found?.isDirectory() === true) return removeSmallFolder(path, entries);
    if (found !== undefined) unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

function removeSmallFolder(folder: string, entries: {left: number}): boolean {
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    entries.left -= 1;
    if (entries.left < 0) return false;
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) unlinkSync(path);
    else if (!removeSmallFolder(path, entries)) return false;
  }
  rmdirSync(folder);
  return true;
}

const MOST_AT_ONCE = 500;

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if ((await lstat(path)).isDirectory()) await openFolders(path);
  }
}

/** The program walks by descriptors, for which no path is too long. */
async function removeDeep(folder: string): Promise<void> {
  const environment = createExecEnvironment({cwd: dirname(folder), spoolDir: dirname(folder)});
  const command = {
    program: 'rm',
    args: ['-rf', '--', folder],
    timeoutMs: TIMEOUT_MS,
    capture: {headBytes: 0, tailBytes: 0, spillAbove: Number.POSITIVE_INFINITY},
  };
  await environment.run(command, new AbortController().signal).catch(() => undefined);
}

const TIMEOUT_MS = 300_000;
