import {randomUUID} from 'node:crypto';
import {FettleError} from '../../../base/errors.ts';
import {systemTimers, type Timers} from '../../../base/waiting/or-late.ts';
import type {RolloutResult} from '../../rollout/rollout.ts';
import type {Coordinator, QueuedRollout, RolloutCounts, RolloutEngine, RunSpec, StoredRun, WorkEnd, WorkOptions} from '../engine.ts';
import {fairPlaces} from '../fair-place.ts';
import {batchesOf, checkRun, PAYLOAD_VERSION} from '../rollout-facts.ts';
import {RolloutWorker} from '../rollout-worker.ts';
import {lockCoordinator, type CoordinatorLock} from './coordinator-lock.ts';
import {connect, connectedSlots, type Database, isLostConnection, reconnecting, type Sql} from './database.ts';
import {JobQueue} from './job-queue.ts';
import {PostgresSource, rankOf} from './postgres-source.ts';
import {
  acceptResult,
  addRows,
  cancelRows,
  placesOf,
  putRun,
  readCounts,
  readRuns,
  replaceLostJobs,
  requeueRows,
  resultsAfter,
  type TableRow,
} from './rollout-table.ts';
import {LOCKS, prepareSchema} from './schema.ts';

export interface PostgresPlace {
  /** `postgres://user@host/database`. */
  readonly url: string;
  readonly timers?: Timers | undefined;
  readonly retryDelaysMs?: readonly number[] | undefined;
  /** Until a rollout is offered again that its run could not pay. */
  readonly unpaidPauseMs?: number | undefined;
  readonly payloadVersion?: number | undefined;
  readonly workerSlots?: number | undefined;
}

/** Opens the engine of many machines: pg-boss on PostgreSQL, and the table of rollouts beside it. UNAVAILABLE where it cannot be used. */
export async function openPostgresEngine(place: PostgresPlace, signal: AbortSignal): Promise<RolloutEngine> {
  const database = await connect(place.url, place.workerSlots, signal);
  try {
    await prepareSchema(database);
    const engine = new PostgresEngine(place, database);
    await engine.prepare();
    return engine;
  } catch (thrown) {
    await database.close();
    throw thrown;
  }
}

class PostgresEngine implements RolloutEngine {
  private readonly place: PostgresPlace;
  private readonly database: Database;
  private readonly version: number;
  private readonly queue: JobQueue;
  private readonly locks = new Map<string, CoordinatorLock>();

  constructor(place: PostgresPlace, database: Database) {
    this.place = place;
    this.database = database;
    this.version = place.payloadVersion ?? PAYLOAD_VERSION;
    this.queue = new JobQueue(database, this.version);
  }

  async prepare(): Promise<void> {
    await this.queue.prepare();
  }

  async coordinate(run: string, signal: AbortSignal): Promise<Coordinator> {
    await this.refuseNewer(run, signal);
    const lock = await this.repeat(async () => await lockCoordinator(this.database, run), signal);
    this.locks.set(run, lock);
    await this.repeat(async () => await this.queueAgain(run, replaceLostJobs), signal);
    return {release: async () => await this.release(run)};
  }

  async enqueue(run: RunSpec, rollouts: Iterable<QueuedRollout>, signal: AbortSignal): Promise<number> {
    checkRun(run);
    await this.refuseNewer(run.name, signal);
    await this.repeat(async () => await putRun(this.database, run, this.version), signal);
    let added = 0;
    for (const batch of batchesOf(run.name, rollouts)) {
      signal.throwIfAborted();
      added += await this.repeat(async () => await this.database.inTransaction(async (sql) => await this.add(sql, run, batch)), signal);
    }
    return added;
  }

  async work(options: WorkOptions, signal: AbortSignal): Promise<WorkEnd> {
    const {until, onEvent} = options;
    const source = new PostgresSource({
      database: this.database,
      queue: this.queue,
      payloadVersion: this.version,
      until,
      retryDelaysMs: this.place.retryDelaysMs,
      unpaidPauseMs: this.place.unpaidPauseMs,
      emit: (event) => onEvent?.(event),
      checkCoordinator: () => this.locks.get(until ?? '')?.check(),
      signal,
    });
    return await new RolloutWorker(source, options, this.place.timers ?? systemTimers).work(signal);
  }

