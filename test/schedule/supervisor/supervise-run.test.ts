import {existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished, vi} from 'vitest';
import {FettleError} from '../../../src/base/errors.ts';
import {identityOf} from '../../../src/exec/process/process-identity.ts';
import {systemClock} from '../../../src/schedule/clock.ts';
import {openScheduleStore} from '../../../src/schedule/store/open-store.ts';
import {scheduleFolders} from '../../../src/schedule/store/schedule-folders.ts';
import type {ScheduleStore} from '../../../src/schedule/store/schedule-store.ts';
import {systemProcesses} from '../../../src/schedule/supervisor/processes.ts';
import {recoverRun} from '../../../src/schedule/supervisor/recover-run.ts';
import {superviseRun} from '../../../src/schedule/supervisor/supervise-run.ts';
import type {SuperviseRequest} from '../../../src/schedule/supervisor/supervisor-ports.ts';
import {scratch} from '../../support/scratch.ts';
import {job, type JobChoice} from '../support/job.ts';

interface Bench {
  readonly home: string;
  readonly store: ScheduleStore;
  readonly request: SuperviseRequest;
}

/** A claimed run of a job whose prompt is a command line. */
async function bench(prompt: string, choice: JobChoice = {}, store = (real: ScheduleStore): ScheduleStore => real): Promise<Bench> {
  const home = await scratch();
  const folders = scheduleFolders({configDir: home, stateDir: join(home, 'state')});
  const real = openScheduleStore(folders.database);
  onTestFinished(() => real.close());
  const one = job({prompt, workspace: home, ...choice});
  real.claim(one, {due: 3_600_000, trigger: 'due'});
  const ports = {
    readJob: async () => await Promise.resolve(one),
    checkProject: async () => await Promise.resolve(undefined),
    execCommand: () => ({file: '/bin/sh', args: ['-c', prompt], env: process.env}),
  };
  return {home, store: real, request: {id: 1, store: store(real), folders, ports}};
}

const none = new AbortController().signal;

function times(home: string): number {
  return existsSync(join(home, 'began')) ? readFileSync(join(home, 'began'), 'utf8').split('\n').length - 1 : 0;
}

describe('a run', () => {
  it('keeps events, last message and stderr, and ends with its exit code and reason', async () => {
    const message = JSON.stringify({type: 'item.completed', item: {id: '1', type: 'agent_message', text: 'Updated 3 packages.'}});
    const failed = JSON.stringify({type: 'turn.failed', message: 'The limit of 3 turns\u001b[31m is reached.'});
    const {request} = await bench(`echo '${message}'; echo '${failed}'; echo progress >&2; exit 4`);
    const seen: string[] = [];
    const ports = {...request.ports, onStderr: (chunk: Buffer) => void seen.push(String(chunk))};
    const row = await superviseRun({...request, ports, clock: {...systemClock, now: () => 5}}, none);
    const folder = join(request.folders.runs, 'nightly/1');
    expect(row).toEqual({
      id: 1,
      job: 'nightly',
      due: 3_600_000,
      trigger: 'due',
      status: 'limit',
      note: 'The limit of 3 turns is reached.',
      exitCode: 4,
      startedAt: 5,
      endedAt: 5,
      folder,
    });
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    expect(read('events.jsonl')).toBe(`${message}\n${failed}\n`);
    expect([read('last-message.txt'), read('stderr.txt'), seen.join('')]).toEqual(['Updated 3 packages.', 'progress\n', 'progress\n']);
    const modes = ['events.jsonl', 'last-message.txt', 'stderr.txt'].map((name) => statSync(join(folder, name)).mode & 0o777);
    expect([statSync(folder).mode & 0o777, ...modes]).toEqual([0o700, 0o600, 0o600, 0o600]);
  });

  it('is run by one of two supervisors', async () => {
    const {home, request} = await bench('echo x >> began');
    const rows = await Promise.all([superviseRun(request, none), superviseRun(request, none)]);
    expect(times(home)).toBe(1);
    expect(rows.map((row) => row?.status)).toContain('done');
  });

  it('that is killed is interrupted, and nothing of it goes on', async () => {
    const {home, request} = await bench('sleep 300 & echo $! > child; sleep 300 & kill -9 $$');
    expect(await superviseRun(request, none)).toMatchObject({
      status: 'interrupted',
      note: 'It was ended by SIGKILL. The system does that when memory runs out.',
    });
    expect(identityOf(Number(readFileSync(join(home, 'child'), 'utf8')))).toBe(undefined);
  });

  it('ends when it is asked to, with the reason', async () => {
    const {home, request, store} = await bench('echo x > began; exec sleep 300');
    const stop = new AbortController();
    const running = superviseRun(request, stop.signal);
    await vi.waitFor(() => expect(times(home)).toBe(1), {timeout: 10_000, interval: 5});
    store.cancel(1, 'The job was removed.', 0);
    stop.abort();
    expect(await running).toMatchObject({status: 'cancelled', note: 'The job was removed.'});
  });

  it('of a job that was removed meanwhile leaves nothing', async () => {
    const {home, request, store} = await bench('echo x > began; while [ ! -e go ]; do sleep 0.01; done');
    let one: ReturnType<typeof job> | undefined = job({workspace: home});
    const running = superviseRun({...request, ports: {...request.ports, readJob: async () => await Promise.resolve(one)}}, none);
    await vi.waitFor(() => expect(times(home)).toBe(1), {timeout: 10_000, interval: 5});
    one = undefined;
    writeFileSync(join(home, 'go'), '');
    expect(await running).toBe(undefined);
    expect([store.runs(job(), 10), readdirSync(request.folders.runs)]).toEqual([[], []]);
  });

  it('that has been taken over ends, and its row is that of the other', async () => {
    let tick: (() => void) | undefined;
    const clock = {
      now: () => 0,
      after(_: number, run: () => void) {
        tick ??= run;
        return () => undefined;
      },
    };
    const {home, request, store} = await bench('echo x > began; exec sleep 300');
    const running = superviseRun({...request, clock}, none);
    await vi.waitFor(() => expect(times(home)).toBe(1), {timeout: 10_000, interval: 5});
    store.end({id: 1, attempt: 1}, {status: 'interrupted', note: 'Taken.', endedAt: 9});
    tick?.();
    expect(await running).toMatchObject({status: 'interrupted', note: 'Taken.', endedAt: 9});
  });
});

