import {hash, randomBytes} from 'node:crypto';
import type {DatabaseSync, SQLInputValue, SQLOutputValue} from 'node:sqlite';
import {parseJson} from '../../base/json.ts';
import {NO_FEATURES} from '../policies/feature-vector.ts';
import type {FeatureVector} from '../policies/policy.ts';
import type {RewardSignal} from '../rewards/reward-signal.ts';
import {ledgerPath, openLedgerFile} from './ledger-file.ts';

/** The choices and outcomes of all processes: bounded, and never changed but for an outcome that is corrected. */
export interface RewardLedger {
  /** Stores a choice; returns its id. `episode` is stored as a digest. */
  addChoice(choice: NewChoice): string;
  /** Stores an outcome. Of one choice there is one outcome: a later one replaces it. False if the choice is not known, or is of another action. */
  addOutcome(outcome: NewOutcome): boolean;
  /** The outcomes of a decision that were stored after `seq`, in order. */
  outcomesAfter(decision: string, seq: number): readonly StoredOutcome[];
  /** Reads, at one moment, what was stored for a decision since it was read last. */
  changes(decision: string, known: {readonly seq: number; readonly revision: number} | undefined): LedgerChanges;
  /** True if the action has been chosen at least so often. */
  hasChoices(choice: {readonly decision: string; readonly action: string}, count: number): boolean;
  /** Changes with everything that another process stores, and with all but choices that are stored here. */
  version(): string;
  isFrozen(): boolean;
  setFrozen(frozen: boolean): void;
  /** Removes everything, or one decision; returns how many outcomes there were. */
  reset(decision?: string): number;
  /** Every action with its counts. */
  totals(): readonly ActionTotals[];
  /** The second time it does nothing. */
  close(): void;
}

export interface LedgerChanges {
  /** Changes when outcomes that were read before are no longer valid: then `outcomes` are all that there are. */
  readonly revision: number;
  readonly version: string;
  readonly frozen: boolean;
  readonly outcomes: readonly StoredOutcome[];
}

interface NewChoice {
  readonly decision: string;
  readonly action: string;
  readonly vector: FeatureVector;
  readonly episode?: string | undefined;
}

/** An outcome of a choice, or of an action that somebody else has chosen. */
export interface NewOutcome {
  readonly signal: RewardSignal;
  readonly of: {readonly choice: string} | {readonly decision: string};
}

export interface StoredOutcome {
  readonly seq: number;
  readonly signal: RewardSignal;
  readonly vector: FeatureVector;
  /** Actions chosen before in the same episode, the latest first; at most {@link MOST_EARLIER}. */
  readonly earlier: readonly string[];
}

export interface ActionTotals {
  readonly decision: string;
  readonly action: string;
  readonly choices: number;
  readonly outcomes: number;
}

/** The newest so many choices of a decision, and outcomes of an action, are kept; {@link SWEEP_EVERY} more between two sweeps. */
export const MOST_KEPT = 1000;
const SWEEP_EVERY = 50;
/** The newest so many rows of a table are kept. */
const MOST_ROWS = 50_000;
const MOST_EARLIER = 16;

