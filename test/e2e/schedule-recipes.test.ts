import {execFile} from 'node:child_process';
import {chmod, mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {Clock} from '../../src/schedule/clock.ts';
import type {Notification} from '../../src/schedule/daemon/daemon-ports.ts';
import {runDaemon} from '../../src/schedule/daemon/run-daemon.ts';
import type {JobDefinition} from '../../src/schedule/jobs/job-definition.ts';
import {readJobs} from '../../src/schedule/jobs/job-folder.ts';
import {openScheduleStore} from '../../src/schedule/store/open-store.ts';
import type {RunRecord} from '../../src/schedule/store/run-record.ts';
import {scheduleFolders} from '../../src/schedule/store/schedule-folders.ts';
import {nextDue} from '../../src/schedule/times/due-times.ts';
import {awaitedProcesses} from '../schedule/support/awaited-processes.ts';
import {LAUNCHER, place, type Place} from './support.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/guide/schedule.md'), 'utf8');

/** The command line below a heading of the page, as it stands there. */
function recipe(heading: string): string {
  const [, block = ''] = new RegExp(`### ${heading}\n[^]*?\`\`\`sh\n([^]*?)\`\`\``).exec(page) ?? [];
  return block;
}

/** A Monday in winter: no clock is changed for weeks. */
const CREATED = Date.parse('2027-01-04T09:00:00Z');