describe('a run does not begin', () => {
  it('where its job was removed, added again, or cannot be read', async () => {
    const {home, request} = await bench('echo x >> began');
    const broken = async (): Promise<never> => await Promise.reject(new FettleError({code: 'CONFIG', message: 'nightly.toml: line 3'}));
    await expect(superviseRun({...request, ports: {...request.ports, readJob: broken}}, none)).rejects.toThrow('nightly.toml: line 3');
    expect(request.store.run(1)).toMatchObject({status: 'claimed'});
    const again = async (): Promise<ReturnType<typeof job>> => await Promise.resolve(job({createdAt: 77}));
    expect(await superviseRun({...request, ports: {...request.ports, readJob: again}}, none)).toMatchObject({
      status: 'skipped',
      note: 'The job was removed.',
    });
    expect(times(home)).toBe(0);
  });

  it('where the project has changed: the job waits for a person', async () => {
    const {home, request, store} = await bench('echo x >> began');
    const reason = 'The project changed since the job was added: .fettle/config.toml';
    const ports = {...request.ports, checkProject: async () => await Promise.resolve(reason)};
    expect(await superviseRun({...request, ports}, none)).toMatchObject({status: 'blocked', note: reason});
    expect(store.state(job())).toMatchObject({waiting: reason});
    expect(times(home)).toBe(0);
  });

  it('where its workspace is gone', async () => {
    const {request} = await bench('true', {workspace: '/not/there'});
    expect(await superviseRun(request, none)).toMatchObject({status: 'blocked', note: 'The workspace /not/there is not there.'});
  });

  it('while another one of its job runs', async () => {
    const {request, store} = await bench('true');
    store.claim(job(), {due: 1, trigger: 'due'});
    const lease = store.begin(2, {owner: systemProcesses.own(), startedAt: 0, folder: '/x'});
    expect(await superviseRun(request, none)).toMatchObject({status: 'claimed'});
    store.end(lease ?? {id: 0, attempt: 0}, {status: 'done', endedAt: 1});
    expect(await superviseRun(request, none)).toMatchObject({status: 'done'});
  });

  it('before its process group is stored: then a supervisor that dies leaves a run that nobody has begun', async () => {
    const {home, request, store} = await bench('echo x >> began', {}, (real) => ({
      ...real,
      setLeader() {
        expect(times(home)).toBe(0);
        stop.abort();
        throw new FettleError({code: 'IO', message: 'the disk is full'});
      },
    }));
    const stop = new AbortController();
    expect(await superviseRun(request, stop.signal)).toMatchObject({status: 'claimed', note: 'It could not be begun: the disk is full'});
    expect(await superviseRun({...request, store}, none)).toMatchObject({status: 'done'});
    expect(times(home)).toBe(1);
  });

  it('where its files cannot be written, and can be begun later', async () => {
    const {home, request} = await bench('echo x >> began');
    const folder = join(request.folders.runs, 'nightly/1');
    mkdirSync(folder, {recursive: true});
    symlinkSync(join(home, 'nowhere'), join(folder, 'begun-1'));
    const note = `It could not be begun: nothing can be written to ${folder}.`;
    expect(await superviseRun(request, none)).toMatchObject({status: 'claimed', note});
    expect(times(home)).toBe(0);
    expect(await superviseRun(request, none)).toMatchObject({status: 'done'});
    expect(times(home)).toBe(1);
  });
});

