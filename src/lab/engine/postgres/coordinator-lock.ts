import {setTimeout as delay} from 'node:timers/promises';
import {FettleError} from '../../../base/errors.ts';
import {isLostConnection, type Database} from './database.ts';
import {LOCKS} from './schema.ts';

/** The right to coordinate a run: an advisory lock that the database holds as long as one connection of ours lives. */
export interface CoordinatorLock {
  /** Throws UNAVAILABLE once another process has it. */
  check(): void;
  release(): Promise<void>;
}

/** Takes the lock, and takes it again where its connection is lost. UNAVAILABLE while another process has it. */
export async function lockCoordinator(database: Database, run: string): Promise<CoordinatorLock> {
  const released = new AbortController();
  let held: Awaited<ReturnType<typeof acquire>> = await acquire(database, run);
  let taken: FettleError | undefined;
  const watch = async (): Promise<void> => {
    while (!released.signal.aborted && taken === undefined) {
      await delay(LOOK_MS, undefined, {signal: released.signal}).catch(() => undefined);
      if (released.signal.aborted) return;
      try {
        if (held === undefined) held = await acquire(database, run);
        else await held.sql.rows('SELECT 1');
      } catch (thrown) {
        held = undefined;
        if (thrown instanceof FettleError) taken = thrown;
        else if (!isLostConnection(thrown))
          taken = new FettleError({code: 'UNAVAILABLE', message: 'The lock of the run was lost.', cause: thrown});
      }
    }
  };
  const watching = watch();
  return {
    check() {
      if (taken !== undefined) throw taken;
    },
    async release() {
      released.abort();
      await watching;
      await held?.end();
    },
  };
}

const LOOK_MS = 5000;

async function acquire(database: Database, run: string): Promise<Awaited<ReturnType<Database['pinned']>> | undefined> {
  const pinned = await database.pinned();
  try {
    const [row] = await pinned.sql.rows('SELECT pg_try_advisory_xact_lock(hashtextextended($1, $2)) AS is_ours', [run, LOCKS]);
    if (row?.['is_ours'] === true) return pinned;
  } catch (thrown) {
    await pinned.end();
    throw thrown;
  }
  await pinned.end();
  const hint = 'Wait for it, or end it; `fettle lab report` shows how far it is.';
  throw new FettleError({code: 'UNAVAILABLE', message: `Another process coordinates the run ${run}.`, hint});
}
