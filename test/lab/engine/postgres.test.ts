import {once} from 'node:events';
import {afterAll, describe, expect, it, onTestFinished} from 'vitest';
import type {RolloutEngine, WorkEvent} from '../../../src/lab/engine/engine.ts';
import {openEngine} from '../../../src/lab/engine/open-engine.ts';
import {isLostConnection} from '../../../src/lab/engine/postgres/database.ts';
import {openPostgresEngine} from '../../../src/lab/engine/postgres/postgres-engine.ts';
import {findPostgres, startPostgres, type PostgresServer} from './postgres-server.ts';
import {codeOf, never, resultFor, rollouts, workAll} from './rollouts.ts';

const bin = findPostgres();
let shared: Promise<PostgresServer> | undefined;
afterAll(async () => await (await shared)?.stop());

describe('an address of a queue', () => {
  it('that is not one of PostgreSQL is refused', async () => {
    expect(await codeOf(openEngine({folder: '/', queue: 'redis://host'}, never))).toBe('BAD_ARGS');
  });

  it('where nobody answers is named without its password', async () => {
    const error = await openEngine({folder: '/', queue: 'postgres://me:hunter2@127.0.0.1:1/d'}, never).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The queue at 127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1',
      hint: 'Check that PostgreSQL 13 or newer runs there, and that user and password are right.',
    });
  });
});

