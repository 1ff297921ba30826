import type {ChangedPath} from '../../agent/verification/check-changes.ts';
import {scanTree, type ScanOptions} from '../../workspace/checkpoints/scan-tree.ts';
import {pathText} from '../../workspace/checkpoints/byte-path.ts';
import {EMPTY_INDEX} from '../../workspace/checkpoints/tree-index.ts';
import {storePlace} from '../../workspace/checkpoints/store/store-place.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {TASKS} from './task-files.ts';

/** Records the files of a folder; the returned function says later whether any differs. A folder that is too large counts as changed. */
export async function snapshotTree(
  session: SessionSettings,
  root: string,
  signal: AbortSignal,
): Promise<(signal: AbortSignal) => Promise<boolean>> {
  const changed = await markPaths(session, root, signal);
  return async (later) => (await changed(later))?.length !== 0;
}

/** The same, but returns the differing ones; undefined if the folder is too large. */
export async function markPaths(
  session: SessionSettings,
  root: string,
  signal: AbortSignal,
): Promise<(signal: AbortSignal) => Promise<readonly ChangedPath[] | undefined>> {
  const {own} = storePlace(session.paths.stateDir, root);
  const capture = {folder: root, maxFileBytes: MAX_FILE_BYTES};
  const options: ScanOptions = {capture, ignored: 'none', env: session.env, own, maxEntries: 20_000, maxReadMs: 5000};
  const marked = await scanTree(EMPTY_INDEX, options, signal);
  return async (later) => {
    if (marked.isTooLarge) return undefined;
    const scan = await scanTree(marked.index, options, later);
    if (scan.isTooLarge) return undefined;
    return scan.changed
      .map((path) => ({path: pathText(path), change: changeOf(marked.index.entries.has(path), scan.index.entries.has(path))}))
      .filter(({path}) => !isOurs(path));
  };
}

function changeOf(was: boolean, is: boolean): ChangedPath['change'] {
  if (!was) return 'created';
  return is ? 'changed' : 'deleted';
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;

function isOurs(path: string): boolean {
  return path === TASKS || path.startsWith(`${TASKS}/`) || TASKS.startsWith(`${path}/`);
}