  async accept(result: RolloutResult, signal: AbortSignal): Promise<boolean> {
    return result.outcome !== 'infrastructure' && (await this.repeat(async () => await acceptResult(this.database, result), signal));
  }

  async liveSlots(signal: AbortSignal): Promise<number> {
    return await this.repeat(async () => await connectedSlots(this.database), signal);
  }

  async counts(run: string, signal: AbortSignal): Promise<RolloutCounts> {
    return await this.repeat(async () => await readCounts(this.database, run), signal);
  }

  async *results(run: string, signal: AbortSignal): AsyncGenerator<RolloutResult> {
    for (let after: RolloutResult | undefined; ;) {
      const key = after?.key;
      const page = await this.repeat(async () => await resultsAfter(this.database, run, key), signal);
      if (page.length === 0) return;
      yield* page;
      after = page.at(-1);
    }
  }

  async runs(signal: AbortSignal): Promise<readonly StoredRun[]> {
    return (await this.repeat(async () => await readRuns(this.database), signal)).map(({stored}) => stored);
  }

  async cancel(run: string, signal: AbortSignal): Promise<number> {
    const jobs = await this.repeat(async () => await cancelRows(this.database, run), signal);
    for (let from = 0; from < jobs.length; from += BATCH)
      await this.repeat(async () => await this.queue.cancel(jobs.slice(from, from + BATCH)), signal);
    return jobs.length;
  }

  async requeue(run: string, signal: AbortSignal): Promise<number> {
    return await this.repeat(async () => await this.queueAgain(run, requeueRows), signal);
  }

  async close(): Promise<void> {
    for (const run of this.locks.keys()) await this.release(run);
    await this.database.close();
  }

  private async add(sql: Sql, run: RunSpec, batch: readonly QueuedRollout[]): Promise<number> {
    await sql.rows('SELECT pg_advisory_xact_lock($1, 2)', [LOCKS]);
    const places = fairPlaces({...(await placesOf(sql, run.name)), share: run.share ?? 1, count: batch.length});
    const rows = await addRows(
      sql,
      batch.map((rollout, n) => ({...rollout, job: randomUUID(), place: places[n] ?? 0})),
    );
    await this.queue.insert(
      rows.map(({job, key, place}) => ({id: job, key, rank: rankOf(run, place)})),
      sql,
    );
    return rows.length;
  }

  /** Inserts jobs for rows that `pick` gave new ones, until there are none. */
  private async queueAgain(name: string, pick: (sql: Sql, run: string) => Promise<readonly TableRow[]>): Promise<number> {
    const run = (await readRuns(this.database)).find(({stored}) => stored.name === name)?.stored;
    for (let all = 0; ;) {
      const picked = await this.database.inTransaction(async (sql) => {
        const rows = await pick(sql, name);
        await this.queue.insert(
          rows.map(({job, key, place}) => ({id: job, key, rank: rankOf(run, place)})),
          sql,
        );
        return rows.length;
      });
      if (picked === 0) return all;
      all += picked;
    }
  }

  private async release(run: string): Promise<void> {
    const lock = this.locks.get(run);
    this.locks.delete(run);
    await lock?.release();
  }

  private async refuseNewer(run: string, signal: AbortSignal): Promise<void> {
    const found = (await this.repeat(async () => await readRuns(this.database), signal)).find(({stored}) => stored.name === run);
    if (found === undefined || found.version <= this.version) return;
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: `The run ${run} was begun by a newer version of Fettle.`,
      hint: 'Go on with that version.',
    });
  }

  private async repeat<T>(body: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    return await reconnecting(body, {signal, onLost: () => undefined}).catch((cause: unknown) => {
      if (!signal.aborted || !isLostConnection(cause)) throw cause;
      throw new FettleError({code: 'CANCELLED', message: 'Cancelled while the database did not answer.', cause});
    });
  }
}

const BATCH = 1000;
