import {setTimeout as delay} from 'node:timers/promises';
import {describe, expect, it, onTestFinished} from 'vitest';
import {openPostgresEngine} from '../../../src/lab/engine/postgres/postgres-engine.ts';
import {findPostgres, startPostgres, type PostgresServer} from './postgres-server.ts';
import {codeOf, never, resultFor, rollouts} from './rollouts.ts';
import {startSilentProxy} from './silent-proxy.ts';

const bin = findPostgres();

/** The processes of the server that hold a lock of a coordinator. */
function holders(server: PostgresServer, url: string): string {
  return server.sql("SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory' AND granted", url);
}

describe.skipIf(bin === undefined)('a coordinator whose connections are cut without a word (skipped without PostgreSQL)', () => {
  it('goes on: it takes the lock again that the database held for it', {timeout: 120_000}, async () => {
    const server = await startPostgres(bin ?? '');
    onTestFinished(async () => await server.stop());
    const url = await server.newDatabase();
    const proxy = await startSilentProxy(url);
    const engine = await openPostgresEngine({url: proxy.url}, never);
    onTestFinished(async () => await engine.close());
    await engine.coordinate('r', never);
    await engine.enqueue({name: 'r', settings: {}}, rollouts(1), never);
    const first = holders(server, url);
    const end = await engine.work(
      {
        slots: 1,
        until: 'r',
        async run(rollout) {
          proxy.silence();
          while (['', first].includes(holders(server, url))) await delay(500);
          return resultFor(rollout);
        },
      },
      never,
    );
    expect({end, counts: await engine.counts('r', never)}).toEqual({
      end: {end: 'done', accepted: 1},
      counts: expect.objectContaining({passed: 1}),
    });
  });

  it('ends when it is told to, and another can have the run soon after', {timeout: 120_000}, async () => {
    const server = await startPostgres(bin ?? '');
    onTestFinished(async () => await server.stop());
    const url = await server.newDatabase();
    const proxy = await startSilentProxy(url);
    const engine = await openPostgresEngine({url: proxy.url}, never);
    const coordinator = await engine.coordinate('r', never);
    proxy.silence();
    await coordinator.release();
    await engine.close();
    const other = await openPostgresEngine({url}, never);
    onTestFinished(async () => await other.close());
    const codes = new Set<string>();
    while (!codes.has('none')) {
      codes.add(await codeOf(other.coordinate('r', never)));
      await delay(500);
    }
    expect([...codes].filter((code) => code !== 'UNAVAILABLE')).toEqual(['none']);
  });
});
