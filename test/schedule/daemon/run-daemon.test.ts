import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished, vi} from 'vitest';
import {FettleError} from '../../../src/base/errors.ts';
import {identityOf} from '../../../src/exec/process/process-identity.ts';
import {runningDaemon} from '../../../src/schedule/daemon/daemon-status.ts';
import type {DaemonOptions} from '../../../src/schedule/daemon/daemon-ports.ts';
import {runDaemon} from '../../../src/schedule/daemon/run-daemon.ts';
import {wakeDaemon} from '../../../src/schedule/daemon/wake-daemon.ts';
import type {JobDefinition} from '../../../src/schedule/jobs/job-definition.ts';
import {openScheduleStore} from '../../../src/schedule/store/open-store.ts';
import {scheduleFolders, type ScheduleFolders} from '../../../src/schedule/store/schedule-folders.ts';
import type {ScheduleStore} from '../../../src/schedule/store/schedule-store.ts';
import {scratch} from '../../support/scratch.ts';
import {job} from '../support/job.ts';

const ENTRY = join(import.meta.dirname, '../support/entry.ts');

interface Home {
  readonly home: string;
  readonly folders: ScheduleFolders;
  readonly store: ScheduleStore;
}

async function newHome(): Promise<Home> {
  const home = await scratch();
  const folders = scheduleFolders({configDir: home, stateDir: join(home, 'state')});
  const store = openScheduleStore(folders.database);
  onTestFinished(() => store.close());
  return {home, folders, store};
}

/** A daemon in this process over jobs in memory, with a clock that stands. */
function daemonHere(
  {folders, store}: Home,
  ports: Partial<DaemonOptions['ports']> = {},
): {log: string[]; timers: number[]; looks: () => number; end: () => Promise<void>} {
  const log: string[] = [];
  const timers: number[] = [];
  let looks = 0;
  const stop = new AbortController();
  const clock = {
    now: () => 1000,
    after(ms: number, run: () => void) {
      timers.push(ms);
      if (ms < 60_000) queueMicrotask(run);
      return () => undefined;
    },
  };
  const usual: DaemonOptions['ports'] = {
    async loadJobs() {
      looks += 1;
      return await (ports.loadJobs?.() ?? Promise.resolve({jobs: [], broken: []}));
    },
    superviseCommand: () => ({file: '/bin/true', args: [], env: {}}),
    tell: async () => await Promise.resolve(),
    log: (line) => void log.push(line),
  };
  const running = runDaemon({folders, store, clock, ports: usual}, stop.signal);
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  onTestFinished(end);
  return {log, timers, looks: () => looks, end};
}

/** A daemon in a process of its own, over definitions in files. */
function daemonProcess({home}: Home): ChildProcess {
  const daemon = spawn(process.execPath, [ENTRY, 'daemon', home, 'real'], {stdio: ['ignore', 'ignore', 'inherit']});
  onTestFinished(() => void daemon.kill('SIGKILL'));
  return daemon;
}

function add({folders}: Home, one: JobDefinition): void {
  mkdirSync(folders.jobs, {recursive: true});
  writeFileSync(join(folders.jobs, `${one.name}.json`), JSON.stringify(one));
}

const soon = {timeout: 20_000, interval: 10};

