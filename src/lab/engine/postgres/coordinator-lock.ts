import {setTimeout as delay} from 'node:timers/promises';
import {FettleError} from '../../../base/errors.ts';
import {answerOf, isLostConnection, type Database} from './database.ts';
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
  let held: Pinned | undefined = await acquire(database, run);
  let lostAt = 0;
  let taken: FettleError | undefined;
  const lose = async (thrown: unknown): Promise<void> => {
    const before = held;
    if (before !== undefined) lostAt = performance.now();
    held = undefined;
    await before?.end();
    if (isLostConnection(thrown)) return;
    if (!(thrown instanceof FettleError))
      taken = new FettleError({code: 'UNAVAILABLE', message: 'The lock of the run was lost.', cause: thrown});
    // The database may not have noticed yet that the connection is lost: then it is still ours.
    else if (performance.now() - lostAt > HELD_MS + LOOK_MS) taken = thrown;
  };
  const look = async (): Promise<void> => {
    if (held === undefined) held = await acquire(database, run);
    else await answerOf(held.sql.rows('SELECT 1'), AbortSignal.any([released.signal, AbortSignal.timeout(LOOK_MS)]));
  };
  const watch = async (): Promise<void> => {
    const isOver = (): boolean => released.signal.aborted || taken !== undefined;
    while (!isOver()) {
      await delay(LOOK_MS, undefined, {signal: released.signal}).catch(() => undefined);
      if (!released.signal.aborted) await look().catch(lose);
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

type Pinned = Awaited<ReturnType<Database['pinned']>>;

const LOOK_MS = 5000;
/** Milliseconds after which the database releases the lock of a coordinator that it hears nothing from, since its machine or its network is gone. */
const HELD_MS = 15_000;

async function acquire(database: Database, run: string): Promise<Pinned> {
  const pinned = await database.pinned();
  try {
    await pinned.sql.rows(`SET LOCAL idle_in_transaction_session_timeout = ${HELD_MS}`);
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
