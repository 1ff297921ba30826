import {copyFile, mkdir, readdir} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {checkRole} from '../../../agent/verification/check-roles.ts';
import {captureEntry} from '../../../workspace/checkpoints/capture.ts';
import {sameEntry} from '../../../workspace/checkpoints/entry-state.ts';
import {bytePath} from '../../../workspace/checkpoints/byte-path.ts';
import {readCheckpoints} from '../../../workspace/checkpoints/read-checkpoints.ts';
import {storePlace} from '../../../workspace/checkpoints/store/store-place.ts';
import type {StartSource} from './session-start.ts';

/**
 * Puts the tests and their settings into `tests`, as the check found them: those of the start, and above them those that the session wrote
 * itself, as long as the folder still has them. Returns the reason if it does not.
 */
export async function hideChecks(
  {folder, stateDir, threadId, to}: StartSource,
  {turnId, changedTests, tests}: {turnId: string; changedTests: readonly string[]; tests: string},
): Promise<string | undefined> {
  for (const path of await checkFiles(to)) await put(join(to, path), join(tests, path));
  const [turn] = readCheckpoints(storePlace(stateDir, folder)).filter(({session, target}) => session === threadId && target === turnId);
  for (const path of changedTests.map((one) => relative(folder, one))) {
    const after = turn?.changes.get(bytePath(path))?.after;
    const now = await captureEntry(bytePath(path), {folder, maxFileBytes: Number.MAX_SAFE_INTEGER});
    if (after === undefined || !sameEntry(after, now)) return `its test ${path} has changed since`;
    if (now?.kind === 'file') await put(join(folder, path), join(tests, path));
  }
  return undefined;
}

async function put(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), {recursive: true});
  await copyFile(from, to);
}

/** Files of the tree that checks depend on, by their names; packages are left out. */
async function checkFiles(tree: string, below = ''): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(tree, below), {withFileTypes: true})) {
    const path = join(below, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== 'vendor') found.push(...(await checkFiles(tree, path)));
    else if (entry.isFile() && checkRole(path) !== undefined) found.push(path);
  }
  return found;
}
