import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {FettleError} from '../../../src/base/errors.ts';
import type {DaemonParts} from '../../../src/schedule/daemon/daemon-ports.ts';
import {createNotifications} from '../../../src/schedule/daemon/notifications.ts';
import type {JobDefinition} from '../../../src/schedule/jobs/job-definition.ts';
import {openScheduleStore} from '../../../src/schedule/store/open-store.ts';
import {scheduleFolders} from '../../../src/schedule/store/schedule-folders.ts';
import type {RunEnd, ScheduleStore} from '../../../src/schedule/store/schedule-store.ts';
import {systemProcesses} from '../../../src/schedule/supervisor/processes.ts';
import {scratch} from '../../support/scratch.ts';
import {job} from '../support/job.ts';

interface Bench {
  readonly home: string;
  readonly store: ScheduleStore;
  readonly texts: string[];
  readonly log: string[];
  readonly tellEnds: (jobs: readonly JobDefinition[], broken?: readonly string[]) => Promise<void>;
  readonly remind: (one: JobDefinition, text: string) => Promise<void>;
}

async function bench(
  tell: () => Promise<void> = async () => await Promise.resolve(),
  signal = new AbortController().signal,
): Promise<Bench> {
  const home = await scratch();
  const folders = scheduleFolders({configDir: home, stateDir: home});
  const store = openScheduleStore(folders.database);
  onTestFinished(() => store.close());
  const texts: string[] = [];
  const log: string[] = [];
  const ports: DaemonParts['ports'] = {
    loadJobs: async () => await Promise.resolve({jobs: [], broken: []}),
    superviseCommand: () => ({file: '', args: [], env: {}}),
    async tell({title, text}) {
      await tell();
      texts.push(`${title} | ${text}`);
    },
    log: (line) => void log.push(line),
  };
  const clock = {now: () => 9, after: () => () => undefined};
  const made = createNotifications({folders, store, ports, clock, processes: systemProcesses}, signal);
  return {
    home,
    store,
    texts,
    log,
    async tellEnds(jobs, broken = []) {
      made.tellEnds({jobs, broken: broken.map((name) => ({name, reason: ''}))});
      made.tellEnds({jobs, broken: broken.map((name) => ({name, reason: ''}))});
      await made.idle();
    },
    async remind(one, text) {
      const run = store.claim(one, {due: 1, trigger: 'due'});
      if (run === undefined) throw new Error('it was claimed');
      made.remind(one, text, run);
      made.remind(one, text, run);
      await made.idle();
    },
  };
}

let due = 0;

function ended({store, home}: Bench, one: JobDefinition, end: Omit<RunEnd, 'endedAt'>, lastMessage?: string): void {
  due += 1;
  const run = store.claim(one, {due, trigger: 'due'});
  const folder = join(home, String(due));
  mkdirSync(folder);
  if (lastMessage !== undefined) writeFileSync(join(folder, 'last-message.txt'), lastMessage);
  const lease = store.begin(run?.id ?? 0, {owner: systemProcesses.own(), startedAt: 1, folder});
  if (lease !== undefined) store.end(lease, {...end, endedAt: 2});
}

describe('the end of a run', () => {
  it('is told once, short and harmless, with the last message or the reason', async () => {
    const at = await bench();
    const one = job({notify: 'always'});
    ended(at, one, {status: 'done', exitCode: 0}, `--rm\n\u001b[31mAll\u202e green.${' and on'.repeat(100)}`);
    ended(at, one, {status: 'done', exitCode: 0});
    ended(at, one, {status: 'limit', exitCode: 4, note: 'The limit of 3 turns is reached.'});
    await at.tellEnds([one]);
    await at.tellEnds([one]);
    expect(at.texts).toEqual([
      `Fettle: nightly | done: ${`--rm All\\u202e green.${' and on'.repeat(100)}`.slice(0, 300)}…`,
      'Fettle: nightly | done.',
      'Fettle: nightly | stopped at a limit: The limit of 3 turns is reached.',
    ]);
  });

  it('is told as the job wants it: `failure` is all but done and cancelled', async () => {
    const at = await bench();
    const jobs = (['always', 'failure', 'never'] as const).map((notify) => job({name: notify, notify}));
    const statuses = ['done', 'cancelled', 'failed', 'interrupted', 'blocked'] as const;
    for (const one of jobs) for (const status of statuses) ended(at, one, {status});
    await at.tellEnds(jobs);
    const told = at.texts.map((text) => text.slice('Fettle: '.length));
    expect(told.filter((text) => text.startsWith('always'))).toHaveLength(5);
    expect(told.filter((text) => !text.startsWith('always'))).toEqual([
      'failure | failed.',
      'failure | interrupted.',
      'failure | blocked.',
    ]);
  });

  it('of a job that is broken waits until it is fixed, of a job that was removed is not told', async () => {
    const at = await bench();
    const [one, gone] = [job({notify: 'always'}), job({name: 'gone', notify: 'always'})];
    ended(at, one, {status: 'done'});
    ended(at, gone, {status: 'done'});
    await at.tellEnds([], ['nightly']);
    expect(at.texts).toEqual([]);
    await at.tellEnds([one, gone]);
    expect(at.texts).toEqual(['Fettle: nightly | done.']);
  });

  it('that nobody could be told of is named in the log, and not tried for ever', async () => {
    const at = await bench(
      async () => await Promise.reject(new FettleError({code: 'UNAVAILABLE', message: 'There is no desktop to notify on.'})),
    );
    const one = job({notify: 'always'});
    ended(at, one, {status: 'done'});
    await at.tellEnds([one]);
    await at.tellEnds([one]);
    expect(at.log).toEqual(['nightly: nobody could be notified of run 1: There is no desktop to notify on.']);
  });
});

describe('a reminder', () => {
  it('is sent once', async () => {
    const at = await bench();
    await at.remind(job({reminder: 'Tea.'}), 'Tea.');
    expect([at.texts, at.store.run(1)?.status]).toEqual([['Fettle: nightly | Tea.'], 'sent']);
  });

  it('that reaches nobody has failed, with the reason', async () => {
    const at = await bench(
      async () => await Promise.reject(new FettleError({code: 'UNAVAILABLE', message: 'There is no desktop to notify on.'})),
    );
    await at.remind(job({reminder: 'Tea.'}), 'Tea.');
    expect(at.store.run(1)).toMatchObject({status: 'failed', note: 'There is no desktop to notify on.'});
  });

  it('that a daemon was sending when it ended is sent by the next', async () => {
    const stop = new AbortController();
    const at = await bench(async () => {
      stop.abort();
      return await Promise.reject(new Error('cancelled'));
    }, stop.signal);
    await at.remind(job({reminder: 'Tea.'}), 'Tea.');
    expect(at.store.run(1)).toMatchObject({status: 'claimed', note: 'The daemon was ended.'});
  });
});
