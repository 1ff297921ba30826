import type {DatabaseSync, SQLInputValue, StatementSync} from 'node:sqlite';
import {parseJson, type JsonObject} from '../../../base/json.ts';
import type {RolloutKey, RolloutResult} from '../../rollout/rollout.ts';
import type {QueuedRollout, RolloutCounts, RunSpec, StoredRun} from '../engine.ts';
import {fairPlaces} from '../fair-place.ts';
import {paidFor, type Spending} from '../reserve-cost.ts';
import {providerOf} from '../rollout-facts.ts';

/** A row that is claimed. */
export interface StoredRollout extends QueuedRollout {
  readonly retries: number;
  readonly reservedUsd: number | undefined;
}

/** The first queued rollout of a lane. */
interface FirstRollout {
  readonly place: number;
  readonly limitUsd: number | undefined;
}

export interface VersionedRun {
  readonly stored: StoredRun;
  /** The version of the form in which it was written. */
  readonly version: number;
}

/** The statements on the table of rollouts. Each is one step: another process sees it whole or not at all. */
export class RolloutStore {
  private readonly database: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  close(): void {
    this.database.close();
  }

  putRun(
    {name, settings, priority = 0, share = 1, limits = {}, budgetUsd}: RunSpec,
    facts: {readonly version: number; readonly createdAt: number},
  ): void {
    this.run(
      `INSERT INTO run (name, version, settings, priority, share, limits, created_at, budget_usd) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET version = excluded.version, settings = excluded.settings, priority = excluded.priority,
       share = excluded.share, limits = excluded.limits, budget_usd = excluded.budget_usd`,
      [name, facts.version, JSON.stringify(settings), priority, share, JSON.stringify(limits), facts.createdAt, budgetUsd ?? null],
    );
    // It may have begun without a budget.
    if (budgetUsd === undefined) return;
    this.run(
      `UPDATE run SET (spent_usd, ended, greatest_usd) = (SELECT total(cost_usd) + total(lost_usd), count(CASE WHEN outcome IS NOT NULL OR lost_usd > 0 THEN 1 END),
       coalesce(max(max(coalesce(cost_usd, 0), lost_usd)), 0) FROM rollout WHERE rollout.run = ?) WHERE name = ?`,
      [name, name],
    );
  }

  runs(): readonly VersionedRun[] {
    return this.all('SELECT * FROM run ORDER BY created_at DESC, name').map(runOf);
  }

  find(run: string): VersionedRun | undefined {
    return this.all('SELECT * FROM run WHERE name = ?', [run]).map(runOf)[0];
  }

  /** Returns how many had no row yet. */
  add(batch: readonly QueuedRollout[], {name, share = 1}: RunSpec): number {
    return this.inTransaction(() => {
      const last = this.number("SELECT max(place) AS n FROM rollout WHERE run = ? AND status IN ('queued', 'waiting')", [name]);
      const now = this.number("SELECT min(place) AS n FROM rollout WHERE status = 'queued'", []);
      const fresh = batch.filter(({key}) => this.all(`SELECT 1 FROM rollout WHERE ${KEY}`, values(key)).length === 0);
      for (const provider of new Set(fresh.map(({key}) => providerOf(key.model))))
        this.run('INSERT INTO lane VALUES (?, ?) ON CONFLICT DO NOTHING', [name, provider]);
      const places = fairPlaces({last, now, share, count: fresh.length});
      const insert = `${INSERT}, digest, lane, place, limit_usd, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued') ON CONFLICT DO NOTHING`;
      return fresh.reduce((added, {key, taskDigest, maxCostUsd}, n) => {
        return added + this.run(insert, [...values(key), taskDigest, providerOf(key.model), places[n] ?? 0, maxCostUsd ?? null]);
      }, 0);
    });
  }

  /** The providers of a run that have rollouts. */
  lanes(run: string): readonly string[] {
    return this.all('SELECT provider FROM lane WHERE run = ?', [run]).map((row) => String(row['provider']));
  }

