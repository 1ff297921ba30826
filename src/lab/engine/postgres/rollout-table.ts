import {parseJson, type JsonObject} from '../../../base/json.ts';
import type {RolloutKey, RolloutResult} from '../../rollout/rollout.ts';
import type {QueuedRollout, RolloutCounts, RunSpec, StoredRun} from '../engine.ts';
import {paidFor} from '../reserve-cost.ts';
import type {Row, Sql} from './database.ts';

/** A rollout with what its job needs. */
export interface TableRow extends QueuedRollout {
  readonly job: string;
  readonly place: number;
  readonly failures: number;
  readonly isOpen: boolean;
  /** Its run has a budget; known of rows of claimed jobs alone. */
  readonly hasBudget: boolean;
}

export interface VersionedRun {
  readonly stored: StoredRun;
  readonly version: number;
}

export async function putRun(sql: Sql, run: RunSpec, version: number): Promise<void> {
  const {name, settings, priority = 0, share = 1, limits = {}, budgetUsd} = run;
  await sql.rows(
    `INSERT INTO fettle_lab.run (name, version, settings, priority, share, limits, budget_usd) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (name) DO UPDATE SET version = excluded.version, settings = excluded.settings, priority = excluded.priority,
     share = excluded.share, limits = excluded.limits, budget_usd = excluded.budget_usd`,
    [name, version, JSON.stringify(settings), priority, share, JSON.stringify(limits), budgetUsd ?? null],
  );
  if (budgetUsd !== undefined) await sumSpending(sql, name);
}

/** The run may have begun without a budget. */
async function sumSpending(sql: Sql, run: string): Promise<void> {
  await sql.rows(
    `UPDATE fettle_lab.run SET (spent_usd, ended, greatest_usd) = (
       SELECT coalesce(sum(coalesce(cost_usd, 0) + lost_usd), 0), count(*) FILTER (WHERE outcome IS NOT NULL OR lost_usd > 0),
         coalesce(max(greatest(cost_usd, lost_usd)), 0) FROM fettle_lab.rollout WHERE run = $1
     ) WHERE name = $1`,
    [run],
  );
}

/** All runs, the newest first. */
export async function readRuns(sql: Sql): Promise<readonly VersionedRun[]> {
  return (await sql.rows('SELECT * FROM fettle_lab.run ORDER BY created_at DESC, name')).map((row) => ({
    version: Number(row['version']),
    stored: {
      name: String(row['name']),
      settings: parseJson(String(row['settings'])) as JsonObject,
      priority: Number(row['priority']),
      share: Number(row['share']),
      limits: parseJson(String(row['limits'])) as Record<string, number>,
      budgetUsd: numberOf(row['budget_usd']),
      createdAt: row['created_at'] instanceof Date ? row['created_at'].getTime() : 0,
    },
  }));
}

/** The highest place that the run has queued, and the lowest of any run. */
export async function placesOf(sql: Sql, run: string): Promise<{readonly last: number | undefined; readonly now: number | undefined}> {
  const [row] = await sql.rows(
    `SELECT (SELECT max(place) FROM fettle_lab.rollout WHERE run = $1 AND status = 'queued') AS last,
            (SELECT min(place) FROM fettle_lab.rollout WHERE status = 'queued') AS now`,
    [run],
  );
  return {last: numberOf(row?.['last']), now: numberOf(row?.['now'])};
}

/** Adds those of a batch that have no row yet, and returns them. One text for all: arrays would cost the coordinator twice the memory. */
export async function addRows(
  sql: Sql,
  rows: readonly (QueuedRollout & {readonly job: string; readonly place: number})[],
): Promise<readonly TableRow[]> {
  const added = await sql.rows(
    `INSERT INTO fettle_lab.rollout (run, task, model, toolset, attempt, digest, place, job, limit_usd, status)
     SELECT run, task, model, toolset, attempt, digest, place, job, max_cost, 'queued'
     FROM json_to_recordset($1::json)
       AS t (run text, task text, model text, toolset text, attempt int, digest text, place int, job uuid, max_cost double precision)
     ON CONFLICT DO NOTHING RETURNING *`,
    [
      JSON.stringify(
        rows.map(({key, taskDigest, place, job, maxCostUsd}) => ({...key, digest: taskDigest, place, job, max_cost: maxCostUsd})),
      ),
    ],
  );
  return added.map(tableRow);
}

