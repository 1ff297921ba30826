import {randomUUID} from 'node:crypto';
import type {RolloutKey, RolloutResult} from '../../rollout/rollout.ts';
import type {ClaimedRollout, RunSpec, WorkEvent} from '../engine.ts';
import {MAX_PLACE} from '../fair-place.ts';
import {DEATHS_UNTIL_ALONE, MAX_STARTS, retryDelayMs} from '../retry-policy.ts';
import {failedResult, lowestLimits} from '../rollout-facts.ts';
import type {RolloutSource} from '../rollout-worker.ts';
import {isSpent, reserve} from './budget-table.ts';
import {isLostConnection, reconnecting, type Database, type Sql} from './database.ts';
import type {Attempt, JobQueue} from './job-queue.ts';
import {acceptResult, failRow, findRow, isOpen, readRuns, rowsOfJobs, setJob, type TableRow, type VersionedRun} from './rollout-table.ts';
import {LOCKS} from './schema.ts';

export interface SourceFacts {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly payloadVersion: number;
  readonly until: string | undefined;
  readonly retryDelaysMs: readonly number[] | undefined;
  readonly unpaidPauseMs: number | undefined;
  readonly emit: (event: WorkEvent) => void;
  /** Rejects once another process has become the coordinator of the run. */
  readonly checkCoordinator: () => void;
  /** Ends the work: requests that the database has not answered are abandoned. */
  readonly signal: AbortSignal;
}

interface Claim {
  readonly attempt: Attempt;
  readonly row: TableRow;
}

/** Rollouts of the queue, for one worker. While the database does not answer it waits; that is never a failure of a rollout. */
export class PostgresSource implements RolloutSource {
  readonly pollMs = 500;
  readonly beatMs = 1500;
  private readonly facts: SourceFacts;
  private readonly claims = new Map<ClaimedRollout, Claim>();
  private runs: {readonly list: readonly VersionedRun[]; readonly readAt: number} | undefined;
  private readonly newer = new Set<string>();
  private isReachable = true;
  /** The last claim had a rollout that its run could not pay. */
  private isShort = false;
  /** Until then nothing is claimed, by `performance.now`: this machine has left a rollout, and others come first. */
  private pausedUntil = 0;

  constructor(facts: SourceFacts) {
    this.facts = facts;
  }

  async take(count: number, signal: AbortSignal): Promise<readonly ClaimedRollout[]> {
    if (performance.now() < this.pausedUntil) return [];
    // Each that is left is queued again, so only one is asked for until it can be paid.
    return (await this.orGiveUp(async () => await this.claim(this.isShort ? 1 : count), signal)) ?? [];
  }

  async lost(running: readonly ClaimedRollout[], signal: AbortSignal): Promise<readonly ClaimedRollout[]> {
    this.facts.checkCoordinator();
    const claimed = running.filter((rollout) => this.claims.has(rollout));
    const attempts = claimed.flatMap((rollout) => this.claims.get(rollout)?.attempt ?? []);
    const alive = await this.orGiveUp(async () => {
      await this.facts.queue.takeDead(async (key) => await this.parkDead(key));
      await this.reportNewer();
      return attempts.length === 0 ? new Set<string>() : await this.facts.queue.touch(attempts);
    }, signal);
    // A rollout that ended while the question was asked is not lost.
    return alive === undefined ? [] : claimed.filter((rollout) => isGone(this.claims.get(rollout), alive));
  }

  async settle(rollout: ClaimedRollout, result: RolloutResult): Promise<WorkEvent> {
    const claim = this.claims.get(rollout);
    const event = await this.orGiveUp(
      async () => (result.outcome === 'infrastructure' ? await this.fail(result, claim) : await this.accept(result, claim)),
      this.facts.signal,
    );
    this.claims.delete(rollout);
    // Whoever has the rollout next goes on at its verification.
    return event ?? {is: 'dropped', key: rollout.key};
  }

  async drop(rollout: ClaimedRollout): Promise<void> {
    this.claims.delete(rollout);
  }

  async leave(rollout: ClaimedRollout, reason: string): Promise<WorkEvent> {
    this.pausedUntil = performance.now() + LEFT_PAUSE_MS;
    await this.putBack(rollout);
    return {is: 'left', key: rollout.key, reason};
  }

