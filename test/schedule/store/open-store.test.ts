import {chmodSync, mkdirSync, statSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, it, onTestFinished} from 'vitest';
import {openScheduleStore} from '../../../src/schedule/store/open-store.ts';
import type {ScheduleStore} from '../../../src/schedule/store/schedule-store.ts';
import {scratch} from '../../support/scratch.ts';

const KEY = {name: 'nightly', createdAt: 1000};
const OWNER = {pid: 1, start: '1', boot: 'b', space: 's'};

async function newStore(): Promise<{store: ScheduleStore; file: string}> {
  const file = join(await scratch(), 'schedule/schedule.sqlite');
  const store = openScheduleStore(file);
  onTestFinished(() => store.close());
  return {store, file};
}

describe('claiming', () => {
  it('takes each due time of a job once, for two processes too', async () => {
    const {store, file} = await newStore();
    const other = openScheduleStore(file);
    onTestFinished(() => other.close());
    expect(store.claim(KEY, {due: 5000, trigger: 'due'})).toEqual({id: 1, job: 'nightly', due: 5000, trigger: 'due', status: 'claimed'});
    expect(other.claim(KEY, {due: 5000, trigger: 'missed'})).toBe(undefined);
    expect(other.claim({...KEY, name: 'other'}, {due: 5000, trigger: 'due'})).toMatchObject({job: 'other'});
    expect([...other.recorded(KEY, {after: 0, upTo: 9000})]).toEqual([5000]);
    expect([...other.recorded(KEY, {after: 5000, upTo: 9000})]).toEqual([]);
  });

  it('of a job that was removed and added again begins afresh', async () => {
    const {store} = await newStore();
    store.claim(KEY, {due: 5000, trigger: 'due'});
    store.setPaused(KEY, true, 5000);
    store.setWaiting(KEY, 'The project has changed.');
    expect(store.state(KEY)).toEqual({watermark: 1000, paused: true, waiting: 'The project has changed.'});
    store.forget('nightly');
    const again = {...KEY, createdAt: 6000};
    expect(store.state(again)).toEqual({watermark: 6000, paused: false});
    expect(store.runs(again, 10)).toEqual([]);
    expect(store.openRuns()).toEqual([]);
    expect(store.claim(again, {due: 5000, trigger: 'due'})).toMatchObject({status: 'claimed'});
  });

  it('by hand finds a moment of its own', async () => {
    const {store} = await newStore();
    store.claim(KEY, {due: 5000, trigger: 'due'});
    expect(store.requestRun(KEY, 5000)).toEqual({id: 2, job: 'nightly', due: 5001, trigger: 'hand', status: 'claimed'});
    store.requestRun(KEY, 5000, OWNER);
    expect(store.openRun(3)).toMatchObject({due: 5002, owner: OWNER});
  });
});

describe('a decision', () => {
  it('is stored as a whole: claims, what is left out, what is replaced, the watermark', async () => {
    const {store} = await newStore();
    store.claim(KEY, {due: 2000, trigger: 'due'});
    store.claim(KEY, {due: 3000, trigger: 'due'});
    store.begin(1, {owner: OWNER, startedAt: 2001, folder: '/runs/1'});
    const plan = {
      claims: [{due: 9000, trigger: 'due' as const}],
      skips: [{due: 8000, trigger: 'missed' as const, note: 'It was missed.'}],
      replace: 'A later due time took its place.',
      watermark: 9100,
    };
    expect(store.apply(KEY, plan, 9100)).toEqual([{id: 4, job: 'nightly', due: 9000, trigger: 'due', status: 'claimed'}]);
    expect(store.runs(KEY, 3)).toEqual([
      {id: 4, job: 'nightly', due: 9000, trigger: 'due', status: 'claimed'},
      {id: 3, job: 'nightly', due: 8000, trigger: 'missed', status: 'skipped', note: 'It was missed.', endedAt: 9100},
      {id: 2, job: 'nightly', due: 3000, trigger: 'due', status: 'cancelled', note: 'A later due time took its place.', endedAt: 9100},
    ]);
    expect(store.openRun(1)).toMatchObject({status: 'running', cancel: 'A later due time took its place.'});
    expect(store.state(KEY)).toEqual({watermark: 9100, paused: false});
    expect(store.unreported()).toEqual([]);
    expect(store.apply(KEY, plan, 9100)).toEqual([]);
  });

  it('about due times that passed in a pause is none', async () => {
    const {store} = await newStore();
    store.setPaused(KEY, true, 2000);
    store.setPaused(KEY, true, 3000);
    expect(store.state(KEY)).toEqual({watermark: 1000, paused: true});
    store.setPaused(KEY, false, 7000);
    store.setPaused(KEY, false, 9000);
    expect(store.state(KEY)).toEqual({watermark: 7000, paused: false});
  });
});