/** A clock that stands still until it is moved. */
function movedClock(): {readonly clock: Clock; moveTo(moment: number): void} {
  let now = CREATED;
  const timers = new Set<{readonly at: number; readonly run: () => void}>();
  return {
    clock: {
      now: () => now,
      after(ms, run) {
        const timer = {at: now + ms, run};
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
    moveTo(moment) {
      now = moment;
      for (const timer of [...timers].filter(({at}) => at <= now)) {
        timers.delete(timer);
        timer.run();
      }
    },
  };
}

interface Living {
  readonly at: Place;
  readonly told: readonly Notification[];
  /** Moves the clock to the next due time of the job, by `times` of them, and returns the newest run when it has ended. */
  next(times?: number): Promise<RunRecord>;
  runs(): readonly RunRecord[];
}

/** A person's computer: the page's command line is typed, and a daemon with a clock of the test starts the built command. */
async function live(heading: string, replies: readonly object[], files: Readonly<Record<string, string>> = {}): Promise<Living> {
  const at = await place({'package.json': '{}', ...files});
  const script = join(at.home, 'script.json');
  await writeFile(script, JSON.stringify({replies}));
  await writeFile(join(at.home, 'config.toml'), `model = "script:${script}"\n`);
  const env = {...at.env, PATH: `${await programs(at)}:${at.env['PATH'] ?? ''}`, TZ: 'Europe/Berlin'};
  await promisify(execFile)('sh', ['-c', recipe(heading)], {cwd: at.work, env});

  const folders = scheduleFolders({configDir: at.home, stateDir: join(at.home, 'state')});
  await created(folders.jobs);
  const found = (await readJobs(folders.jobs)).flatMap((one) => ('job' in one ? [one.job] : []));
  const [job] = found as [JobDefinition];
  const store = openScheduleStore(folders.database);
  onTestFinished(() => store.close());
  const told: Notification[] = [];
  const {clock, moveTo} = movedClock();
  const ended = new AbortController();
  const daemon = runDaemon(
    {
      folders,
      store,
      clock,
      processes: awaitedProcesses(),
      ports: {
        loadJobs: async () => await Promise.resolve({jobs: found, broken: []}),
        superviseCommand: ({id}) => ({file: process.execPath, args: [LAUNCHER, 'schedule', 'supervise', String(id)], env}),
        tell: async (notification) => await Promise.resolve(void told.push(notification)),
        log: () => undefined,
      },
    },
    ended.signal,
  );
  onTestFinished(async () => {
    ended.abort();
    await daemon;
  });
  const newest = (): RunRecord | undefined => store.runs(job, 1)[0];
  return {
    at,
    told,
    runs: () => store.runs(job, 10),
    async next(times = 1) {
      let due = clock.now();
      for (let count = 0; count < times; count += 1) due = nextDue(job.timing, due) ?? due;
      moveTo(due);
      await expect.poll(() => [newest()?.due, newest()?.endedAt === undefined], {timeout: 30_000, interval: 20}).toEqual([due, false]);
      return newest() as RunRecord;
    },
  };
}

/** Moves the creation of the jobs to the clock of the test. */
async function created(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const text = await readFile(join(folder, name), 'utf8');
    await writeFile(join(folder, name), text.replace(/^created = .*$/m, `created = ${new Date(CREATED).toISOString()}`));
  }
}

/** The page's commands, and an npm whose result the test decides: the file `fails` makes it fail. */
async function programs({home}: Place): Promise<string> {
  const folder = join(home, 'bin');
  await mkdir(folder);
  const npm = '#!/bin/sh\nif [ -e fails ]; then echo "AssertionError: 1 is not 2"; exit 1; fi\necho "$@: passed"\n';
  for (const [name, text] of Object.entries({npm, fettle: `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`})) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

const bash = (command: string): object => ({toolCalls: [{name: 'bash', arguments: {command}}]});

describe('docs/guide/schedule.md › recipes, typed as they stand there, with a clock of the test', () => {
  it('nightly checks: a night that passes is silent, a night that fails is told and is not done', async () => {
    const {at, next, told} = await live('Nightly checks', [
      bash('npm test'),
      bash('npm run lint'),
      {text: 'All is well.'},
      {text: 'It fails.'},
    ]);
    const first = await next();
    expect([first.status, new Date(first.due).toLocaleTimeString('de', {timeZone: 'Europe/Berlin'})]).toEqual(['done', '02:00:00']);
    expect(await readFile(join(first.folder ?? '', 'last-message.txt'), 'utf8')).toBe('All is well.');
    expect(told).toEqual([]);
    await writeFile(join(at.work, 'fails'), '');
    const second = await next();
    expect([second.status, second.note?.replace(/[\d.]+ s/, 'N s'), second.trigger, second.due - first.due]).toEqual([
      'blocked',
      '`npm test` exited with 1 after N s. Nothing has changed since it was said.',
      'due',
      86_400_000,
    ]);
    await expect.poll(() => told.map(({job, title}) => `${job}: ${title}`)).toEqual(['nightly-checks: Fettle: nightly-checks']);
  });

  it('weekly report: it is written, and after weeks without power once', async () => {
    const write = {toolCalls: [{name: 'write', arguments: {path: 'WEEKLY.md', content: '# This week\n'}}]};
    const {at, next, told, runs} = await live('Weekly report', [write, {text: 'Written.'}]);
    const first = await next();
    expect([first.status, await readFile(join(at.work, 'WEEKLY.md'), 'utf8')]).toEqual(['done', '# This week\n']);
    await expect.poll(() => told.map(({text}) => text)).toEqual(['done: Written.']);
    await next(4);
    expect(runs().map(({status, trigger, note}) => [status, trigger, note])).toEqual([
      ['done', 'due', undefined],
      ['skipped', 'missed', 'It was missed: the computer slept or was off, or no daemon ran. This stands for 3 due times.'],
      ['done', 'due', undefined],
    ]);
  });

  it('watch a flaky test: each failure is a line, and what was missed is not made up for', async () => {
    const note = {toolCalls: [{name: 'write', arguments: {path: 'flaky.md', content: '02:00 1 is not 2\n'}}]};
    const {at, next, runs, told} = await live('Watch a flaky test', [bash('npm test -- login'), note, {text: 'Noted.'}], {fails: ''});
    const first = await next();
    expect([first.status, await readFile(join(at.work, 'flaky.md'), 'utf8')]).toEqual(['done', '02:00 1 is not 2\n']);
    await next(5);
    expect(runs().map(({status}) => status)).toEqual(['done', 'skipped', 'done']);
    expect(told).toEqual([]);
  });
});