  async putBack(rollout: ClaimedRollout): Promise<void> {
    const claim = this.claims.get(rollout);
    if (claim === undefined) return;
    // Where the database does not answer, the claim ends by itself.
    await this.orGiveUp(async () => await this.replace(claim, async (sql, job) => await setJob(sql, rollout.key, job)), this.facts.signal);
    this.claims.delete(rollout);
  }

  async end(signal: AbortSignal): Promise<'done' | 'budget' | undefined> {
    const {until, database} = this.facts;
    if (until === undefined) return undefined;
    return await this.orGiveUp(async () => {
      if (!(await isOpen(database, until))) return 'done';
      return (await isSpent(database, until)) ? 'budget' : undefined;
    }, signal);
  }

  private async claim(count: number): Promise<readonly ClaimedRollout[]> {
    const runs = await this.currentRuns();
    const limits = lowestLimits(runs.map(({stored}) => stored));
    const attempts =
      limits.size === 0 ? await this.facts.queue.fetch(count, limits, this.facts.database) : await this.fetchLimited(count, limits);
    if (attempts.length === 0) return [];
    const rows = new Map(
      (
        await rowsOfJobs(
          this.facts.database,
          attempts.map(({id}) => id),
        )
      ).map((row) => [row.job, row]),
    );
    const claimed: ClaimedRollout[] = [];
    this.isShort = false;
    for (const attempt of attempts) {
      const row = rows.get(attempt.id);
      // It has a result already, from a worker that was thought dead; or it was cancelled, or queued again.
      if (row?.isOpen !== true) await this.facts.queue.complete(attempt, this.facts.database);
      else claimed.push(...(await this.orLeave({attempt, row})));
    }
    return claimed;
  }

  /** Leaves a rollout in the queue that must not, or cannot, start now. */
  private async orLeave({attempt, row}: Claim): Promise<readonly ClaimedRollout[]> {
    if (isSuspect(attempt) && this.hasSuspect()) {
      await this.postpone({attempt, row}, SUSPECT_PAUSE_MS);
      return [];
    }
    if (!row.hasBudget) return [await this.claimed(attempt, row, undefined)];
    const reserved = await this.reserve(row);
    if (reserved !== undefined) return [await this.claimed(attempt, row, reserved)];
    this.isShort = true;
    await this.postpone({attempt, row}, this.facts.unpaidPauseMs ?? UNPAID_PAUSE_MS);
    return [];
  }

  private async reserve(row: TableRow): Promise<number | undefined> {
    return await this.facts.database.inTransaction(async (sql) => await reserve(sql, row));
  }

  mustRunAlone(rollout: ClaimedRollout): boolean {
    const claim = this.claims.get(rollout);
    return claim !== undefined && isSuspect(claim.attempt);
  }

  private hasSuspect(): boolean {
    return [...this.claims.values()].some(({attempt}) => isSuspect(attempt));
  }

  /** Offers it again later: of those that must run alone several would die together again, and a run may not be able to pay it now. */
  private async postpone(claim: Claim, afterMs: number): Promise<void> {
    await this.replace(claim, async (sql, job) => await setJob(sql, claim.row.key, job), afterMs);
  }

  /** One worker at a time counts and claims, else two could exceed a limit together. */
  private async fetchLimited(count: number, limits: ReadonlyMap<string, number>): Promise<readonly Attempt[]> {
    return await this.facts.database.inTransaction(async (sql) => {
      await sql.rows('SELECT pg_advisory_xact_lock($1, 1)', [LOCKS]);
      const all: Attempt[] = [];
      // A claim takes the first ones, and leaves out those above a limit: others may follow them.
      for (let some = await this.facts.queue.fetch(count, limits, sql); some.length > 0;) {
        all.push(...some);
        some = all.length < count ? await this.facts.queue.fetch(count - all.length, limits, sql) : [];
      }
      return all;
    });
  }

  private async claimed(attempt: Attempt, row: TableRow, reservedUsd: number | undefined): Promise<ClaimedRollout> {
    const {key, taskDigest, maxCostUsd, failures} = row;
    const settings = (await this.runOf(key.run))?.settings ?? {};
    const rollout: ClaimedRollout = {key, taskDigest, maxCostUsd, retries: failures, settings, reservedUsd};
    this.claims.set(rollout, {attempt, row});
    return rollout;
  }

  private async accept(result: RolloutResult, claim: Claim | undefined): Promise<WorkEvent> {
    const isFirst = await acceptResult(this.facts.database, result);
    if (claim !== undefined) await this.facts.queue.complete(claim.attempt, this.facts.database);
    return {is: 'accepted', result, isFirst};
  }

