import type {DatabaseSync, SQLInputValue, StatementSync} from 'node:sqlite';
import {parseJson, type JsonObject} from '../../../base/json.ts';
import type {RolloutKey, RolloutResult} from '../../rollout/rollout.ts';
import type {QueuedRollout, RolloutCounts, RunSpec, StoredRun} from '../engine.ts';
import {fairPlaces} from '../fair-place.ts';
import {providerOf} from '../rollout-facts.ts';

/** A row that is claimed. */
export interface StoredRollout extends QueuedRollout {
  readonly retries: number;
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
    {name, settings, priority = 0, share = 1, limits = {}}: RunSpec,
    facts: {readonly version: number; readonly createdAt: number},
  ): void {
    this.run(
      `INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET version = excluded.version, settings = excluded.settings,
       priority = excluded.priority, share = excluded.share, limits = excluded.limits`,
      [name, facts.version, JSON.stringify(settings), priority, share, JSON.stringify(limits), facts.createdAt],
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
      return fresh.reduce((added, {key, taskDigest}, n) => {
        const row = [...values(key), taskDigest, providerOf(key.model), places[n] ?? 0];
        return (
          added + this.run(`${INSERT}, digest, lane, place, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'queued') ON CONFLICT DO NOTHING`, row)
        );
      }, 0);
    });
  }

  /** The providers of a run that have rollouts. */
  lanes(run: string): readonly string[] {
    return this.all('SELECT provider FROM lane WHERE run = ?', [run]).map((row) => String(row['provider']));
  }

  /** The lowest place that is queued in a lane. */
  firstPlace(run: string, lane: string): number | undefined {
    return this.number(`SELECT min(place) AS n FROM rollout WHERE run = ? AND lane = ? AND status = 'queued'`, [run, lane]);
  }

  /** Claims the first of a lane. */
  claim(run: string, lane: string): StoredRollout | undefined {
    return this.inTransaction(() => {
      const [row] = this.all(`SELECT * FROM rollout WHERE run = ? AND lane = ? AND status = 'queued' ORDER BY place LIMIT 1`, [run, lane]);
      if (row === undefined) return undefined;
      const key = keyOf(row);
      this.setStatus(key, {from: 'queued', to: 'running'});
      return {key, taskDigest: String(row['digest']), retries: Number(row['failures'])};
    });
  }

  /** True where the row had the status `from`. */
  setStatus(key: RolloutKey, {from, to}: {readonly from: string; readonly to: string}): boolean {
    return this.run(`UPDATE rollout SET status = ? WHERE ${KEY} AND status = ?`, [to, ...values(key), from]) === 1;
  }

  /** The decision which result counts: one statement on the unique key. True for the first alone. */
  accept(result: RolloutResult): boolean {
    const {key} = result;
    const row = [...values(key), result.taskDigest, providerOf(key.model), result.outcome, result.costUsd, JSON.stringify(result)];
    return (
      this.run(
        `${INSERT}, digest, lane, place, status, outcome, cost_usd, result) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 'done', ?, ?, ?)
         ON CONFLICT (run, task, model, toolset, attempt) DO UPDATE SET status = 'done', outcome = excluded.outcome, cost_usd = excluded.cost_usd,
         result = excluded.result, failure = NULL WHERE rollout.result IS NULL AND rollout.status <> 'cancelled'`,
        row,
      ) === 1
    );
  }

  /** Counts a failure of the infrastructure. False where the rollout does not run any more. */
  fail(result: RolloutResult, status: 'waiting' | 'parked'): boolean {
    const row = [status, JSON.stringify(result), ...values(result.key)];
    return this.run(`UPDATE rollout SET status = ?, failures = failures + 1, failure = ? WHERE ${KEY} AND status = 'running'`, row) === 1;
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
    const rows = this.all('SELECT status, outcome, count(*) AS n, total(cost_usd) AS cost FROM rollout WHERE run = ? GROUP BY 1, 2', [run]);
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

  /** The next results behind a key, in the order of the keys. */
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
    const n = this.prepared(sql).get(...row)?.['n'];
    return n === null || n === undefined ? undefined : Number(n);
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

function runOf(row: Record<string, unknown>): VersionedRun {
  const stored = {
    name: String(row['name']),
    settings: parseJson(String(row['settings'])) as JsonObject,
    priority: Number(row['priority']),
    share: Number(row['share']),
    limits: parseJson(String(row['limits'])) as Record<string, number>,
    createdAt: Number(row['created_at']),
  };
  return {stored, version: Number(row['version'])};
}
