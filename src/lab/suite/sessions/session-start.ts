import {cp, lstat, mkdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {counted} from '../../../base/counted.ts';
import {pathText} from '../../../workspace/checkpoints/byte-path.ts';
import {toEarlierState, type EarlierState} from '../../../workspace/checkpoints/restore/earlier-state.ts';
import {storePlace} from '../../../workspace/checkpoints/store/store-place.ts';
import {copyFolder} from '../../../workspace/scratch-copy.ts';
import {commitAt, writeCommit} from './commit-tree.ts';

export interface StartSource {
  /** The folder of the session: a real path that is only read. */
  readonly folder: string;
  readonly stateDir: string;
  readonly threadId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Made; the folder as it was. */
  readonly to: string;
}

/**
 * Rebuilds the folder of a session as it was when the session began. In a repository it is the commit of that time, with what the session's own
 * checkpoints show beyond it, and the packages that are installed now; elsewhere it is the folder as it is now, without what any session has
 * changed since. Returns the reason if that cannot be done.
 */
export async function rebuildStart(source: StartSource, signal: AbortSignal): Promise<string | undefined> {
  const {folder, to, startedAt} = source;
  const commit = await commitAt(folder, Date.parse(startedAt), signal);
  if (commit === undefined) {
    if (await isThere(join(folder, '.git'))) return 'its repository has no commit from before it';
    await copyFolder({from: folder, to, without: [source.stateDir], maxEntries: MAX_ENTRIES}, signal);
  } else {
    await mkdir(to);
    await writeCommit({folder, commit, to}, signal);
    await copyPackages(folder, to);
  }
  const earlier = await takeBack(source, commit !== undefined);
  await rm(join(to, '.git'), {recursive: true, force: true});
  const [first] = earlier.refused;
  if (first === undefined) return undefined;
  const more = earlier.refused.length > 1 ? `, and ${counted(earlier.refused.length - 1, 'other')}` : '';
  return `${pathText(first.path)} cannot be rebuilt: ${first.reason}${more}`;
}

/** As many as a task may have. */
const MAX_ENTRIES = 50_000;

async function takeBack({folder, stateDir, threadId, startedAt, to}: StartSource, onlyOwn: boolean): Promise<EarlierState> {
  return await toEarlierState({
    place: storePlace(stateDir, folder),
    copy: to,
    since: startedAt,
    counts: onlyOwn ? ({session}) => session === threadId : undefined,
    maxFileBytes: Number.MAX_SAFE_INTEGER,
  });
}

/** Without them most checks could not run; the commit says which they are, and nothing is installed. */
async function copyPackages(folder: string, to: string): Promise<void> {
  for (const name of ['node_modules', 'vendor']) {
    if ((await isThere(join(to, name))) || !(await isThere(join(folder, name)))) continue;
    await cp(join(folder, name), join(to, name), {recursive: true, verbatimSymlinks: true});
  }
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