  private async fail(result: RolloutResult, claim: Claim | undefined): Promise<WorkEvent> {
    const afterMs = retryDelayMs(result.retries + 1, this.facts.retryDelaysMs);
    const isOurs =
      claim !== undefined &&
      (await this.replace(claim, async (sql, job) => await failRow(sql, result, afterMs === undefined ? undefined : job), afterMs));
    if (!isOurs) return {is: 'dropped', key: result.key};
    return afterMs === undefined ? {is: 'parked', result} : {is: 'retried', result, afterMs};
  }

  /**
   * Ends a claim, and queues its rollout under a job of its own, which has all its starts. False where the claim or the rollout is another's by
   * now. `update` writes the new job into the row.
   */
  private async replace({attempt, row}: Claim, update: (sql: Sql, job: string) => Promise<boolean>, afterMs?: number): Promise<boolean> {
    const run = await this.runOf(row.key.run);
    return await this.facts.database.inTransaction(async (sql) => {
      if (!(await this.facts.queue.complete(attempt, sql))) return false;
      const id = randomUUID();
      if (!(await update(sql, id))) return false;
      const parked = (await findRow(sql, row.key))?.isOpen !== true;
      if (!parked) await this.facts.queue.insert([{id, key: row.key, rank: rankOf(run, row.place), afterMs, deaths: attempt.deaths}], sql);
      return true;
    });
  }

  private async parkDead(key: RolloutKey): Promise<void> {
    const {database} = this.facts;
    const row = await findRow(database, key);
    if (row?.isOpen !== true) return;
    const note = `Its worker died ${MAX_STARTS} times while it ran.`;
    const result = failedResult(row, {note, retries: row.failures, startedAt: Date.now()});
    if (await failRow(database, result, undefined)) this.facts.emit({is: 'parked', result});
  }

  private async reportNewer(): Promise<void> {
    for (const {stored, version} of await this.currentRuns()) {
      if (version <= this.facts.payloadVersion || this.newer.has(stored.name)) continue;
      if (!(await isOpen(this.facts.database, stored.name))) continue;
      this.newer.add(stored.name);
      this.facts.emit({is: 'newer', run: stored.name});
    }
  }

  private async runOf(name: string): Promise<RunSpec | undefined> {
    const find = (runs: readonly VersionedRun[]): RunSpec | undefined => runs.find(({stored}) => stored.name === name)?.stored;
    return find(await this.currentRuns()) ?? find(await this.readRuns());
  }

  private async currentRuns(): Promise<readonly VersionedRun[]> {
    const isFresh = this.runs !== undefined && performance.now() - this.runs.readAt < RUNS_FRESH_MS;
    return isFresh && this.runs !== undefined ? this.runs.list : await this.readRuns();
  }

  private async readRuns(): Promise<readonly VersionedRun[]> {
    const list = await readRuns(this.facts.database);
    this.runs = {list, readAt: performance.now()};
    return list;
  }

  private async reconnecting<T>(body: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const value = await reconnecting(body, {
      signal,
      onLost: (reason) => {
        if (this.isReachable) this.facts.emit({is: 'unreachable', reason});
        this.isReachable = false;
      },
    });
    if (!this.isReachable) this.facts.emit({is: 'reachable'});
    this.isReachable = true;
    return value;
  }

  /** Undefined: the signal aborted while the database did not answer. */
  private async orGiveUp<T>(body: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    try {
      return await this.reconnecting(body, signal);
    } catch (thrown) {
      if (signal.aborted && isLostConnection(thrown)) return undefined;
      throw thrown;
    }
  }
}

/** Jobs with a higher rank are claimed first; a 32-bit integer. */
export function rankOf(run: Pick<RunSpec, 'priority'> | undefined, place: number): number {
  return (run?.priority ?? 0) * (MAX_PLACE + 1) - place;
}

const RUNS_FRESH_MS = 2000;
/** Until a rollout that must run alone is offered to a worker again. */
const SUSPECT_PAUSE_MS = 3000;
/** Until a rollout is offered again that its run could not pay. */
const UNPAID_PAUSE_MS = 3000;

/** Others that are free look for more several times meanwhile. */
const LEFT_PAUSE_MS = 5000;

function isSuspect({deaths}: Attempt): boolean {
  return deaths >= DEATHS_UNTIL_ALONE;
}

function isGone(claim: Claim | undefined, alive: ReadonlySet<string>): boolean {
  return claim !== undefined && !alive.has(claim.attempt.id);
}