describe.skipIf(bin === undefined)('rollouts in PostgreSQL (skipped without it)', () => {
  async function opened(
    options: {readonly payloadVersion?: number} = {},
  ): Promise<{readonly engine: RolloutEngine; readonly url: string; readonly server: PostgresServer}> {
    shared ??= startPostgres(bin ?? '');
    const server = await shared;
    const url = await server.newDatabase();
    return {engine: await open(url, options), url, server};
  }

  async function open(url: string, options: {readonly payloadVersion?: number} = {}): Promise<RolloutEngine> {
    const engine = await openPostgresEngine({url, ...options}, never);
    onTestFinished(async () => await engine.close());
    return engine;
  }

  it('of a newer version are left to newer workers, and an older one says so', async () => {
    const {engine: newer, url} = await opened({payloadVersion: 2});
    await newer.enqueue({name: 'r', settings: {}}, rollouts(1), never);
    const [older, stop] = [await open(url), new AbortController()];
    const events: WorkEvent[] = [];
    const onEvent = (event: WorkEvent): void => {
      events.push(event);
      stop.abort();
    };
    await older.work({slots: 1, run: async (rollout) => resultFor(rollout), onEvent}, stop.signal);
    expect(events).toEqual([{is: 'newer', run: 'r'}]);
    expect(await newer.counts('r', never)).toMatchObject({queued: 1, running: 0});
  });

  it('whose jobs were deleted get new ones from the next coordinator', async () => {
    const {engine, url, server} = await opened();
    await engine.enqueue({name: 'r', settings: {}}, rollouts(3), never);
    server.sql('DELETE FROM fettle_queue.job', url);
    await engine.coordinate('r', never);
    await workAll(engine, async (rollout) => resultFor(rollout));
    expect(await engine.counts('r', never)).toMatchObject({passed: 3, queued: 0});
  });

  it('wait while the database is away, and no rollout fails by it', async () => {
    const server = await startPostgres(bin ?? '');
    onTestFinished(async () => await server.stop());
    const engine = await open(await server.newDatabase());
    await engine.coordinate('r', never);
    await engine.enqueue({name: 'r', settings: {}}, rollouts(60), never);
    const events: WorkEvent[] = [];
    let isCut = false;
    const restarted: Promise<void>[] = [];
    await engine.work(
      {
        slots: 1,
        until: 'r',
        async run(rollout) {
          if (!isCut) server.kill();
          isCut = true;
          return resultFor(rollout);
        },
        onEvent(event) {
          events.push(event);
          if (event.is === 'unreachable' && restarted.length === 0) restarted.push(server.restart());
        },
      },
      never,
    );
    await Promise.all(restarted);
    // Which result comes just before the connection is lost depends on how fast the processes of the server die.
    const kinds = new Set(events.map(({is}) => is));
    expect(kinds).toEqual(new Set(['started', 'unreachable', 'reachable', 'accepted']));
    expect(events.filter(({is}) => is === 'accepted')).toHaveLength(60);
    expect(await engine.counts('r', never)).toMatchObject({passed: 60, parked: 0});
  });

  it('keep a result that a text of the database could not hold otherwise', async () => {
    const {engine} = await opened();
    const [rollout] = rollouts(1);
    const result = resultFor(rollout ?? {key: {run: 'r', task: 't', model: 'm', toolset: 't', attempt: 1}, taskDigest: ''}, {
      note: 'a\0b \ud83d\ude00 "',
    });
    expect(await engine.accept(result, never)).toBe(true);
    expect(await Array.fromAsync(engine.results('r', never))).toEqual([result]);
  });

  it('of a table that a newer version made are refused', async () => {
    const {url, server} = await opened();
    server.sql('INSERT INTO fettle_lab.version VALUES (99)', url);
    expect(await codeOf(openPostgresEngine({url}, never))).toBe('UNAVAILABLE');
  });

  it('end with an abort though the database does not answer', async () => {
    const server = await startPostgres(bin ?? '');
    const engine = await openPostgresEngine({url: await server.newDatabase()}, never);
    await engine.enqueue({name: 'r', settings: {}}, rollouts(1), never);
    const abort = new AbortController();
    const work = engine.work(
      {
        slots: 1,
        async run(_, signal) {
          const aborted = once(signal, 'abort');
          await server.stop();
          abort.abort();
          await aborted;
          throw new Error('aborted');
        },
      },
      abort.signal,
    );
    expect(await work).toEqual({end: 'aborted', accepted: 0});
    await engine.close();
  });

  it('end with an abort though a result still waits for the database', async () => {
    const server = await startPostgres(bin ?? '');
    const engine = await openPostgresEngine({url: await server.newDatabase()}, never);
    await engine.enqueue({name: 'r', settings: {}}, rollouts(1), never);
    const abort = new AbortController();
    const work = engine.work(
      {
        slots: 1,
        async run(rollout) {
          await server.stop();
          return resultFor(rollout);
        },
        onEvent: ({is}) => void (is === 'unreachable' && abort.abort()),
      },
      abort.signal,
    );
    expect(await work).toEqual({end: 'aborted', accepted: 0});
    await engine.close();
  });

  it('are not waited for by a drained worker that runs none, though the database does not answer', async () => {
    const server = await startPostgres(bin ?? '');
    const engine = await openPostgresEngine({url: await server.newDatabase()}, never);
    const drain = new AbortController();
    const run = async (): Promise<never> => await Promise.reject(new Error('never'));
    const onEvent = ({is}: WorkEvent): void => void (is === 'unreachable' && drain.abort());
    const work = engine.work({slots: 1, run, drain: {signal: drain.signal}, onEvent}, never);
    await server.stop();
    expect(await work).toEqual({end: 'drained', accepted: 0});
    await engine.close();
  });
});

/** PostgreSQL › appendix A, error codes. */
describe('an error of the database', () => {
  const withCode = (code: string): Error => Object.assign(new Error('it'), {code});

  it.each([
    '08006',
    '25006',
    '25P03',
    '40001',
    '40P01',
    '53100',
    '53200',
    '53300',
    '57014',
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '58030',
    'ECONNRESET',
  ])('%s says nothing about the statement, which is sent again', (code) => expect(isLostConnection(withCode(code))).toBe(true));

  it.each(['22021', '23505', '28P01', '3D000', '42501', '42P01', '57P04'])('%s stays one', (code) => {
    expect(isLostConnection(withCode(code))).toBe(false);
  });
});