/** Opens the ledger below a state folder; without one it is in memory. Throws UNAVAILABLE if the file cannot be used. */
export function openLedger(stateDir?: string): RewardLedger {
  const database = openLedgerFile(stateDir === undefined ? undefined : ledgerPath(stateDir));
  const statement = (sql: string): ((...values: SQLInputValue[]) => Row | undefined) => {
    const prepared = database.prepare(sql);
    return (...values) => prepared.get(...values);
  };
  const stateRow = statement(STATE);
  const dataVersion = statement('PRAGMA data_version');
  const countChoices = statement('SELECT count(*) AS count FROM (SELECT 1 FROM choices WHERE decision = ? AND action = ? LIMIT ?)');
  const insertChoice = database.prepare('INSERT INTO choices (id, decision, action, vector, episode) VALUES (?, ?, ?, ?, ?)');
  const all = database.prepare('SELECT * FROM outcomes WHERE decision = ? ORDER BY seq');
  // Without the plus, SQLite reads and sorts all outcomes of the decision for each new one.
  const newer = database.prepare('SELECT * FROM outcomes WHERE +decision = ? AND seq > ? ORDER BY seq');
  const outcomesAfter = (decision: string, seq: number): readonly StoredOutcome[] =>
    (seq === 0 ? all.all(decision) : newer.all(decision, seq)).map(asOutcome);
  const [reading, writing] = [openTransaction(database, 'BEGIN'), openTransaction(database, 'BEGIN IMMEDIATE')];
  const writer = openOutcomeWriter(database);
  let written = 0;
  const version = (): string => `${Number(dataVersion()?.['data_version'] ?? 0)}.${written}`;
  return {
    addChoice({decision, action, vector, episode}) {
      const id = randomBytes(12).toString('hex');
      const digest = episode === undefined ? null : hash('sha256', episode).slice(0, 16);
      const {lastInsertRowid: seq} = insertChoice.run(id, decision, action, JSON.stringify(vector), digest);
      sweep(database, {table: 'choices', seq: Number(seq), decision, action});
      return id;
    },
    addOutcome(outcome) {
      const stored = writing(() => writer(outcome));
      written += 1;
      if (stored !== undefined) sweep(database, {table: 'outcomes', ...stored});
      return stored !== undefined;
    },
    outcomesAfter,
    changes: (decision, known) =>
      reading(() => {
        const {revision, frozen} = stateRow() ?? {};
        const seq = known?.revision === revision ? (known?.seq ?? 0) : 0;
        return {revision: Number(revision ?? 0), version: version(), frozen: frozen === 1, outcomes: outcomesAfter(decision, seq)};
      }),
    hasChoices: ({decision, action}, count) => Number(countChoices(decision, action, count)?.['count'] ?? 0) >= count,
    version,
    isFrozen: () => stateRow()?.['frozen'] === 1,
    setFrozen(frozen) {
      written += 1;
      database.prepare("UPDATE state SET value = ? WHERE name = 'frozen'").run(frozen ? 1 : 0);
    },
    reset(decision) {
      written += 1;
      return writing(() => removeAll(database, decision));
    },
    totals: () => database.prepare(TOTALS).all().map(asTotals),
    close() {
      if (database.isOpen) database.close();
    },
  };
}

type Row = Record<string, SQLOutputValue>;

const STATE = `
SELECT (SELECT value FROM state WHERE name = 'revision') AS revision, (SELECT value FROM state WHERE name = 'frozen') AS frozen`;

/** Corrections and resets make what others have read of the ledger untrue. */
const NEW_REVISION = "UPDATE state SET value = value + 1 WHERE name = 'revision'";

const TOTALS = `
SELECT decision, action, sum(choices) AS choices, sum(outcomes) AS outcomes FROM (
  SELECT decision, action, count(*) AS choices, 0 AS outcomes FROM choices GROUP BY decision, action
  UNION ALL SELECT decision, action, 0, count(*) FROM outcomes GROUP BY decision, action
) GROUP BY decision, action ORDER BY decision, action`;

interface StoredPlace {
  readonly seq: number;
  readonly decision: string;
  readonly action: string;
}

