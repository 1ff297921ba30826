import {reservedCost, type Spending} from '../reserve-cost.ts';
import type {Row, Sql} from './database.ts';
import {KEY, numberOf, values, type TableRow} from './rollout-table.ts';

/**
 * Reserves a part of the budget of its run for a claimed rollout, and returns it; undefined: the run cannot pay it now. One worker at a time decides
 * for a run. What is reserved for a worker that died does not count: its job is not active any more.
 */
export async function reserve(sql: Sql, {key, job, maxCostUsd}: TableRow): Promise<number | undefined> {
  const [run] = await sql.rows('SELECT * FROM fettle_lab.run WHERE name = $1 AND budget_usd IS NOT NULL FOR UPDATE', [key.run]);
  if (run === undefined) return undefined;
  const reserved = reservedCost(spendingOf(run), await reservedFor(sql, key.run, job), maxCostUsd);
  await sql.rows(`UPDATE fettle_lab.rollout SET reserved_usd = $6 WHERE ${KEY}`, [...values(key), reserved ?? 0]);
  return reserved;
}

/** True where nothing of the run is running, and what is left of its budget does not pay the next rollout. */
export async function isSpent(sql: Sql, run: string): Promise<boolean> {
  const [row] = await sql.rows('SELECT * FROM fettle_lab.run WHERE name = $1 AND budget_usd IS NOT NULL', [run]);
  if (row === undefined || (await reservedFor(sql, run, undefined)) > 0) return false;
  const next = await sql.rows(
    `SELECT limit_usd FROM fettle_lab.rollout WHERE run = $1 AND status = 'queued' ORDER BY coalesce(limit_usd, 1e9), place LIMIT 1`,
    [run],
  );
  return next.length === 1 && reservedCost(spendingOf(row), 0, numberOf(next[0]?.['limit_usd'])) === undefined;
}

/** The sum for all rollouts of a run that are running, but for that of one job. */
async function reservedFor(sql: Sql, run: string, but: string | undefined): Promise<number> {
  const [row] = await sql.rows(
    `SELECT sum(r.reserved_usd) AS usd FROM fettle_lab.rollout r JOIN fettle_queue.job j ON j.id = r.job
     WHERE r.run = $1 AND r.reserved_usd > 0 AND r.status = 'queued' AND j.state = 'active' AND r.job IS DISTINCT FROM $2::uuid`,
    [run, but ?? null],
  );
  return numberOf(row?.['usd']) ?? 0;
}

function spendingOf(row: Row): Spending {
  const [budgetUsd, spentUsd, ended, greatestUsd] = [row['budget_usd'], row['spent_usd'], row['ended'], row['greatest_usd']].map(Number);
  return {budgetUsd: budgetUsd ?? 0, spentUsd: spentUsd ?? 0, ended: ended ?? 0, greatestUsd: greatestUsd ?? 0};
}
