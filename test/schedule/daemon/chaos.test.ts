import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {openScheduleStore} from '../../../src/schedule/store/open-store.ts';
import type {RunRecord} from '../../../src/schedule/store/run-record.ts';
import type {ScheduleStore} from '../../../src/schedule/store/schedule-store.ts';
import {dueBetween} from '../../../src/schedule/times/due-times.ts';
import {scratch} from '../../support/scratch.ts';
import {job} from '../support/job.ts';
import {World} from './chaos-world.ts';

const RUNS = Number(process.env['FETTLE_CHAOS'] ?? 60);
const MINUTE = 60_000;
const NAMES = ['a', 'b', 'c', 'd', 'e'];

type Action = (world: World, store: ScheduleStore) => Promise<void> | void;

const named = (name: string, act: Action): {readonly name: string; readonly act: Action} => ({name, act});

/** What happens to a computer whose clock goes right, and to a daemon. */
const troubles = fc.oneof(
  {weight: 6, arbitrary: fc.nat({max: 20}).map((at) => named(`step ${at}`, async (world) => await world.step(at)))},
  {
    weight: 4,
    arbitrary: fc
      .integer({min: 1, max: 50})
      .map((minutes) => named(`${minutes} min`, async (world) => await world.advance(minutes * MINUTE))),
  },
  fc.integer({min: 1, max: 9}).map((hours) =>
    named(`${hours} h of sleep`, (world) => {
      world.wall += hours * 60 * MINUTE;
    }),
  ),
  fc
    .tuple(fc.nat({max: 20}), fc.boolean())
    .map(([at, late]) => named(`kill supervisor ${at}`, async (world) => await world.killSupervisor(at, late))),
  fc.constant(named('kill daemon', (world) => world.killDaemon())),
  fc.integer({min: 1, max: 40}).map((calls) => named(`kill daemon in ${calls} calls`, (world) => world.killDaemonLater(calls))),
  {
    weight: 2,
    arbitrary: fc.constant(
      named('start daemon', async (world) => {
        world.killDaemonLater(Infinity);
        world.startDaemon();
        await world.settle();
      }),
    ),
  },
  fc.boolean().map((isFull) =>
    named(isFull ? 'disk full' : 'disk has room', (world) => {
      world.isFull = isFull;
    }),
  ),
  fc.constantFrom(...NAMES).map((name) => named(`corrupt ${name}`, (world) => void world.broken.add(name))),
  fc.constantFrom(...NAMES).map((name) => named(`fix ${name}`, (world) => void world.broken.delete(name))),
);

/** What people and clocks do besides. */
const changes = fc.oneof(
  {weight: 3, arbitrary: troubles},
  fc.integer({min: -5000, max: 5000}).map((minutes) =>
    named(`clock ${minutes} min`, (world) => {
      world.wall = Math.max(0, world.wall + minutes * MINUTE);
    }),
  ),
  fc.tuple(fc.constantFrom(...NAMES), fc.boolean()).map(([name, paused]) =>
    named(`${paused ? 'pause' : 'resume'} ${name}`, (world, store) => {
      const one = world.jobs.get(name);
      if (one !== undefined) store.setPaused(one, paused, world.wall);
      world.wake();
    }),
  ),
  fc.constantFrom(...NAMES).map((name) =>
    named(`add ${name} again`, (world, store) => {
      const one = world.jobs.get(name);
      store.forget(name);
      if (one !== undefined) world.jobs.set(name, {...one, createdAt: Math.max(world.wall, one.createdAt + 1)});
      world.wake();
    }),
  ),
  fc.constantFrom(...NAMES).map((name) =>
    named(`run ${name}`, (world, store) => {
      const one = world.jobs.get(name);
      if (one !== undefined) store.requestRun(one, world.wall);
      world.wake();
    }),
  ),
);

async function survive(
  policies: {readonly all: boolean},
  actions: readonly {readonly act: Action}[],
  check: (world: World, store: ScheduleStore) => void,
): Promise<void> {
  const home = await scratch();
  const store = openScheduleStore(join(home, 'schedule/schedule.sqlite'));
  const world = new World(store, home);
  for (const [index, name] of NAMES.entries()) {
    const missed = policies.all ? 'all' : (['skip', 'once', 'all'] as const)[index % 3];
    const overlap = policies.all ? 'queue' : (['cancel-old', 'skip', 'queue'] as const)[index % 2 === 0 ? 0 : index % 3];
    const timing = {kind: 'every', seconds: 60 * (41 + 13 * index), anchor: 0} as const;
    world.jobs.set(name, job({name, timing, ...(missed === undefined ? {} : {missed}), ...(overlap === undefined ? {} : {overlap})}));
  }
  world.startDaemon();
  for (const {act} of actions) await act(world, store);
  await world.recover();
  expect(world.faults).toEqual([]);
  const runs = NAMES.flatMap((name) => store.runs(world.jobs.get(name) ?? job(), 100_000));
  for (const run of runs) expect([run, isTrue(run, world)]).toEqual([run, true]);
  expect(world.began.length).toBe(new Set(world.began).size);
  check(world, store);
  store.close();
}

/** A status must say what really happened. */
function isTrue({id, status}: RunRecord, {began}: World): boolean {
  const times = began.filter((one) => one === id).length;
  if (status === 'done') return times === 1;
  if (status === 'skipped' || status === 'blocked') return times === 0;
  return status === 'interrupted' || status === 'cancelled' ? times <= 1 : false;
}

/** The due times that a row stands for. */
function countOf({note}: RunRecord): number {
  return Number(/stands for (\d+) due times/.exec(note ?? '')?.[1] ?? 1);
}

describe('whatever is killed, sleeps, is full or broken', () => {
  it('no run begins twice, no job runs twice at once, and each due time is accounted for once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(troubles, {maxLength: 40, size: 'max'}), async (all, actions) => {
        await survive({all}, actions, (world, store) => {
          for (const one of world.jobs.values()) {
            const {due, omitted} = dueBetween(one.timing, {after: 0, upTo: store.state(one).watermark, most: 1});
            const accounted = store.runs(one, 100_000).reduce((sum, run) => sum + countOf(run), 0);
            expect([one.name, accounted]).toEqual([one.name, due.length + omitted]);
            // Nothing is left that has passed.
            expect(dueBetween(one.timing, {after: store.state(one).watermark, upTo: world.wall, most: 1})).toEqual({due: [], omitted: 0});
          }
        });
      }),
      {numRuns: RUNS},
    );
  });

  it('and whatever people do and clocks say: no run begins twice, and no status is false', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(changes, {maxLength: 40, size: 'max'}), async (actions) => {
        await survive({all: false}, actions, () => undefined);
      }),
      {numRuns: RUNS},
    );
  });
});
