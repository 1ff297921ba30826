import type {JobInsert} from 'pg-boss';
import type {RolloutKey} from '../../rollout/rollout.ts';
import {MAX_STARTS} from '../retry-policy.ts';
import {providerOf} from '../rollout-facts.ts';
import type {Database, Sql} from './database.ts';

/** Seconds without a sign of a worker after which its rollouts go to another. The least that pg-boss has. */
const HEARTBEAT_S = 10;
/** A queued rollout is kept that long, a done job for a day, and one that runs longer than a day is ended: the most that pg-boss has. */
const YEAR_S = 365 * 86_400;
const DAY_S = 86_400;

/** One claim of a job: after another claim of the same job its calls have no effect. */
export interface Attempt {
  readonly id: string;
  readonly retryCount: number;
  /** How often a worker died while it had the rollout. */
  readonly deaths: number;
}

export interface JobFacts {
  readonly id: string;
  readonly key: RolloutKey;
  /** Higher first. */
  readonly rank: number;
  /** How often a worker died while it had the rollout, under an earlier job; without it 0. */
  readonly deaths?: number | undefined;
  readonly afterMs?: number | undefined;
}

/**
 * The queue of one version of payloads: workers of another version never see its jobs. A job whose workers died {@link MAX_STARTS} times moves
 * to the queue of dead letters.
 */
export class JobQueue {
  readonly name: string;
  private readonly dead: string;
  private readonly boss: Database['boss'];

  constructor({boss}: Database, payloadVersion: number) {
    this.boss = boss;
    this.name = `rollout-v${payloadVersion}`;
    this.dead = `${this.name}-dead`;
  }

  async prepare(): Promise<void> {
    await this.boss.createQueue(this.dead, {retryLimit: 100_000, heartbeatSeconds: HEARTBEAT_S, retentionSeconds: YEAR_S});
    await this.boss.createQueue(this.name, {
      deadLetter: this.dead,
      retryLimit: MAX_STARTS - 1,
      retryDelay: 1,
      expireInSeconds: DAY_S,
      heartbeatSeconds: HEARTBEAT_S,
      retentionSeconds: YEAR_S,
      deleteAfterSeconds: DAY_S,
      warningQueueSize: 10_000_000,
    });
  }

  async insert(jobs: readonly JobFacts[], {db}: Sql): Promise<void> {
    if (jobs.length > 0) await this.boss.insert(this.name, jobs.map(jobOf), {db});
  }

  /** Claims the first jobs whose provider is below its limit; may be fewer than there are. */
  async fetch(count: number, limits: ReadonlyMap<string, number>, {db}: Sql): Promise<readonly Attempt[]> {
    const groupConcurrency = limits.size === 0 ? {} : {groupConcurrency: {default: NO_LIMIT, tiers: Object.fromEntries(limits)}};
    const jobs = await this.boss.fetch<Payload>(this.name, {batchSize: count, db, ...groupConcurrency});
    return jobs.map(({id, retryCount, data}) => ({id, retryCount, deaths: data.deaths + retryCount}));
  }

  /** Completes a claim. False: it is not this worker's any more. */
  async complete(attempt: Attempt, {db}: Sql): Promise<boolean> {
    return affected(await this.boss.complete(this.name, claimOf(attempt), null, {db})) === 1;
  }

  /** Says that these run; returns the ids of those that do. */
  async touch(attempts: readonly Attempt[]): Promise<ReadonlySet<string>> {
    const {settled} = (await this.boss.touch(this.name, attempts.map(claimOf))) as {readonly settled?: readonly string[]};
    return new Set(settled);
  }

  async cancel(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.boss.cancel(this.name, [...ids]);
  }

  /** Calls `park` for each job whose workers died too often. */
  async takeDead(park: (key: RolloutKey) => Promise<void>): Promise<void> {
    for (const job of await this.boss.fetch<Payload>(this.dead, {batchSize: 20})) {
      await park(job.data.key);
      await this.boss.complete(this.dead, {id: job.id, retryCount: job.retryCount});
    }
  }
}

const NO_LIMIT = 1_000_000;

interface Payload {
  readonly key: RolloutKey;
  readonly deaths: number;
}

function jobOf({id, key, rank, afterMs, deaths = 0}: JobFacts): JobInsert<Payload> {
  const provider = providerOf(key.model);
  const later = afterMs === undefined ? {} : {startAfter: `${afterMs} ms`};
  const retryLimit = Math.max(0, MAX_STARTS - 1 - deaths);
  return {id, data: {key, deaths}, priority: rank, retryLimit, group: {id: provider, tier: provider}, ...later};
}

function claimOf({id, retryCount}: Attempt): JobAttempt {
  return {id, retryCount};
}

interface JobAttempt {
  id: string;
  retryCount: number;
}

/** pg-boss declares no fields for what it returns. */
function affected(response: unknown): number {
  return (response as {readonly affected: number}).affected;
}