describe('a lease', () => {
  it('is taken by one, and for one run of a job at a time', async () => {
    const {store} = await newStore();
    store.claim(KEY, {due: 2000, trigger: 'due'});
    store.claim(KEY, {due: 3000, trigger: 'due'});
    expect(store.begin(1, {owner: OWNER, startedAt: 2001, folder: '/runs/1'})).toEqual({id: 1, attempt: 1});
    expect(store.begin(1, {owner: OWNER, startedAt: 2001, folder: '/runs/1'})).toBe(undefined);
    expect(store.begin(2, {owner: OWNER, startedAt: 2001, folder: '/runs/2'})).toBe(undefined);
    expect(store.end({id: 1, attempt: 1}, {status: 'done', exitCode: 0, endedAt: 2500})).toBe(true);
    expect(store.begin(2, {owner: OWNER, startedAt: 3001, folder: '/runs/2'})).toEqual({id: 2, attempt: 1});
    expect(store.unreported()).toEqual([
      {id: 1, job: 'nightly', due: 2000, trigger: 'due', status: 'done', exitCode: 0, startedAt: 2001, endedAt: 2500, folder: '/runs/1'},
    ]);
    store.setReported(1);
    expect(store.unreported()).toEqual([]);
  });

  it('is lost with the next attempt: whoever held it changes nothing any more', async () => {
    const {store} = await newStore();
    store.claim(KEY, {due: 2000, trigger: 'due'});
    const lease = store.begin(1, {owner: OWNER, startedAt: 2001, folder: '/runs/1'}) ?? {id: 0, attempt: 0};
    expect(store.setLeader(lease, {...OWNER, pid: 7})).toBe(true);
    expect(store.renew(lease, 2100)).toEqual({lost: false});
    expect(store.release(lease, 'Its supervisor ended before it began.')).toBe(true);
    expect(store.openRun(1)).toEqual({
      id: 1,
      job: 'nightly',
      createdAt: 1000,
      due: 2000,
      trigger: 'due',
      status: 'claimed',
      note: 'Its supervisor ended before it began.',
      folder: '/runs/1',
      attempt: 1,
    });
    expect(store.renew(lease, 2200)).toEqual({lost: true});
    expect(store.begin(1, {owner: OWNER, startedAt: 2300, folder: '/runs/1'})).toEqual({id: 1, attempt: 2});
    expect(store.setLeader(lease, OWNER)).toBe(false);
    expect(store.end(lease, {status: 'done', endedAt: 2400})).toBe(false);
    expect(store.release(lease, '')).toBe(false);
    expect(store.renew({id: 1, attempt: 2}, 2500)).toEqual({lost: false});
  });

  it('tells of a cancellation; what has not begun is cancelled at once, what has ended is not', async () => {
    const {store} = await newStore();
    store.claim(KEY, {due: 2000, trigger: 'due'});
    store.claim(KEY, {due: 3000, trigger: 'due'});
    const lease = store.begin(1, {owner: OWNER, startedAt: 2001, folder: '/runs/1'}) ?? {id: 0, attempt: 0};
    expect([store.cancel(1, 'Enough.', 5000), store.cancel(2, 'Enough.', 5000), store.cancel(2, 'Again.', 6000)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(store.renew(lease, 2100)).toEqual({lost: false, cancel: 'Enough.'});
    expect(store.run(2)).toMatchObject({status: 'cancelled', note: 'Enough.', endedAt: 5000});
    expect(store.endClaimed(2, {status: 'skipped', endedAt: 7000})).toBe(false);
    expect(store.begin(2, {owner: OWNER, startedAt: 5000})).toBe(undefined);
  });

  it('of a job that is removed ends with it', async () => {
    const {store} = await newStore();
    store.claim(KEY, {due: 2000, trigger: 'due'});
    const lease = store.begin(1, {owner: OWNER, startedAt: 2001, folder: '/runs/1'}) ?? {id: 0, attempt: 0};
    store.forget('nightly');
    expect(store.renew(lease, 2100)).toEqual({lost: false, cancel: 'The job was removed.'});
    expect(store.end(lease, {status: 'cancelled', endedAt: 2200})).toBe(true);
    expect(store.unreported()).toEqual([]);
  });
});

describe('what is old', () => {
  it('leaves: the newest runs of a job stay, and those that have not ended', async () => {
    const {store} = await newStore();
    for (const due of [1, 2, 3, 4]) store.claim(KEY, {due, trigger: 'due'});
    for (const id of [2, 3]) {
      const lease = store.begin(id, {owner: OWNER, startedAt: 5, folder: `/runs/${id}`}) ?? {id: 0, attempt: 0};
      store.end(lease, {status: 'done', endedAt: 6});
    }
    store.dropFolder(3);
    expect(store.dropRuns(KEY, 2)).toEqual(['/runs/2']);
    expect(store.runs(KEY, 10).map(({id, status, folder}) => [id, status, folder])).toEqual([
      [4, 'claimed', undefined],
      [3, 'done', undefined],
      [1, 'claimed', undefined],
    ]);
  });
});

describe('the file', () => {
  it('is for its owner alone', async () => {
    const {file} = await newStore();
    expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('is refused where others can write it, where it is a link, and where it is newer than this program', async () => {
    const root = await scratch();
    const file = join(root, 'a/schedule.sqlite');
    mkdirSync(join(root, 'a'));
    chmodSync(join(root, 'a'), 0o777);
    expect(() => openScheduleStore(file)).toThrow(`The schedule in ${root}/a can be written by others.`);
    chmodSync(join(root, 'a'), 0o700);
    symlinkSync(join(root, 'elsewhere'), file);
    expect(() => openScheduleStore(file)).toThrow(`The schedule in ${root}/a can be written by others.`);
    const newer = new DatabaseSync(join(root, 'newer.sqlite'));
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    chmodSync(root, 0o700);
    expect(() => openScheduleStore(join(root, 'newer.sqlite'))).toThrow('was written by a newer version of Fettle.');
  });

  it('is named with the cause: broken, or held by another process', async () => {
    const root = await scratch({'broken.sqlite': 'no database at all, but long enough to be read as one'.repeat(100)});
    chmodSync(root, 0o700);
    expect(() => openScheduleStore(join(root, 'broken.sqlite'))).toThrow(
      expect.objectContaining({
        code: 'IO',
        message: `${root}/broken.sqlite: the file is not a database any more.`,
        hint: 'Move it away: a new one is made, with no runs of the past. The jobs themselves are files of their own and stay.',
      }),
    );
  });

  it('is not changed by a transaction that fails in the middle', async () => {
    const {store, file} = await newStore();
    const spoiler = new DatabaseSync(file);
    onTestFinished(() => spoiler.close());
    spoiler.exec("CREATE TRIGGER full BEFORE UPDATE ON jobs BEGIN SELECT RAISE(ABORT, 'full'); END");
    const plan = {claims: [{due: 2000, trigger: 'due' as const}], skips: [], watermark: 2000};
    expect(() => store.apply(KEY, plan, 2000)).toThrow(`${file}: full.`);
    expect(store.runs(KEY, 10)).toEqual([]);
    spoiler.exec('DROP TRIGGER full');
    expect(store.apply(KEY, plan, 2000)).toHaveLength(1);
  });
});