/** The rows of jobs that were claimed. */
export async function rowsOfJobs(sql: Sql, jobs: readonly string[]): Promise<readonly TableRow[]> {
  return (
    await sql.rows(
      `SELECT r.*, n.budget_usd FROM fettle_lab.rollout r LEFT JOIN fettle_lab.run n ON n.name = r.run WHERE r.job = ANY($1::uuid[])`,
      [jobs],
    )
  ).map(tableRow);
}

/** The decision which result counts: one statement on the unique key. True for the first alone. */
export async function acceptResult(sql: Sql, result: RolloutResult): Promise<boolean> {
  const rows = await sql.rows(
    `WITH ended AS (
       INSERT INTO fettle_lab.rollout AS r (run, task, model, toolset, attempt, digest, place, status, outcome, cost_usd, result)
       VALUES ($1, $2, $3, $4, $5, $6, 0, 'done', $7, $8, $9)
       ON CONFLICT (run, task, model, toolset, attempt) DO UPDATE SET status = 'done', outcome = excluded.outcome, cost_usd = excluded.cost_usd,
         result = excluded.result, failure = NULL, reserved_usd = 0 WHERE r.result IS NULL AND r.status <> 'cancelled'
       RETURNING run, coalesce(cost_usd, 0) AS cost
     ), ${SPEND}`,
    [...values(result.key), result.taskDigest, result.outcome, paidFor(result), JSON.stringify(result)],
  );
  return rows.length === 1;
}

/** Counts a failure of the infrastructure; `job` is the one that is queued instead, or undefined to park it. */
export async function failRow(sql: Sql, result: RolloutResult, job: string | undefined): Promise<boolean> {
  const rows = await sql.rows(
    `WITH ended AS (
       UPDATE fettle_lab.rollout SET failures = failures + 1, failure = $6, job = coalesce($7, job), status = $8, lost_usd = lost_usd + $9, reserved_usd = 0
       WHERE ${KEY} AND status = 'queued' RETURNING run, $9::double precision AS cost
     ), ${SPEND}`,
    [...values(result.key), JSON.stringify(result), job ?? null, job === undefined ? 'parked' : 'queued', paidFor(result)],
  );
  return rows.length === 1;
}

export async function findRow(sql: Sql, key: RolloutKey): Promise<TableRow | undefined> {
  return (await sql.rows(`SELECT * FROM fettle_lab.rollout WHERE ${KEY}`, values(key))).map(tableRow)[0];
}

/** Gives a rollout another job. False where it is not queued any more. */
export async function setJob(sql: Sql, key: RolloutKey, job: string): Promise<boolean> {
  return (
    (
      await sql.rows(`UPDATE fettle_lab.rollout SET job = $6, reserved_usd = 0 WHERE ${KEY} AND status = 'queued' RETURNING 1`, [
        ...values(key),
        job,
      ])
    ).length === 1
  );
}

/** Cancels what has no result; returns the jobs of these. */
export async function cancelRows(sql: Sql, run: string): Promise<readonly string[]> {
  const rows = await sql.rows(
    `UPDATE fettle_lab.rollout SET status = 'cancelled' WHERE run = $1 AND status IN ('queued', 'parked') RETURNING job::text AS job`,
    [run],
  );
  return rows.map((row) => String(row['job']));
}

/** Queues some of the parked and cancelled rollouts of a run again, each with a job of its own. */
export async function requeueRows(sql: Sql, run: string): Promise<readonly TableRow[]> {
  const rows = await sql.rows(
    `UPDATE fettle_lab.rollout SET status = 'queued', failures = 0, failure = NULL, job = gen_random_uuid()
     WHERE ctid = ANY (ARRAY(SELECT ctid FROM fettle_lab.rollout WHERE run = $1 AND status IN ('parked', 'cancelled') LIMIT 1000 FOR UPDATE))
     RETURNING *`,
    [run],
  );
  return rows.map(tableRow);
}

