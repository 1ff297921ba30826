import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {keepQuota, QUOTA} from '../../../src/schedule/daemon/quota.ts';
import {openScheduleStore} from '../../../src/schedule/store/open-store.ts';
import {runFolder, scheduleFolders} from '../../../src/schedule/store/schedule-folders.ts';
import {systemProcesses} from '../../../src/schedule/supervisor/processes.ts';
import {scratch} from '../../support/scratch.ts';
import {job} from '../support/job.ts';

/** A job with ended runs that have artefacts of so many bytes, the oldest first. */
async function withRuns(
  sizes: readonly number[],
): Promise<{kept: () => readonly number[]; rows: () => readonly number[]; keep: () => void}> {
  const home = await scratch();
  const folders = scheduleFolders({configDir: home, stateDir: home});
  const store = openScheduleStore(folders.database);
  onTestFinished(() => store.close());
  for (const [index, size] of sizes.entries()) {
    const run = store.claim(job(), {due: index, trigger: 'due'});
    const folder = runFolder(folders, {job: 'nightly', id: run?.id ?? 0});
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, 'events.jsonl'), Buffer.alloc(size));
    const lease = store.begin(run?.id ?? 0, {owner: systemProcesses.own(), startedAt: 1, folder});
    if (lease !== undefined) store.end(lease, {status: 'done', endedAt: 2});
  }
  const runs = join(folders.runs, 'nightly');
  return {
    keep: () => keepQuota({store, folders}, job()),
    kept: () =>
      readdirSync(runs)
        .map(Number)
        .toSorted((a, b) => a - b),
    rows: () =>
      store
        .runs(job(), 2000)
        .filter(({folder}) => folder !== undefined)
        .map(({id}) => id),
  };
}

describe('the quota of a job', () => {
  it('keeps the artefacts of the newest 20 runs', async () => {
    const at = await withRuns(Array.from({length: 25}, () => 10));
    at.keep();
    const newest = Array.from({length: 20}, (_, index) => index + 6);
    expect([at.kept(), at.rows()]).toEqual([newest, newest.toReversed()]);
  });

  it('keeps 50 MB, and the newest run whatever its size', async () => {
    const megabytes = 2 ** 20;
    const at = await withRuns([10, 20 * megabytes, 20 * megabytes, 20 * megabytes]);
    at.keep();
    expect(at.kept()).toEqual([3, 4]);
    const large = await withRuns([10, QUOTA.bytes + 1]);
    large.keep();
    expect(large.kept()).toEqual([2]);
  });
});
