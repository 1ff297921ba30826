import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import fc from 'fast-check';
import {describe, expect, it, onTestFinished} from 'vitest';
import {systemClock} from '../../src/schedule/clock.ts';
import type {JobDefinition} from '../../src/schedule/jobs/job-definition.ts';
import {openScheduleStore} from '../../src/schedule/store/open-store.ts';
import {scheduleFolders, type ScheduleFolders} from '../../src/schedule/store/schedule-folders.ts';
import type {ScheduleStore} from '../../src/schedule/store/schedule-store.ts';
import {markerOf} from '../../src/schedule/supervisor/gate.ts';
import {dueBetween} from '../../src/schedule/times/due-times.ts';
import {endProcessesOf, killedWithTest} from '../support/processes.ts';
import {scratch} from '../support/scratch.ts';
import {job} from '../schedule/support/job.ts';

const KILLS = Number(process.env['FETTLE_KILLS'] ?? 100);
const ENTRY = join(import.meta.dirname, '../schedule/support/entry.ts');
/** A minute in a tenth of a second. */
const FACTOR = 600;
const JOBS = ['a', 'b', 'c'];
/** Seconds between the due times of a job: 1.5 real ones. */
const PERIOD_S = 900;

interface Setting {
  readonly home: string;
  readonly folders: ScheduleFolders;
  readonly store: ScheduleStore;
  readonly jobs: readonly JobDefinition[];
  readonly clock: {readonly began: number; readonly factor: number; readonly end: number};
}

async function setting(seconds: number): Promise<Setting> {
  const home = await scratch();
  const folders = scheduleFolders({configDir: home, stateDir: join(home, 'state')});
  const began = systemClock.now();
  mkdirSync(folders.jobs);
  const prompt = `echo "$FETTLE_SCHEDULED_RUN" >> ${home}/began; sleep 0.$(( $$ % 4 )); exit 0`;
  const jobs = JOBS.map((name) =>
    job({
      name,
      prompt,
      createdAt: began,
      timing: {kind: 'every', seconds: PERIOD_S, anchor: began},
      workspace: home,
      missed: 'all',
      overlap: 'queue',
    }),
  );
  for (const one of jobs) writeFileSync(join(folders.jobs, `${one.name}.json`), JSON.stringify(one));
  const store = openScheduleStore(folders.database);
  onTestFinished(() => store.close());
  return {home, folders, store, jobs, clock: {began, factor: FACTOR, end: began + seconds * 1000 * FACTOR}};
}

function startDaemon({home, clock}: Setting): ChildProcess {
  const daemon = spawn(process.execPath, [ENTRY, 'daemon', home, JSON.stringify(clock)], {stdio: ['ignore', 'ignore', 'inherit']});
  onTestFinished(async () => await endProcessesOf(home));
  return killedWithTest(daemon);
}

/** proc(5) › children. */
function childrenOf(pid: number): readonly number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, 'latin1').split(' ').filter(Boolean).map(Number) : [];
}

/** The processes of one kind that could be killed now. */
function victims(kind: string, {store}: Setting, daemon: ChildProcess): readonly number[] {
  const open = store.openRuns();
  const leaders = open.flatMap(({leader}) => (leader === undefined ? [] : [leader.pid]));
  if (kind === 'supervisor')
    return [...open.flatMap(({owner}) => (owner === undefined ? [] : [owner.pid])), ...childrenOf(daemon.pid ?? 0)];
  if (kind === 'leader') return leaders;
  if (kind === 'program') return leaders.flatMap(childrenOf);
  return [daemon.pid ?? 0];
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Kills as often as asked; a daemon that was killed is started again. Returns the last one. */
async function killAtRandom(at: Setting, plan: readonly (readonly [string, number, number])[]): Promise<ChildProcess> {
  let daemon = startDaemon(at);
  for (const [kind, pause, pick] of plan) {
    await delay(pause);
    let found = victims(kind, at, daemon);
    while (found.length === 0) {
      await delay(5);
      // When nothing is due any more, there is only the daemon.
      found = victims(isOver(at) ? 'daemon' : kind, at, daemon);
    }
    const victim = found[pick % found.length] ?? 0;
    if (victim !== daemon.pid) {
      kill(victim);
      continue;
    }
    const exited = once(daemon, 'exit');
    kill(victim);
    await exited;
    daemon = startDaemon(at);
  }
  return daemon;
}

function isOver({clock}: Setting): boolean {
  return systemClock.now() > clock.began + (clock.end - clock.began) / clock.factor;
}

async function settled({store, jobs, clock}: Setting): Promise<void> {
  const isDone = (): boolean => store.openRuns().length === 0 && jobs.every((one) => lastDue(one, clock.end) <= newest(store, one));
  while (!isDone()) await delay(50);
}

function newest(store: ScheduleStore, one: JobDefinition): number {
  return Math.max(0, ...store.runs(one, 1000).map(({due}) => due));
}

function lastDue(one: JobDefinition, end: number): number {
  return dueBetween(one.timing, {after: one.createdAt, upTo: end, most: 1}).due[0] ?? 0;
}

describe('100 random kill -9 of daemon and runs (issue: nothing lost, nothing twice)', () => {
  it('each due time has one row, each run began once, and all others say why not', {timeout: 600_000}, async () => {
    const kind = fc.constantFrom('daemon', 'daemon', 'supervisor', 'supervisor', 'leader', 'program');
    const kills = fc.array(fc.tuple(kind, fc.integer({min: 0, max: 350}), fc.nat()), {minLength: KILLS, maxLength: KILLS, size: 'max'});
    const [plan = []] = fc.sample(kills, {numRuns: 1, seed: Number(process.env['FETTLE_SEED'])});
    const at = await setting(Math.round(KILLS * 0.6) + 5);
    const daemon = await killAtRandom(at, plan);
    await settled(at);
    const ended = once(daemon, 'exit');
    daemon.kill('SIGTERM');
    await ended;

    const began = readFileSync(join(at.home, 'began'), 'utf8').trim().split('\n');
    expect(began.length).toBe(new Set(began).size);
    const statuses = new Map<string, number>();
    for (const one of at.jobs) {
      const runs = at.store.runs(one, 10_000).toReversed();
      const due = dueBetween(one.timing, {after: one.createdAt, upTo: at.clock.end, most: 10_000}).due;
      expect(runs.map((run) => run.due).toSorted((a, b) => a - b)).toEqual(due);
      for (const {id, status, note} of runs) {
        statuses.set(`${status}: ${note}`, (statuses.get(`${status}: ${note}`) ?? 0) + 1);
        const folder = join(at.folders.runs, one.name, String(id));
        const attempts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((attempt) => markerOf({folder, attempt}).split('=')[1]);
        const times = attempts.filter((marker) => began.includes(marker ?? '')).length;
        // A program that was killed before its first line has begun, too.
        if (status === 'skipped') expect([id, times]).toEqual([id, 0]);
        else if (status === 'done') expect([id, times]).toEqual([id, 1]);
        else expect(times).toBeLessThanOrEqual(1);
      }
    }
    console.log(`${KILLS} kills`, statuses);
  });
});