/** Gives some of the queued rollouts whose job is gone another one: somebody emptied the queue, or restored an old copy of the database. */
export async function replaceLostJobs(sql: Sql, run: string): Promise<readonly TableRow[]> {
  const rows = await sql.rows(
    `UPDATE fettle_lab.rollout SET job = gen_random_uuid() WHERE ctid = ANY (ARRAY(
       SELECT r.ctid FROM fettle_lab.rollout r WHERE r.run = $1 AND r.status = 'queued' AND NOT EXISTS (
         SELECT 1 FROM fettle_queue.job j WHERE j.id = r.job AND j.state IN ('created', 'retry', 'active', 'failed')
       ) LIMIT 1000 FOR UPDATE
     )) RETURNING *`,
    [run],
  );
  return rows.map(tableRow);
}

export async function isOpen(sql: Sql, run: string): Promise<boolean> {
  return (await sql.rows(`SELECT 1 FROM fettle_lab.rollout WHERE run = $1 AND status = 'queued' LIMIT 1`, [run])).length === 1;
}

export async function readCounts(sql: Sql, run: string): Promise<RolloutCounts> {
  const rows = await sql.rows(
    `SELECT coalesce(outcome, status) AS kind, count(*) AS n, sum(coalesce(cost_usd, 0) + lost_usd) AS cost FROM fettle_lab.rollout WHERE run = $1 GROUP BY 1`,
    [run],
  );
  const [active] = await sql.rows(
    `SELECT count(*) AS n FROM fettle_queue.job j JOIN fettle_lab.rollout r ON r.job = j.id
     WHERE j.state = 'active' AND r.run = $1 AND r.status = 'queued'`,
    [run],
  );
  const count = (kind: string): number => Number(rows.find((row) => row['kind'] === kind)?.['n'] ?? 0);
  const running = Number(active?.['n'] ?? 0);
  return {
    queued: Math.max(0, count('queued') - running),
    running,
    passed: count('passed'),
    failed: count('failed'),
    parked: count('parked'),
    cancelled: count('cancelled'),
    costUsd: rows.reduce((sum, row) => sum + Number(row['cost'] ?? 0), 0),
  };
}

/** The next results after a key, in the order of the keys. */
export async function resultsAfter(sql: Sql, run: string, after: RolloutKey | undefined): Promise<readonly RolloutResult[]> {
  const from = after === undefined ? ['', '', '', 0] : [after.task, after.model, after.toolset, after.attempt];
  const rows = await sql.rows(
    `SELECT coalesce(result, failure) AS result FROM fettle_lab.rollout WHERE run = $1 AND (task, model, toolset, attempt) > ($2, $3, $4, $5)
     AND status IN ('done', 'parked') ORDER BY task, model, toolset, attempt LIMIT 200`,
    [run, ...from],
  );
  return rows.map((row) => JSON.parse(String(row['result'])) as RolloutResult);
}

/** Adds up what has ended, where the run has a budget: else all workers would wait for this one row. */
const SPEND = `spent AS (
  UPDATE fettle_lab.run n SET spent_usd = n.spent_usd + ended.cost, ended = n.ended + 1, greatest_usd = greatest(n.greatest_usd, ended.cost)
  FROM ended WHERE n.name = ended.run AND n.budget_usd IS NOT NULL
) SELECT 1 FROM ended`;

export const KEY = 'run = $1 AND task = $2 AND model = $3 AND toolset = $4 AND attempt = $5';

export function values({run, task, model, toolset, attempt}: RolloutKey): readonly unknown[] {
  return [run, task, model, toolset, attempt];
}

function tableRow(row: Row): TableRow {
  return {
    key: {
      run: String(row['run']),
      task: String(row['task']),
      model: String(row['model']),
      toolset: String(row['toolset']),
      attempt: Number(row['attempt']),
    },
    taskDigest: String(row['digest']),
    job: String(row['job']),
    place: Number(row['place']),
    failures: Number(row['failures']),
    maxCostUsd: numberOf(row['limit_usd']),
    isOpen: row['status'] === 'queued',
    hasBudget: numberOf(row['budget_usd']) !== undefined,
  };
}

export function numberOf(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}