  /** The one with the lowest place that is queued in a lane. */
  first(run: string, lane: string): FirstRollout | undefined {
    const [row] = this.all(`SELECT place, limit_usd FROM ${FIRST}`, [run, lane]);
    return row === undefined ? undefined : {place: Number(row['place']), limitUsd: numberOf(row['limit_usd'])};
  }

  /** Claims the first of a lane; `reservedUsd` is its part of the budget. */
  claim(run: string, lane: string, reservedUsd: number | undefined): StoredRollout | undefined {
    return this.inTransaction(() => {
      const [row] = this.all(`SELECT * FROM ${FIRST}`, [run, lane]);
      if (row === undefined) return undefined;
      const key = keyOf(row);
      this.setStatus(key, {from: 'queued', to: 'running'});
      const maxCostUsd = numberOf(row['limit_usd']);
      return {key, taskDigest: String(row['digest']), maxCostUsd, retries: Number(row['failures']), reservedUsd};
    });
  }

  /** Undefined for a run without a budget. */
  spending(run: string): Spending | undefined {
    const [row] = this.all('SELECT * FROM run WHERE name = ? AND budget_usd IS NOT NULL', [run]);
    if (row === undefined) return undefined;
    const [budgetUsd, spentUsd, ended, greatestUsd] = [row['budget_usd'], row['spent_usd'], row['ended'], row['greatest_usd']].map(Number);
    return {budgetUsd: budgetUsd ?? 0, spentUsd: spentUsd ?? 0, ended: ended ?? 0, greatestUsd: greatestUsd ?? 0};
  }

  /** True where the row had the status `from`. */
  setStatus(key: RolloutKey, {from, to}: {readonly from: string; readonly to: string}): boolean {
    return this.run(`UPDATE rollout SET status = ? WHERE ${KEY} AND status = ?`, [to, ...values(key), from]) === 1;
  }

  /** The decision which result counts: one statement on the unique key. True for the first alone. */
  accept(result: RolloutResult): boolean {
    const {key} = result;
    const row = [...values(key), result.taskDigest, providerOf(key.model), result.outcome, paidFor(result), JSON.stringify(result)];
    return this.inTransaction(() => {
      const accepted = this.run(
        `${INSERT}, digest, lane, place, status, outcome, cost_usd, result) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 'done', ?, ?, ?)
         ON CONFLICT (run, task, model, toolset, attempt) DO UPDATE SET status = 'done', outcome = excluded.outcome, cost_usd = excluded.cost_usd,
         result = excluded.result, failure = NULL WHERE rollout.result IS NULL AND rollout.status <> 'cancelled'`,
        row,
      );
      return accepted === 1 && this.spend(result);
    });
  }

  /** Counts a failure of the infrastructure. False where the rollout does not run any more. */
  fail(result: RolloutResult, status: 'waiting' | 'parked'): boolean {
    const row = [status, paidFor(result), JSON.stringify(result), ...values(result.key)];
    const update = `UPDATE rollout SET status = ?, failures = failures + 1, lost_usd = lost_usd + ?, failure = ? WHERE ${KEY} AND status = 'running'`;
    return this.inTransaction(() => this.run(update, row) === 1 && this.spend(result));
  }

  /** Adds up what has ended, where the run has a budget. */
  private spend(result: RolloutResult): true {
    const cost = paidFor(result);
    const add = 'spent_usd = spent_usd + ?, ended = ended + 1, greatest_usd = max(greatest_usd, ?)';
    this.run(`UPDATE run SET ${add} WHERE name = ? AND budget_usd IS NOT NULL`, [cost, cost, result.key.run]);
    return true;
  }

  isRunning(key: RolloutKey): boolean {
    return this.all(`SELECT 1 FROM rollout WHERE ${KEY} AND status = 'running'`, values(key)).length === 1;
  }

