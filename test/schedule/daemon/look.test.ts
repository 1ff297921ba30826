import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {openScheduleStore} from '../../../src/schedule/store/open-store.ts';
import type {ScheduleStore} from '../../../src/schedule/store/schedule-store.ts';
import {scratch} from '../../support/scratch.ts';
import {job, type JobChoice} from '../support/job.ts';
import {World} from './chaos-world.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

async function world(choices: readonly JobChoice[]): Promise<{world: World; store: ScheduleStore; rows: () => readonly string[]}> {
  const home = await scratch();
  const store = openScheduleStore(join(home, 'schedule/schedule.sqlite'));
  onTestFinished(() => store.close());
  const made = new World(store, home);
  for (const choice of choices) made.jobs.set(choice.name ?? 'nightly', job(choice));
  const rows = (): readonly string[] =>
    [...made.jobs.values()]
      .flatMap((one) => store.runs(one, 100).map(({job: name, due, status, note}) => `${name} ${due / HOUR} ${status}: ${note}`))
      .toSorted();
  made.startDaemon();
  await made.settle();
  return {world: made, store, rows};
}

/** Lets the first supervisor that is alive run to its end. */
async function finish(at: World): Promise<void> {
  for (let count = 0; count < 6; count += 1) await at.step(0);
}

