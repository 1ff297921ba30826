import {spawn} from 'node:child_process';
import {readFileSync, readdirSync, writeFileSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {describe, expect, it, vi} from 'vitest';
import {runningDaemon} from '../../src/schedule/daemon/daemon-status.ts';
import {scheduleFolders} from '../../src/schedule/store/schedule-folders.ts';
import {killedWithTest} from '../support/processes.ts';
import {scratch} from '../support/scratch.ts';

const LAUNCHER = join(import.meta.dirname, '../../dist/bin/fettle.cjs');

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
  it.skipIf(process.platform !== 'linux')('is small and sleeps', {timeout: 120_000}, async () => {
    const home = await scratch();
    const folders = scheduleFolders({configDir: home, stateDir: join(home, 'state')});
    for (const name of ['a', 'b', 'c']) {
      const every = ['reminder = "Tea."', `workspace = "${home}"`, 'cron = "0 7 1 1 *"', 'time_zone = "Europe/Berlin"'];
      mkdirSync(folders.jobs, {recursive: true, mode: 0o700});
      const rest = ['missed = "once"', 'overlap = "skip"', 'notify = "always"', `created = ${new Date().toISOString()}`];
      writeFileSync(join(folders.jobs, `${name}.toml`), `${[...every, ...rest].join('\n')}\n`, {mode: 0o600});
    }
    const env = {PATH: process.env['PATH'], HOME: home, FETTLE_HOME: home};
    const daemon = spawn(process.execPath, [LAUNCHER, 'schedule', 'daemon'], {stdio: ['ignore', 'pipe', 'pipe'], env});
    let said = '';
    for (const stream of [daemon.stdout, daemon.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    killedWithTest(daemon);
    const pid = daemon.pid ?? 0;
    await vi.waitFor(() => expect(runningDaemon(folders)).toMatchObject({pid}), {timeout: 10_000});
    // The engine collects what the start has left once more, and then sleeps.
    await delay(30_000);
    const before = switchesOf(pid);
    await delay(15_000);
    const figures = {megabytes: Math.round(10 * megabytesOf(pid)) / 10, switches: switchesOf(pid) - before};
    console.log(figures);
    expect(said).toMatch(/^\S+ The schedule daemon runs\.\n$/);
    expect(figures.megabytes).toBeLessThanOrEqual(60);
    expect(figures.switches).toBe(0);
  });
});