  /** Moves all rollouts of a run from some statuses to another; returns how many these are. */
  moveAll(run: string, from: readonly string[], to: 'queued' | 'cancelled'): number {
    const forget = to === 'queued' && !from.includes('running') ? ', failures = 0, failure = NULL' : '';
    const list = from.map(() => '?').join(', ');
    return this.run(`UPDATE rollout SET status = ?${forget} WHERE run = ? AND status IN (${list})`, [to, run, ...from]);
  }

  isOpen(run: string): boolean {
    return this.all(`SELECT 1 FROM rollout WHERE run = ? AND status IN ('queued', 'waiting', 'running') LIMIT 1`, [run]).length === 1;
  }

  counts(run: string): RolloutCounts {
    const rows = this.all(
      'SELECT status, outcome, count(*) AS n, total(cost_usd) + total(lost_usd) AS cost FROM rollout WHERE run = ? GROUP BY 1, 2',
      [run],
    );
    const count = (...names: readonly string[]): number =>
      rows.filter((row) => names.includes(String(row['outcome'] ?? row['status']))).reduce((sum, row) => sum + Number(row['n']), 0);
    return {
      queued: count('queued', 'waiting'),
      running: count('running'),
      passed: count('passed'),
      failed: count('failed'),
      parked: count('parked'),
      cancelled: count('cancelled'),
      costUsd: rows.reduce((sum, row) => sum + Number(row['cost']), 0),
    };
  }

  /** The next results after a key, in the order of the keys. */
  resultsAfter(run: string, after: RolloutKey | undefined): readonly RolloutResult[] {
    const from = after === undefined ? ['', '', '', 0] : [after.task, after.model, after.toolset, after.attempt];
    const rows = this.all(
      `SELECT coalesce(result, failure) AS result FROM rollout WHERE run = ? AND (task, model, toolset, attempt) > (?, ?, ?, ?)
       AND status IN ('done', 'parked') ORDER BY task, model, toolset, attempt LIMIT 200`,
      [run, ...from],
    );
    return rows.map((row) => JSON.parse(String(row['result'])) as RolloutResult);
  }

  private inTransaction<T>(body: () => T): T {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      const value = body();
      this.database.exec('COMMIT');
      return value;
    } catch (thrown) {
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      throw thrown;
    }
  }

  private run(sql: string, row: readonly SQLInputValue[]): number {
    return Number(this.prepared(sql).run(...row).changes);
  }

  private all(sql: string, row: readonly SQLInputValue[] = []): Record<string, unknown>[] {
    return this.prepared(sql).all(...row);
  }

  private number(sql: string, row: readonly SQLInputValue[]): number | undefined {
    return numberOf(this.prepared(sql).get(...row)?.['n']);
  }

  private prepared(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}

const KEY = 'run = ? AND task = ? AND model = ? AND toolset = ? AND attempt = ?';
/** By the index of what is queued. */
const FIRST = "rollout WHERE run = ? AND lane = ? AND status = 'queued' ORDER BY place LIMIT 1";
const INSERT = 'INSERT INTO rollout (run, task, model, toolset, attempt';

function values({run, task, model, toolset, attempt}: RolloutKey): readonly SQLInputValue[] {
  return [run, task, model, toolset, attempt];
}

function keyOf(row: Record<string, unknown>): RolloutKey {
  return {
    run: String(row['run']),
    task: String(row['task']),
    model: String(row['model']),
    toolset: String(row['toolset']),
    attempt: Number(row['attempt']),
  };
}

function numberOf(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

function runOf(row: Record<string, unknown>): VersionedRun {
  const stored = {
    name: String(row['name']),
    settings: parseJson(String(row['settings'])) as JsonObject,
    priority: Number(row['priority']),
    share: Number(row['share']),
    limits: parseJson(String(row['limits'])) as Record<string, number>,
    budgetUsd: numberOf(row['budget_usd']),
    createdAt: Number(row['created_at']),
  };
  return {stored, version: Number(row['version'])};
}
