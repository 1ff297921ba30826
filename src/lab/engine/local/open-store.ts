import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {FettleError} from '../../../base/errors.ts';
import {openSharedDatabase, schemaVersion} from '../../../exec/shared-database.ts';

const SCHEMA_VERSION = 2;

/**
 * A lane is what a run has for one provider. `result` is the accepted result, `failure` the last one of a failed infrastructure. `waiting` is queued again, but not
 * before a delay that only its coordinator knows. `lost_usd` is the cost of attempts that did not count. The sums of a run are kept where it has a budget.
 */
const SCHEMA = `
  CREATE TABLE run (
    name TEXT PRIMARY KEY, version INTEGER NOT NULL, settings TEXT NOT NULL, priority INTEGER NOT NULL, share INTEGER NOT NULL,
    limits TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE rollout (
    run TEXT NOT NULL, task TEXT NOT NULL, model TEXT NOT NULL, toolset TEXT NOT NULL, attempt INTEGER NOT NULL,
    digest TEXT NOT NULL, lane TEXT NOT NULL, place INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('queued', 'waiting', 'running', 'done', 'parked', 'cancelled')),
    failures INTEGER NOT NULL DEFAULT 0, outcome TEXT, cost_usd REAL, result TEXT, failure TEXT,
    PRIMARY KEY (run, task, model, toolset, attempt)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE lane (run TEXT NOT NULL, provider TEXT NOT NULL, PRIMARY KEY (run, provider)) STRICT, WITHOUT ROWID;
  CREATE INDEX rollout_next ON rollout (run, lane, place) WHERE status = 'queued';
  CREATE INDEX rollout_place ON rollout (place) WHERE status = 'queued';
`;

/** The first version had no budgets. */
const BUDGETS = `
  ALTER TABLE run ADD COLUMN budget_usd REAL;
  ALTER TABLE run ADD COLUMN spent_usd REAL NOT NULL DEFAULT 0;
  ALTER TABLE run ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE run ADD COLUMN greatest_usd REAL NOT NULL DEFAULT 0;
  ALTER TABLE rollout ADD COLUMN limit_usd REAL;
  ALTER TABLE rollout ADD COLUMN lost_usd REAL NOT NULL DEFAULT 0;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Opens the table of rollouts in a folder, or makes it; nobody else may read it. UNAVAILABLE where a newer version of Fettle made it. */
export function openStore(folder: string): DatabaseSync {
  mkdirSync(folder, {recursive: true, mode: 0o700});
  const path = join(folder, 'rollouts.sqlite');
  return openSharedDatabase(path, BUSY_MS, (database) => {
    // Killed processes lose nothing. A power failure may lose the last results; their artefacts are on the disk, so that no model run is paid again.
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000');
    database.exec('BEGIN IMMEDIATE');
    const version = schemaVersion(database);
    if (version === 0) database.exec(SCHEMA);
    if (version < SCHEMA_VERSION) database.exec(BUDGETS);
    database.exec('COMMIT');
    if (version > SCHEMA_VERSION) throw newer(path);
  });
}

/** Milliseconds to wait for another process that writes. */
const BUSY_MS = 10_000;

function newer(path: string): FettleError {
  const hint = 'Use that version, or another folder for the lab.';
  return new FettleError({code: 'UNAVAILABLE', message: `${path} was made by a newer version of Fettle.`, hint});
}
