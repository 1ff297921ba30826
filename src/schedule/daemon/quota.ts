import {readdirSync, rmSync, statSync} from 'node:fs';
import {join, sep} from 'node:path';
import {runFolder, type ScheduleFolders} from '../store/schedule-folders.ts';
import type {JobKey, ScheduleStore} from '../store/schedule-store.ts';

/** The limits of each job. The artefacts of its newest run stay, however large they are. */
export const QUOTA = {runs: 1000, folders: 20, bytes: 50 * 2 ** 20} as const;

/** Removes the oldest runs and artefacts of a job that are beyond the quota. Throws errors of the store; a folder that cannot be removed stays. */
export function keepQuota({store, folders}: {store: ScheduleStore; folders: Pick<ScheduleFolders, 'runs'>}, job: JobKey): void {
  for (const folder of store.dropRuns(job, QUOTA.runs)) if (folder.startsWith(`${folders.runs}${sep}`)) remove(folder);
  let count = 0;
  let bytes = 0;
  for (const run of store.runs(job, QUOTA.runs)) {
    if (run.folder === undefined) continue;
    const folder = runFolder(folders, run);
    count += 1;
    bytes += sizeOf(folder);
    if (run.endedAt === undefined || count === 1 || (count <= QUOTA.folders && bytes <= QUOTA.bytes)) continue;
    remove(folder);
    store.dropFolder(run.id);
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, {recursive: true, force: true});
  } catch {
    // Somebody else's file in it, or a read-only disk: the row tells no more of it.
  }
}

/** Bytes of the files in a folder; 0 where there is none. */
function sizeOf(folder: string): number {
  try {
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name), {throwIfNoEntry: false})?.size ?? 0);
    return sizes.reduce((a, b) => a + b, 0);
  } catch {
    return 0;
  }
}