describe('a daemon', () => {
  it('runs what is due, and notifies as the job says', async () => {
    const {world: at, rows} = await world([{notify: 'always'}, {name: 'quiet'}]);
    await at.advance(HOUR);
    expect(rows()).toEqual(['nightly 1 claimed: undefined', 'quiet 1 claimed: undefined']);
    await finish(at);
    await finish(at);
    expect(rows()).toEqual(['nightly 1 done: undefined', 'quiet 1 done: undefined']);
    expect(at.told).toEqual([1]);
  });

  it('is not stopped by a broken job: it is named once, the others go on, and it goes on when it is fixed', async () => {
    const {world: at, rows} = await world([{}, {name: 'other'}]);
    at.broken.add('nightly');
    await at.advance(HOUR);
    await finish(at);
    await at.advance(HOUR);
    expect(rows()).toEqual(['other 1 done: undefined', 'other 2 claimed: undefined']);
    expect(at.log).toEqual([
      'nightly is not run: line 3',
      'other: run 1 starts, due 1970-01-01T01:00:00.000Z',
      'other: run 1 ended: done',
      'other: run 2 starts, due 1970-01-01T02:00:00.000Z',
    ]);
    at.broken.clear();
    at.wake();
    await at.settle();
    expect(rows().slice(0, 2)).toEqual([
      'nightly 1 skipped: It was missed: the computer slept or was off, or no daemon ran.',
      'nightly 2 claimed: undefined',
    ]);
  });

  it('lets four runs go on at once; the others wait', async () => {
    const {world: at} = await world(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({name})));
    await at.advance(HOUR);
    expect(at.supervisors.map(({id}) => id)).toEqual([1, 2, 3, 4]);
    await finish(at);
    expect(at.supervisors.map(({id}) => id)).toEqual([1, 2, 3, 4, 5]);
  });

  it('that was killed leaves its runs to their supervisors, and the next one takes over', async () => {
    const {world: at, rows} = await world([{}]);
    await at.advance(HOUR);
    await at.step(0);
    at.killDaemon();
    await at.step(0);
    at.startDaemon();
    await at.settle();
    expect(at.supervisors).toHaveLength(1);
    await finish(at);
    await at.advance(10_000);
    expect([rows(), at.began]).toEqual([['nightly 1 done: undefined'], [1]]);
  });

  it('that was killed between claim and start is followed by one that starts the run', async () => {
    const {world: at, store, rows} = await world([{}]);
    at.killDaemon();
    store.claim(job(), {due: HOUR, trigger: 'due'});
    at.startDaemon();
    await at.settle();
    await finish(at);
    expect(rows()).toEqual(['nightly 1 done: undefined']);
  });

  it('ends a run whose supervisor was killed, and says so', async () => {
    const {world: at, rows} = await world([{}]);
    await at.advance(HOUR);
    for (let count = 0; count < 4; count += 1) await at.step(0);
    await at.killSupervisor(0, false);
    const note = 'Its supervisor ended unexpectedly: it was killed, or memory ran out.';
    expect([rows(), at.began, at.told]).toEqual([[`nightly 1 interrupted: ${note}`], [1], [1]]);
    expect(at.log.at(-1)).toBe(`nightly: run 1 was taken over: interrupted, ${note}`);
  });

  it('does not say of a run that it has ended where its supervisor was killed', async () => {
    const {world: at} = await world([{}]);
    await at.advance(HOUR);
    while (at.began.length === 0) await at.step(0);
    await at.killSupervisor(0, false);
    expect(at.log.slice(0, 2)).toEqual([
      'nightly: run 1 starts, due 1970-01-01T01:00:00.000Z',
      'nightly: the supervisor of run 1 has ended before its run.',
    ]);
  });

  it('starts a run again whose supervisor died before it began, at longer and longer intervals', async () => {
    const {world: at, rows} = await world([{}]);
    await at.advance(HOUR);
    await at.killSupervisor(0, false);
    expect(at.supervisors).toHaveLength(1);
    await at.advance(1000);
    expect(at.supervisors).toHaveLength(2);
    await at.killSupervisor(0, false);
    await at.advance(1000);
    expect(at.supervisors).toHaveLength(2);
    await at.advance(1000);
    expect(at.supervisors).toHaveLength(3);
    await finish(at);
    expect([rows(), at.began]).toEqual([['nightly 1 done: undefined'], [1]]);
    const starts = 'nightly: run 1 starts, due 1970-01-01T01:00:00.000Z';
    const fails = 'nightly: run 1 has not begun, it is tried again: Its supervisor ended at once.';
    expect(at.log).toEqual([starts, fails, starts, fails, starts, 'nightly: run 1 ended: done']);
  });

  it('runs what passed while it was away, as each job says', async () => {
    const missed = [
      {name: 'skip', missed: 'skip'},
      {name: 'once', missed: 'once'},
      {name: 'all', missed: 'all'},
    ] as const;
    const {world: at, rows} = await world(missed);
    at.killDaemon();
    await at.advance(3 * HOUR + 5 * MINUTE);
    at.startDaemon();
    await at.settle();
    const note = 'It was missed: the computer slept or was off, or no daemon ran.';
    expect(rows()).toEqual([
      'all 1 claimed: undefined',
      'all 2 claimed: undefined',
      'all 3 claimed: undefined',
      `once 2 skipped: ${note} This stands for 2 due times.`,
      'once 3 claimed: undefined',
      `skip 3 skipped: ${note} This stands for 3 due times.`,
    ]);
  });

  it('notices sleep after ten minutes at most', async () => {
    const {world: at, rows} = await world([{}]);
    at.wall += 5 * HOUR + 30 * MINUTE;
    await at.advance(10 * MINUTE);
    expect(rows()).toHaveLength(2);
  });

  it('ends the old run for the new one where the job says so', async () => {
    const {world: at, rows} = await world([{overlap: 'cancel-old'}]);
    await at.advance(HOUR);
    await at.step(0);
    await at.advance(HOUR);
    expect(rows()).toEqual(['nightly 1 cancelled: undefined', 'nightly 2 claimed: undefined']);
    await finish(at);
    expect(rows()[1]).toBe('nightly 2 done: undefined');
  });

  it('leaves out what waits when its job is paused, but runs what a person asks for', async () => {
    const {world: at, store, rows} = await world([{overlap: 'queue'}]);
    await at.advance(HOUR);
    await at.step(0);
    await at.advance(HOUR);
    store.setPaused(job(), true, at.wall);
    store.requestRun(job(), at.wall + 1);
    at.wake();
    await at.settle();
    await finish(at);
    await finish(at);
    expect(rows()).toEqual([
      'nightly 1 done: undefined',
      'nightly 2 skipped: The job was paused.',
      `nightly ${(2 * HOUR + 1) / HOUR} done: undefined`,
    ]);
  });

  it('ends claimed runs of a job that was removed', async () => {
    const {world: at, store} = await world([{overlap: 'queue'}]);
    await at.advance(HOUR);
    await at.step(0);
    await at.advance(HOUR);
    at.jobs.clear();
    at.wake();
    await at.settle();
    expect(store.run(2)).toMatchObject({status: 'skipped', note: 'The job was removed.'});
  });

  it('begins with the due times of an edited job when it was edited', async () => {
    const {world: at, rows} = await world([{timing: {kind: 'at', at: 90 * HOUR}}]);
    await at.advance(5 * HOUR);
    at.jobs.set('nightly', job());
    at.wake();
    await at.advance(30 * MINUTE);
    expect(rows()).toEqual([]);
    await at.advance(30 * MINUTE);
    expect(rows()).toEqual(['nightly 6 claimed: undefined']);
  });

  it('sends reminders itself, and says where it could not', async () => {
    const {world: at, rows} = await world([{reminder: 'Tea.', notify: 'always'}]);
    await at.advance(HOUR);
    expect([rows(), at.told]).toEqual([['nightly 1 sent: undefined'], [1]]);
  });

  it('does nothing more than name a full disk, and goes on when there is room', async () => {
    const {world: at, rows} = await world([{}]);
    at.isFull = true;
    await at.advance(HOUR + 3000);
    expect([rows(), at.log]).toEqual([[], ['nightly: the disk is full.']]);
    at.isFull = false;
    await at.advance(MINUTE);
    expect(rows()).toEqual(['nightly 1 claimed: undefined']);
  });
});