describe('a store that cannot be written', () => {
  it('is tried again until the end is stored, and its cause is named', async () => {
    let failures = 3;
    const {request} = await bench('exit 3', {}, (real) => ({
      ...real,
      end(lease, end) {
        failures -= 1;
        if (failures >= 0) throw new FettleError({code: 'IO', message: 'the disk is full.'});
        return real.end(lease, end);
      },
    }));
    const seen: string[] = [];
    const pauses: number[] = [];
    const clock = {
      now: () => 0,
      after(ms: number, run: () => void) {
        pauses.push(ms);
        if (ms < 10_000) queueMicrotask(run);
        return () => undefined;
      },
    };
    const ports = {...request.ports, onStderr: (chunk: Buffer) => void seen.push(String(chunk))};
    expect(await superviseRun({...request, ports, clock}, none)).toMatchObject({status: 'denied', exitCode: 3});
    expect(seen.join('')).toBe('the disk is full. Trying again.\n'.repeat(3));
    expect(pauses.filter((ms) => ms < 10_000)).toEqual([250, 500, 1000]);
  });
});

describe('the artefacts', () => {
  it('are bounded: the first 20 MB of events, the last MB of stderr', {timeout: 60_000}, async () => {
    const {request} = await bench(`head -c 22000000 /dev/zero; head -c 3000000 /dev/zero | tr '\\0' e >&2; printf end >&2`);
    const row = await superviseRun(request, none);
    const size = (name: string): number => statSync(join(row?.folder ?? '', name)).size;
    expect([size('events.jsonl'), size('stderr.txt')]).toEqual([20 * 2 ** 20, 2 ** 20]);
    expect(readFileSync(join(row?.folder ?? '', 'stderr.txt'), 'utf8').slice(-4)).toBe('eend');
    expect(row).toMatchObject({status: 'done', note: 'events.jsonl is not complete: it has the first 20 MB.'});
  });
});

describe('a run whose supervisor is gone', () => {
  const gone = {pid: 2 ** 30, start: '1', boot: systemProcesses.own().boot, space: systemProcesses.own().space};

  async function taken(
    files: Readonly<Record<string, string>>,
    owner = gone,
  ): Promise<{request: SuperviseRequest; folder: string; taken: () => Promise<unknown>}> {
    const {request, store} = await bench('echo x >> began');
    const folder = join(request.folders.runs, 'nightly/1');
    mkdirSync(folder, {recursive: true});
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    store.begin(1, {owner, startedAt: 1, folder});
    const parts = {store, processes: systemProcesses, clock: {...systemClock, now: () => 9}};
    return {
      request,
      folder,
      async taken() {
        const run = store.openRun(1);
        if (run !== undefined) await recoverRun(parts, run);
        return store.run(1);
      },
    };
  }

  it('and that has not begun is claimed again, and can never begin under the old lease', async () => {
    const {folder, request, taken: take} = await taken({});
    expect(await take()).toMatchObject({status: 'claimed', note: 'Its supervisor ended before it began.'});
    expect(readdirSync(folder)).toEqual(['begun-1']);
    expect(await superviseRun(request, none)).toMatchObject({status: 'done'});
    expect(readdirSync(folder)).toContain('begun-2');
  });

  it('and that ended by itself has the exit code that was written down', async () => {
    const {taken: take} = await taken({'begun-1': '', 'exit-1': '4\n'});
    expect(await take()).toMatchObject({status: 'limit', exitCode: 4, endedAt: 9});
  });

  it('and that had begun is interrupted', async () => {
    const {taken: take} = await taken({'begun-1': '', 'exit-1': ''});
    expect(await take()).toMatchObject({
      status: 'interrupted',
      note: 'Its supervisor ended unexpectedly: it was killed, or memory ran out.',
    });
  });

  it('after a restart of the computer is interrupted, whatever the files say that may have been lost', async () => {
    const {taken: take} = await taken({}, {...gone, boot: 'another'});
    expect(await take()).toMatchObject({status: 'interrupted', note: 'The computer was restarted while it ran.'});
  });

  it('and whose folder is gone may have begun: it is not begun again', async () => {
    const {folder, taken: take} = await taken({});
    rmSync(folder, {recursive: true});
    expect(await take()).toMatchObject({status: 'interrupted'});
  });
});
