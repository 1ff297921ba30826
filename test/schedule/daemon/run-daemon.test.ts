import {execFileSync, spawn, type ChildProcess} from 'node:child_process';
import {EventEmitter, once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
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
import {ended, endProcessesOf, killedWithTest} from '../../support/processes.ts';
import {scratch} from '../../support/scratch.ts';
import {whenChanged} from '../../support/when-changed.ts';
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

interface DaemonHere {
  readonly log: readonly string[];
  readonly timers: readonly number[];
  looks(): number;
  /** Resolves when it holds; it is asked at each look and each timer. */
  until(isSo: () => boolean): Promise<void>;
  end(): Promise<void>;
}

/** A daemon in this process over jobs in memory, with a clock that stands. */
function daemonHere({folders, store}: Home, ports: Partial<DaemonOptions['ports']> = {}): DaemonHere {
  const steps = new EventEmitter();
  const log: string[] = [];
  const timers: number[] = [];
  let looks = 0;
  const stop = new AbortController();
  const clock = {
    now: () => 1000,
    after(ms: number, run: () => void) {
      timers.push(ms);
      steps.emit('step');
      if (ms < 60_000) queueMicrotask(run);
      return () => undefined;
    },
  };
  const usual: DaemonOptions['ports'] = {
    async loadJobs() {
      looks += 1;
      steps.emit('step');
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
  return {
    log,
    timers,
    looks: () => looks,
    async until(isSo) {
      while (!isSo()) await once(steps, 'step');
    },
    end,
  };
}

/** A daemon in a process of its own, over definitions in files, that has written its first line. */
async function daemonProcess({home}: Home): Promise<ChildProcess> {
  const daemon = spawn(process.execPath, [ENTRY, 'daemon', home, 'real'], {stdio: ['ignore', 'pipe', 'inherit']});
  onTestFinished(async () => await endProcessesOf(home));
  killedWithTest(daemon);
  await said(daemon, 'The schedule daemon runs.');
  return daemon;
}

/** Resolves when a daemon has written a text into its log, since the last call. */
async function said({stdout}: ChildProcess, wanted: string): Promise<void> {
  let text = '';
  for await (const piece of stdout?.iterator({destroyOnReturn: false}) ?? []) {
    text += String(piece);
    if (text.includes(wanted)) return;
  }
  throw new Error(`It has ended, and said:\n${text}`);
}

function add({folders}: Home, one: JobDefinition): void {
  mkdirSync(folders.jobs, {recursive: true});
  writeFileSync(join(folders.jobs, `${one.name}.json`), JSON.stringify(one));
}

describe('the daemon of a user', () => {
  it('is one: the second says who runs', async () => {
    const at = await newHome();
    expect(runningDaemon(at.folders)).toBe(undefined);
    const daemon = await daemonProcess(at);
    expect(runningDaemon(at.folders)).toMatchObject({pid: daemon.pid});
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
    await ended(daemon, 'SIGKILL');
    expect(runningDaemon(at.folders)).toBe(undefined);
  });

  it('looks when a definition changes and when it is woken, and has no timer where nothing is ahead', async () => {
    const at = await newHome();
    const daemon = daemonHere(at);
    await daemon.until(() => daemon.looks() === 1);
    writeFileSync(join(at.folders.jobs, 'new.toml'), '');
    await daemon.until(() => daemon.looks() > 1);
    const before = daemon.looks();
    wakeDaemon(at.folders);
    await daemon.until(() => daemon.looks() > before);
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
    await daemon.until(() => daemon.timers.length > 6);
    expect(daemon.timers.slice(0, 7)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000]);
    expect(daemon.log).toEqual(['The schedule daemon runs.', 'The folder cannot be read. Trying again.']);
  });
});

describe('real processes', () => {
  it('a run outlives a daemon that is killed, and ends with its own exit code', async () => {
    const at = await newHome();
    const one = job({
      timing: {kind: 'at', at: 1},
      workspace: at.home,
      prompt: 'echo x >> began; read -r _ < go; exit 4',
    });
    add(at, one);
    execFileSync('mkfifo', [join(at.home, 'go')]);
    const daemon = await daemonProcess(at);
    await whenChanged(at.home, () => existsSync(join(at.home, 'began')));
    await ended(daemon, 'SIGKILL');
    const second = await daemonProcess(at);
    expect(runningDaemon(at.folders)).toMatchObject({pid: second.pid});
    await writeFile(join(at.home, 'go'), '\n');
    // A supervisor wakes the daemon when it has stored the end.
    await whenChanged(at.folders.wake, () => at.store.runs(one, 1)[0]?.endedAt !== undefined);
    expect(at.store.runs(one, 10)).toMatchObject([{status: 'limit', exitCode: 4}]);
    expect(readFileSync(join(at.home, 'began'), 'utf8')).toBe('x\n');
  });

  it('a run ends with a supervisor that is killed, and is interrupted', async () => {
    const at = await newHome();
    const one = job({
      timing: {kind: 'at', at: 1},
      workspace: at.home,
      prompt: 'echo $$ > pid; sleep 300',
    });
    add(at, one);
    const daemon = await daemonProcess(at);
    await whenChanged(at.home, () => existsSync(join(at.home, 'pid')) && readFileSync(join(at.home, 'pid'), 'utf8').endsWith('\n'));
    process.kill(at.store.openRuns()[0]?.owner?.pid ?? 0, 'SIGKILL');
    await said(daemon, 'told: interrupted');
    const note = 'Its supervisor ended unexpectedly: it was killed, or memory ran out.';
    expect(at.store.runs(one, 10)).toMatchObject([{status: 'interrupted', note}]);
    expect(identityOf(Number(readFileSync(join(at.home, 'pid'), 'utf8')))).toBe(undefined);
  });
});
