import type {ChildProcess} from 'node:child_process';
import {setTimeout as delay} from 'node:timers/promises';
import {afterAll, describe, expect, it, onTestFinished} from 'vitest';
import type {RolloutEngine} from '../../../src/lab/engine/engine.ts';
import {openLocalEngine} from '../../../src/lab/engine/local/local-engine.ts';
import {openPostgresEngine} from '../../../src/lab/engine/postgres/postgres-engine.ts';
import {ended} from '../../support/processes.ts';
import {scratch} from '../../support/scratch.ts';
import {findPostgres, startPostgres, type PostgresServer} from './postgres-server.ts';
import {never, resultFor, resultsOf, rollouts} from './rollouts.ts';
import {acceptedTwice, paidTwice, workersOf, type Workers} from './workers.ts';

/** `FETTLE_KILLS=100 FETTLE_ROLLOUTS=2000` for all that is promised. */
const KILLS = Number(process.env['FETTLE_KILLS'] ?? 15);
const ROLLOUTS = Number(process.env['FETTLE_ROLLOUTS'] ?? 600);
const SEED = Number(process.env['FETTLE_SEED']);

const bin = findPostgres();
let shared: Promise<PostgresServer> | undefined;
afterAll(async () => await (await shared)?.stop());

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function chances(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Kills a process at random, starts another one at once, and again; then waits for the end of the run. */
async function killAtRandom(workers: Workers, count: number): Promise<void> {
  const chance = chances(SEED);
  const living = Array.from({length: count}, () => workers.start());
  for (let kill = 0; kill < KILLS; kill++) {
    const before = workers.steps().length;
    await workers.until((steps) => steps.length >= before + 2 + chance() * 40);
    const victim = Math.floor(chance() * living.length);
    await ended(living[victim] as ChildProcess, 'SIGKILL');
    living[victim] = workers.start();
  }
}

async function expectAllOnce(engine: RolloutEngine, workers: Workers): Promise<void> {
  const results = await resultsOf(engine);
  expect(results.map(({key, outcome}) => [key.task, outcome])).toEqual(Array.from(rollouts(ROLLOUTS), ({key}) => [key.task, 'passed']));
  expect({accepted: acceptedTwice(workers.steps()), paid: paidTwice(workers.steps())}).toEqual({accepted: [], paid: []});
}

describe('the local engine, killed', () => {
  it(
    `${KILLS} times, and started again: each rollout has its one result, and no finished model run is paid again`,
    {timeout: 600_000},
    async () => {
      const folder = await scratch();
      const engine = openLocalEngine({folder});
      onTestFinished(async () => await engine.close());
      await engine.enqueue({name: 'r', settings: {}}, rollouts(ROLLOUTS), never);
      const workers = await workersOf(folder, {slots: 4});
      await killAtRandom(workers, 1);
      await workers.until((steps) => steps.some(({is}) => is === 'done'));
      await expectAllOnce(engine, workers);
    },
  );
});

describe.skipIf(bin === undefined)('the engine of many machines (skipped without PostgreSQL)', () => {
  async function coordinated(
    count: number,
    over: Parameters<typeof rollouts>[1] = {},
  ): Promise<{readonly engine: RolloutEngine; readonly url: string}> {
    shared ??= startPostgres(bin ?? '');
    const url = await (await shared).newDatabase();
    const engine = await openPostgresEngine({url}, never);
    onTestFinished(async () => await engine.close());
    await engine.coordinate('r', never);
    await engine.enqueue({name: 'r', settings: {}}, rollouts(count, over), never);
    return {engine, url};
  }

  /** Waits for the end of the run without running anything. */
  async function waitForEnd(engine: RolloutEngine): Promise<void> {
    await engine.work({slots: 0, until: 'r', run: async (rollout) => resultFor(rollout)}, never);
  }

  it(
    `${KILLS} of 8 workers killed: each rollout has its one result, and no finished model run is paid again`,
    {timeout: 600_000},
    async () => {
      const {engine, url} = await coordinated(ROLLOUTS);
      const workers = await workersOf(url);
      await killAtRandom(workers, 8);
      await waitForEnd(engine);
      await expectAllOnce(engine, workers);
    },
  );

  it('a worker that stops for longer than its lease and goes on gives no second result', {timeout: 120_000}, async () => {
    const {engine, url} = await coordinated(6);
    const workers = await workersOf(url, {slots: 3, ms: 300});
    const stopped = workers.start();
    await workers.until((steps) => steps.some(({is}) => is === 'paid'));
    stopped.kill('SIGSTOP');
    const other = workers.start();
    await waitForEnd(engine);
    const before = await resultsOf(engine);
    stopped.kill('SIGCONT');
    await workers.until((steps) => steps.some(({is, pid}) => pid === stopped.pid && ['refused', 'dropped'].includes(is)));
    expect(await resultsOf(engine)).toEqual(before);
    expect(acceptedTwice(workers.steps())).toEqual([]);
    expect(workers.steps().filter(({is, pid}) => is === 'accepted' && pid === other.pid).length).toBeGreaterThanOrEqual(3);
  });

  it('a rollout that takes longer than three leases runs once', {timeout: 120_000}, async () => {
    const {engine, url} = await coordinated(1);
    const workers = await workersOf(url, {ms: 16_000});
    for (let n = 0; n < 2; n++) workers.start();
    await waitForEnd(engine);
    expect(
      workers
        .steps()
        .filter(({is}) => ['start', 'paid', 'accepted'].includes(is))
        .map(({is}) => is),
    ).toEqual(['start', 'paid', 'accepted']);
  });

  it('workers whose clocks are wrong by an hour run each rollout once', {timeout: 120_000}, async () => {
    const {engine, url} = await coordinated(40);
    const workers = await workersOf(url, {ms: 50});
    for (const clockSkewMs of [-3_600_000, 3_600_000]) workers.start({clockSkewMs});
    await waitForEnd(engine);
    expect(workers.steps().filter(({is}) => is === 'start')).toHaveLength(40);
    expect(await engine.counts('r', never)).toMatchObject({passed: 40});
  });

  it('a rollout that kills its worker is parked after four, and all beside it complete', {timeout: 300_000}, async () => {
    const {engine, url} = await coordinated(30);
    await engine.enqueue({name: 'r', settings: {}, priority: 1}, rollouts(1, {model: 'poison'}), never);
    const workers = await workersOf(url, {slots: 4, ms: 400});
    const isOver = new AbortController();
    const keepAlive = async (): Promise<void> => {
      while (!isOver.signal.aborted)
        await Promise.race([ended(workers.start()), new Promise((resolve) => isOver.signal.addEventListener('abort', resolve))]);
    };
    const living = [keepAlive(), keepAlive()];
    await waitForEnd(engine);
    isOver.abort();
    await Promise.all(living);
    expect(await engine.counts('r', never)).toMatchObject({passed: 30, parked: 1, queued: 0, running: 0});
    const parked = (await resultsOf(engine)).filter(({outcome}) => outcome === 'infrastructure');
    expect(parked).toMatchObject([{key: {model: 'poison'}, note: 'Its worker died 4 times while it ran.'}]);
  });

  it('PostgreSQL killed twice and frozen for longer than a lease: no rollout fails by it', {timeout: 300_000}, async () => {
    const server = await startPostgres(bin ?? '');
    onTestFinished(async () => await server.stop());
    const url = await server.newDatabase();
    const engine = await openPostgresEngine({url}, never);
    onTestFinished(async () => await engine.close());
    await engine.coordinate('r', never);
    await engine.enqueue({name: 'r', settings: {}}, rollouts(200), never);
    const workers = await workersOf(url, {ms: 100});
    for (let n = 0; n < 3; n++) workers.start();
    const acceptedMore = async (): Promise<void> => {
      const before = workers.steps().filter(({is}) => is === 'accepted').length;
      await workers.until((steps) => steps.filter(({is}) => is === 'accepted').length >= before + 20);
    };
    for (let n = 0; n < 2; n++) {
      await acceptedMore();
      server.kill();
      await server.restart();
    }
    await acceptedMore();
    server.freeze(true);
    await delay(12_000);
    server.freeze(false);
    await waitForEnd(engine);
    expect(await engine.counts('r', never)).toMatchObject({passed: 200, parked: 0, failed: 0});
    expect((await resultsOf(engine)).map(({retries}) => retries)).toEqual(Array.from({length: 200}, () => 0));
    expect({accepted: acceptedTwice(workers.steps()), paid: paidTwice(workers.steps())}).toEqual({accepted: [], paid: []});
  });
});