/** Returns what stores an outcome: where it was stored, or undefined if its choice is not known or of another action. */
function openOutcomeWriter(database: DatabaseSync): (outcome: NewOutcome) => StoredPlace | undefined {
  const findChoice = database.prepare('SELECT seq, decision, action, vector, episode FROM choices WHERE id = ?');
  const before = database.prepare(
    `SELECT action FROM choices WHERE decision = ? AND episode = ? AND seq < ? ORDER BY seq DESC LIMIT ${MOST_EARLIER}`,
  );
  const remove = database.prepare('DELETE FROM outcomes WHERE choice = ?');
  const insert = database.prepare(
    'INSERT INTO outcomes (choice, decision, action, vector, earlier, success, timeout, latency_ms, cost_usd, tokens) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const earlierThan = ({decision = '', episode = null, seq = null}: Row): readonly string[] =>
    episode === null ? [] : before.all(decision, episode, seq).map((row) => String(row['action']));
  return ({signal, of}) => {
    const {action} = signal;
    const id = 'choice' in of ? of.choice : null;
    const choice: Row | undefined = 'choice' in of ? findChoice.get(of.choice) : {decision: of.decision, action};
    if (choice === undefined || choice['action'] !== action) return undefined;
    if (id !== null && remove.run(id).changes !== 0) database.exec(NEW_REVISION);
    const decision = String(choice['decision']);
    const earlier = JSON.stringify(earlierThan(choice));
    const {lastInsertRowid} = insert.run(
      id,
      decision,
      action,
      choice['vector'] ?? JSON.stringify(NO_FEATURES),
      earlier,
      ...figuresOf(signal),
    );
    return {seq: Number(lastInsertRowid), decision, action};
  };
}

function figuresOf({success, timeout = false, ...figures}: RewardSignal): SQLInputValue[] {
  const measured = [figures.latency_ms ?? null, figures.cost_usd ?? null, figures.tokens ?? null];
  return [success && !timeout ? 1 : 0, timeout ? 1 : 0, ...measured];
}

function removeAll(database: DatabaseSync, decision: string | undefined): number {
  const where = decision === undefined ? '' : 'WHERE decision = ?';
  const values = decision === undefined ? [] : [decision];
  database.prepare(`DELETE FROM choices ${where}`).run(...values);
  const {changes} = database.prepare(`DELETE FROM outcomes ${where}`).run(...values);
  database.exec(NEW_REVISION);
  return Number(changes);
}

/** Removes the oldest rows above the bounds, now and then: of a decision's choices, and of an action's outcomes. */
function sweep(database: DatabaseSync, {table, seq, decision, action}: StoredPlace & {readonly table: 'choices' | 'outcomes'}): void {
  if (seq % SWEEP_EVERY !== 0) return;
  const [which, values] = table === 'choices' ? ['decision = ?', [decision]] : ['decision = ? AND action = ?', [decision, action]];
  const last = `SELECT seq FROM ${table} WHERE ${which} ORDER BY seq DESC LIMIT 1 OFFSET ${MOST_KEPT}`;
  database.prepare(`DELETE FROM ${table} WHERE ${which} AND seq <= (${last})`).run(...values, ...values);
  database.prepare(`DELETE FROM ${table} WHERE seq <= ?`).run(seq - MOST_ROWS);
}

/** Returns what does some work in one transaction, whose statements are compiled once. */
function openTransaction(database: DatabaseSync, kind: 'BEGIN' | 'BEGIN IMMEDIATE'): <Result>(work: () => Result) => Result {
  const [begin, commit] = [database.prepare(kind), database.prepare('COMMIT')];
  return (work) => {
    begin.run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (thrown) {
      database.exec('ROLLBACK');
      throw thrown;
    }
  };
}

function asOutcome(row: Row): StoredOutcome {
  const number = (name: string): Record<string, number> => (typeof row[name] === 'number' ? {[name]: row[name]} : {});
  return {
    seq: Number(row['seq']),
    signal: {
      action: String(row['action']),
      success: row['success'] === 1,
      timeout: row['timeout'] === 1,
      ...number('latency_ms'),
      ...number('cost_usd'),
      ...number('tokens'),
    },
    vector: parseJson(String(row['vector'])) as unknown as FeatureVector,
    earlier: parseJson(String(row['earlier'])) as unknown as readonly string[],
  };
}

function asTotals(row: Row): ActionTotals {
  return {
    decision: String(row['decision']),
    action: String(row['action']),
    choices: Number(row['choices']),
    outcomes: Number(row['outcomes']),
  };
}
