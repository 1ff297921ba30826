import {afterAll, onTestFinished} from 'vitest';
import type {RolloutEngine} from '../../../src/lab/engine/engine.ts';
import {openLocalEngine} from '../../../src/lab/engine/local/local-engine.ts';
import {openPostgresEngine} from '../../../src/lab/engine/postgres/postgres-engine.ts';
import {scratch} from '../../support/scratch.ts';
import {findPostgres, startPostgres, type PostgresServer} from './postgres-server.ts';
import {never} from './rollouts.ts';

/** A place of rollouts that several engines can open. */
export interface Engines {
  open(options?: {readonly payloadVersion?: number}): Promise<RolloutEngine>;
  /** True: several engines work on the same run. */
  readonly areShared: boolean;
}

export interface EngineKind {
  readonly name: string;
  readonly skipped: boolean;
  start(): Promise<Engines>;
}

const RETRY_DELAYS_MS = [5, 10, 15];

/** All kinds of engines; PostgreSQL is started once for a file of tests. */
export function engineKinds(): readonly EngineKind[] {
  const bin = findPostgres();
  if (bin === undefined) {
    const start = (): never => {
      throw new Error('There is no PostgreSQL.');
    };
    return [LOCAL, {name: 'postgres, skipped: this machine has no PostgreSQL (apt-get install postgresql)', skipped: true, start}];
  }
  let server: Promise<PostgresServer> | undefined;
  afterAll(async () => await (await server)?.stop());
  const start = async (): Promise<Engines> => {
    server ??= startPostgres(bin);
    return await startShared(await server);
  };
  return [LOCAL, {name: 'postgres', skipped: false, start}];
}

const LOCAL: EngineKind = {
  name: 'local',
  skipped: false,
  async start() {
    const folder = await scratch();
    return {
      areShared: false,
      open: async (options = {}) => closedAfterTest(openLocalEngine({folder, retryDelaysMs: RETRY_DELAYS_MS, ...options})),
    };
  },
};

async function startShared(server: PostgresServer): Promise<Engines> {
  const url = await server.newDatabase();
  return {
    areShared: true,
    open: async (options = {}) =>
      closedAfterTest(await openPostgresEngine({url, retryDelaysMs: RETRY_DELAYS_MS, unpaidPauseMs: 20, ...options}, never)),
  };
}

/** Closed when the test ends, whatever happened. */
function closedAfterTest(engine: RolloutEngine): RolloutEngine {
  let isOpen = true;
  const close = async (): Promise<void> => {
    const wasOpen = isOpen;
    isOpen = false;
    if (wasOpen) await engine.close();
  };
  onTestFinished(close);
  return new Proxy(engine, {get: (target, name) => (name === 'close' ? close : bound(target, name))});
}

function bound(target: RolloutEngine, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}