describe('the daemon of a user', () => {
  it('is one: the second says who runs', async () => {
    const at = await newHome();
    expect(runningDaemon(at.folders)).toBe(undefined);
    const daemon = daemonProcess(at);
    await vi.waitFor(() => expect(runningDaemon(at.folders)).toMatchObject({pid: daemon.pid}), soon);
    const second = runDaemon(
      {
        folders: at.folders,
        store: at.store,
        ports: {
          loadJobs: async () => await Promise.reject(new Error()),
          superviseCommand: () => ({file: '', args: [], env: {}}),
          tell: async () => await Promise.resolve(),
          log: () => undefined,
        },
      },
      new AbortController().signal,
    );
    await expect(second).rejects.toMatchObject({
      code: 'USAGE',
      message: `A schedule daemon runs already (process ${daemon.pid}).`,
      hint: `There is one for each user. To end it: kill ${daemon.pid}`,
    });
    const exited = once(daemon, 'exit');
    daemon.kill('SIGKILL');
    await exited;
    expect(runningDaemon(at.folders)).toBe(undefined);
  });

  it('looks when a definition changes and when it is woken, and has no timer where nothing is ahead', async () => {
    const at = await newHome();
    const daemon = daemonHere(at);
    await vi.waitFor(() => expect(daemon.looks()).toBe(1), soon);
    writeFileSync(join(at.folders.jobs, 'new.toml'), '');
    await vi.waitFor(() => expect(daemon.looks()).toBeGreaterThan(1), soon);
    const before = daemon.looks();
    wakeDaemon(at.folders);
    await vi.waitFor(() => expect(daemon.looks()).toBeGreaterThan(before), soon);
    expect(daemon.timers).toEqual([]);
    await daemon.end();
    expect(daemon.log).toEqual(['The schedule daemon runs.', 'The schedule daemon has ended; runs that have begun go on.']);
  });

  it('names once what it cannot read at all, and tries again at longer and longer intervals', async () => {
    const at = await newHome();
    let failures = 8;
    const daemon = daemonHere(at, {
      async loadJobs() {
        failures -= 1;
        if (failures >= 0) throw new FettleError({code: 'IO', message: 'The folder cannot be read.'});
        return await Promise.resolve({jobs: [], broken: []});
      },
    });
    await vi.waitFor(() => expect(daemon.timers.length).toBeGreaterThan(6), soon);
    expect(daemon.timers.slice(0, 7)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000]);
    expect(daemon.log).toEqual(['The schedule daemon runs.', 'The folder cannot be read. Trying again.']);
  });
});

describe('real processes', () => {
  it('a run outlives a daemon that is killed, and ends with its own exit code', async () => {
    const at = await newHome();
    const one = job({
      createdAt: Date.now(),
      timing: {kind: 'at', at: Date.now() + 1},
      workspace: at.home,
      prompt: 'echo x >> began; while [ ! -e go ]; do sleep 0.05; done; exit 4',
    });
    add(at, one);
    const daemon = daemonProcess(at);
    await vi.waitFor(() => expect(existsSync(join(at.home, 'began'))).toBe(true), soon);
    daemon.kill('SIGKILL');
    await once(daemon, 'exit');
    const second = daemonProcess(at);
    await vi.waitFor(() => expect(runningDaemon(at.folders)).toMatchObject({pid: second.pid}), soon);
    writeFileSync(join(at.home, 'go'), '');
    await vi.waitFor(() => expect(at.store.runs(one, 10)).toMatchObject([{status: 'limit', exitCode: 4}]), soon);
    expect(readFileSync(join(at.home, 'began'), 'utf8')).toBe('x\n');
  });

  it('a run ends with a supervisor that is killed, and is interrupted', async () => {
    const at = await newHome();
    const one = job({
      createdAt: Date.now(),
      timing: {kind: 'at', at: Date.now() + 1},
      workspace: at.home,
      prompt: 'echo $$ > pid; sleep 300',
    });
    add(at, one);
    daemonProcess(at);
    await vi.waitFor(() => expect(existsSync(join(at.home, 'pid'))).toBe(true), soon);
    process.kill(at.store.openRuns()[0]?.owner?.pid ?? 0, 'SIGKILL');
    const note = 'Its supervisor ended unexpectedly: it was killed, or memory ran out.';
    await vi.waitFor(() => expect(at.store.runs(one, 10)).toMatchObject([{status: 'interrupted', note}]), soon);
    await vi.waitFor(() => expect(identityOf(Number(readFileSync(join(at.home, 'pid'), 'utf8')))).toBe(undefined), soon);
  });
});
