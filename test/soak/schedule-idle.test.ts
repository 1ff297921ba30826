import {spawn} from 'node:child_process';
import {readFileSync, readdirSync, writeFileSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {build} from 'esbuild';
import {describe, expect, it, onTestFinished, vi} from 'vitest';
import {runningDaemon} from '../../src/schedule/daemon/daemon-status.ts';
import {scheduleFolders} from '../../src/schedule/store/schedule-folders.ts';
import {job} from '../schedule/support/job.ts';
import {scratch} from '../support/scratch.ts';

/** proc_pid_status(5), of all threads. */
function switchesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/status`, 'latin1'))
    .flatMap((status) => [...status.matchAll(/ctxt_switches:\s+(\d+)/g)].map(([, count]) => Number(count)))
    .reduce((a, b) => a + b, 0);
}

function megabytesOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Number(kilobytes) / 1024;
}

describe('an idle daemon (issue: at most 60 MB, and no wake-ups between due times)', () => {
  it.skipIf(process.platform !== 'linux')('is small and sleeps', {timeout: 60_000}, async () => {
    const home = await scratch();
    const folders = scheduleFolders({configDir: home, stateDir: join(home, 'state')});
    mkdirSync(folders.jobs);
    const now = Date.now();
    const timing = {kind: 'cron', expression: '0 7 * * 1-5', timeZone: 'Europe/Berlin'} as const;
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folders.jobs, `${name}.json`), JSON.stringify(job({name, createdAt: now, timing})));
    // As it is delivered: the sources take memory for stripping types.
    const entry = join(home, 'daemon.mjs');
    await build({entryPoints: [join(import.meta.dirname, '../schedule/support/entry.ts')], bundle: true, platform: 'node', format: 'esm', outfile: entry});
    const daemon = spawn(process.execPath, [entry, 'daemon', home, 'real'], {stdio: ['ignore', 'ignore', 'inherit']});
    onTestFinished(() => void daemon.kill('SIGKILL'));
    const pid = daemon.pid ?? 0;
    await vi.waitFor(() => expect(runningDaemon(folders)).toMatchObject({pid}), {timeout: 10_000});
    await delay(10_000);
    const before = switchesOf(pid);
    await delay(10_000);
    const figures = {megabytes: Math.round(megabytesOf(pid)), switches: switchesOf(pid) - before};
    console.log(figures);
    expect(figures.megabytes).toBeLessThanOrEqual(60);
    expect(figures.switches).toBe(0);
  });
});
