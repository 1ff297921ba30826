import {randomBytes} from 'node:crypto';
import {setTimeout as delay} from 'node:timers/promises';
import type {Db, PgBoss} from 'pg-boss';
import {FettleError, systemErrorCode} from '../../../base/errors.ts';
import {onAbort} from '../../../base/waiting/on-abort.ts';
import {orAbort} from '../../../base/waiting/or-abort.ts';
import {orLate} from '../../../base/waiting/or-late.ts';
import {noteOf} from '../rollout-facts.ts';

/** The version that is measured and tested. */
const PG_BOSS = 'pg-boss@12.35.0';
const CONNECTIONS = 4;
const QUERY_TIMEOUT_MS = 60_000;
/** Milliseconds that an answer, or a goodbye, may still take when nobody wants to wait any more: the other end of a connection can be gone. */
const LAST_WAIT_MS = 3000;
export const SUPERVISE_S = 5;

export type Row = Record<string, unknown>;

type TransactionHandle = Awaited<ReturnType<NonNullable<Db['beginTransaction']>>>;

/** Runs SQL: outside of a transaction, or in one. */
export interface Sql {
  rows(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The same connection, as pg-boss takes it. */
  readonly db: Db;
}

/** The connections to one PostgreSQL, and the queue in it. */
export interface Database extends Sql {
  readonly boss: PgBoss;
  inTransaction<T>(body: (sql: Sql) => Promise<T>): Promise<T>;
  /** A transaction that stays open. Each of its calls rejects once its connection is lost. */
  pinned(): Promise<{readonly sql: Sql; end(): Promise<void>}>;
  close(): Promise<void>;
}

/**
 * Connects, for a worker with its slots, and makes the tables of the queue where they are missing. UNAVAILABLE without pg-boss or PostgreSQL, CANCELLED
 * after an abort; no message has the password.
 */
export async function connect(url: string, workerSlots: number | undefined, signal: AbortSignal): Promise<Database> {
  const {PgBoss} = await import('pg-boss').catch(refuseMissing);
  // `pg` takes two more settings than pg-boss names: what hangs, since its network was cut, is an error after a while.
  const pool = {query_timeout: QUERY_TIMEOUT_MS, keepAlive: true};
  const boss = new PgBoss({
    ...pool,
    connectionString: url,
    schema: 'fettle_queue',
    application_name: workerSlots === undefined ? 'fettle-lab' : `${WORKER}${workerSlots}/${randomBytes(6).toString('hex')}`,
    max: CONNECTIONS,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: SUPERVISE_S,
  });
  // Without a listener an error of its own timers would end the process; the calls that matter report theirs.
  boss.on('error', () => undefined);
  try {
    await orAbort(boss.start(), signal);
  } catch (cause) {
    await close(boss).catch(() => undefined);
    signal.throwIfAborted();
    const hint = 'Check that PostgreSQL 13 or newer runs there, and that user and password are right.';
    throw new FettleError({code: 'UNAVAILABLE', message: `The queue at ${hostOf(url)} cannot be used: ${noteOf(cause)}`, hint, cause});
  }
  return databaseOf(boss);
}

/** Beginning of the name that the connections of a worker have in the database; its slots follow, and an id. */
const WORKER = 'fettle-lab-worker/';

/** The slots of all workers that are connected. Workers of another user of the database are counted only by those who may see their connections. */
export async function connectedSlots({rows}: Sql): Promise<number> {
  const found = await rows(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE datname = current_database() AND starts_with(application_name, $1)`,
    [WORKER],
  );
  return found.reduce((sum, {name}) => sum + Number(String(name).split('/')[1] ?? 0), 0);
}

function databaseOf(boss: PgBoss): Database {
  const db = boss.getDb();
  const begin = async (): Promise<TransactionHandle> => {
    if (db.beginTransaction === undefined) throw new FettleError({code: 'INTERNAL', message: 'pg-boss has no transactions here.'});
    return await db.beginTransaction();
  };
  return {
    boss,
    ...sqlOf(db),
    async inTransaction(body) {
      const transaction = await begin();
      try {
        const value = await body(sqlOf(transaction.db));
        await transaction.commit();
        return value;
      } catch (thrown) {
        await transaction.rollback();
        throw thrown;
      }
    },
    async pinned() {
      const transaction = await begin();
      return {sql: sqlOf(transaction.db), end: async () => await transaction.rollback()};
    },
    close: async () => await close(boss),
  };
}

async function close(boss: PgBoss): Promise<void> {
  await orLate(boss.stop({graceful: false}), LAST_WAIT_MS);
}

function sqlOf(db: Db): Sql {
  return {db, rows: async (text, values) => (await db.executeSql(text, values === undefined ? undefined : [...values])).rows as Row[]};
}

function refuseMissing(cause: unknown): never {
  const hint = `Install it beside Fettle: npm install -g ${PG_BOSS}`;
  throw new FettleError({
    code: 'UNAVAILABLE',
    message: 'A queue in PostgreSQL needs the package pg-boss, which is not installed.',
    hint,
    cause,
  });
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || 'the local socket' : 'this address';
}

interface Reconnecting {
  readonly signal: AbortSignal;
  /** Called before each further attempt. */
  readonly onLost: (reason: string) => void;
}

/**
 * Repeats `body`, which must be safe to repeat, while the database does not answer. Rejects with the error of the connection once the signal aborts, also
 * if an answer is still missing seconds later.
 */
export async function reconnecting<T>(body: () => Promise<T>, {signal, onLost}: Reconnecting): Promise<T> {
  for (let pause = 100; ; pause = Math.min(pause * 2, 5000)) {
    try {
      return await answerOf(body(), signal);
    } catch (thrown) {
      if (!isLostConnection(thrown) || signal.aborted) throw thrown;
      onLost(noteOf(thrown));
      // An abort ends the pause, and the next failure the loop.
      await delay(pause, undefined, {signal}).catch(() => undefined);
    }
  }
}

/** Returns the answer, which has only seconds left once the signal aborts. */
export async function answerOf<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const leave = onAbort(signal, () => {
    timer = setTimeout(() => late.reject(new Error('Connection terminated: no answer')), LAST_WAIT_MS);
  });
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    leave();
    clearTimeout(timer);
  }
}

/**
 * Says whether an error is one of the connection or of its server, which says nothing about the statement (PostgreSQL › error codes: class 08, 25P03,
 * 53, 57P01 to 57P05, 58; 25006 after a change to another server, 57014 where an administrator ended it), or one after which the same transaction may
 * succeed (40001, 40P01).
 */
export function isLostConnection(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (thrown instanceof AggregateError) return thrown.errors.some(isLostConnection);
  if (systemErrorCode(thrown) !== undefined) return true;
  const code = 'code' in thrown ? String(thrown.code) : '';
  return /^(?:08\w{3}|25006|25P03|40001|40P01|53\w{3}|57014|57P0[1-35]|58\w{3})$/.test(code) || LOST_MESSAGE.test(thrown.message);
}

/** Errors of `pg` without a code. */
const LOST_MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (?:has encountered|was closed)|Transaction is already settled)/;
