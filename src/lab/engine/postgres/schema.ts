import {FettleError} from '../../../base/errors.ts';
import type {Database} from './database.ts';

const SCHEMA_VERSION = 2;

/** Beside the tables of pg-boss. Texts of results are not `jsonb`: that refuses NUL, which the output of a command may have. */
const SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS fettle_lab;
  CREATE TABLE IF NOT EXISTS fettle_lab.version (version int PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS fettle_lab.run (
    name text COLLATE "C" PRIMARY KEY, version int NOT NULL, settings text NOT NULL, priority int NOT NULL, share int NOT NULL,
    limits text NOT NULL, created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS fettle_lab.rollout (
    run text COLLATE "C" NOT NULL, task text COLLATE "C" NOT NULL, model text COLLATE "C" NOT NULL, toolset text COLLATE "C" NOT NULL,
    attempt int NOT NULL, digest text NOT NULL, place int NOT NULL, job uuid,
    status text NOT NULL CHECK (status IN ('queued', 'done', 'parked', 'cancelled')),
    failures int NOT NULL DEFAULT 0, outcome text, cost_usd double precision, result text, failure text,
    PRIMARY KEY (run, task, model, toolset, attempt)
  );
  CREATE INDEX IF NOT EXISTS rollout_job ON fettle_lab.rollout (job);
  CREATE INDEX IF NOT EXISTS rollout_open ON fettle_lab.rollout (run, place) WHERE status = 'queued';
`;

/**
 * The first version had no budgets. `lost_usd` is the cost of attempts that did not count, `reserved_usd` the part of the budget of one that runs. The sums
 * of a run are kept where it has a budget.
 */
const BUDGETS = `
  ALTER TABLE fettle_lab.run ADD COLUMN budget_usd double precision, ADD COLUMN spent_usd double precision NOT NULL DEFAULT 0,
    ADD COLUMN ended int NOT NULL DEFAULT 0, ADD COLUMN greatest_usd double precision NOT NULL DEFAULT 0;
  ALTER TABLE fettle_lab.rollout ADD COLUMN limit_usd double precision, ADD COLUMN lost_usd double precision NOT NULL DEFAULT 0,
    ADD COLUMN reserved_usd double precision NOT NULL DEFAULT 0;
  CREATE INDEX rollout_reserved ON fettle_lab.rollout (run) WHERE reserved_usd > 0;
`;

/** Any number that no other program uses for its locks. */
export const LOCKS = 0x66_65_74;

/** Makes the tables where they are missing. UNAVAILABLE where a newer version of Fettle made them. */
export async function prepareSchema(database: Database): Promise<void> {
  await database.inTransaction(async (sql) => {
    await sql.rows('SELECT pg_advisory_xact_lock($1, 0)', [LOCKS]);
    await sql.rows(SCHEMA);
    const found = Number((await sql.rows('SELECT max(version) AS version FROM fettle_lab.version'))[0]?.['version'] ?? 0);
    if (found === SCHEMA_VERSION) return;
    if (found < SCHEMA_VERSION) {
      await sql.rows(BUDGETS);
      await sql.rows('INSERT INTO fettle_lab.version VALUES ($1)', [SCHEMA_VERSION]);
      return;
    }
    const hint = 'Update Fettle on this machine.';
    throw new FettleError({code: 'UNAVAILABLE', message: 'The tables of the queue were made by a newer version of Fettle.', hint});
  });
}
