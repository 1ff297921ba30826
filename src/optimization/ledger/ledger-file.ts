import {lstatSync, mkdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {FettleError, isFettleError} from '../../base/errors.ts';
import {openSharedDatabase, schemaVersion} from '../../exec/shared-database.ts';

/** The file of the ledger below the state folder. */
export function ledgerPath(stateDir: string): string {
  return join(stateDir, 'optimization', 'ledger.sqlite');
}

/**
 * Opens the database of a ledger, and makes it where there is none; without a path it is in memory. SQLite with a write-ahead log, because several processes
 * add rows at once, outcomes are corrected later, and a killed writer must leave nothing half. The file is its owner's alone (mode 0600). Throws
 * UNAVAILABLE if it cannot be used.
 */
export function openLedgerFile(path?: string): DatabaseSync {
  if (path === undefined) return inMemory();
  try {
    mkdirSync(dirname(path), {recursive: true, mode: 0o700});
    refuseLink(path);
    return openSharedDatabase(path, WAIT_MS, prepare);
  } catch (cause) {
    if (isFettleError(cause)) throw cause;
    const hint = 'Remove the file to start over, or look at the disk: `fettle doctor`.';
    throw new FettleError({code: 'UNAVAILABLE', message: `The ledger of outcomes ${path} cannot be used.`, hint, cause});
  }
}

/** Milliseconds to wait for another process that writes. */
const WAIT_MS = 5000;

/** A link may point to a file of somebody else, and to open a FIFO would wait forever. */
function refuseLink(path: string): void {
  const stats = lstatSync(path, {throwIfNoEntry: false});
  if (stats === undefined || stats.isFile()) return;
  const kind = stats.isSymbolicLink() ? 'a link' : 'not a regular file';
  throw new FettleError({code: 'UNAVAILABLE', message: `${path} is ${kind}.`, hint: 'Remove it: the ledger is a file of its own.'});
}

function inMemory(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  prepare(database);
  return database;
}

function prepare(database: DatabaseSync): void {
  database.exec('PRAGMA synchronous = NORMAL');
  const version = schemaVersion(database);
  if (version === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
  else if (version > SCHEMA_VERSION) throw newer(version);
}

function newer(version: number): FettleError {
  const message = `The ledger of outcomes has version ${version}; this Fettle reads up to ${SCHEMA_VERSION}.`;
  return new FettleError({code: 'UNAVAILABLE', message, hint: 'Use the newer Fettle, or remove the file to start over.'});
}

const SCHEMA_VERSION = 1;

/**
 * Names of decisions and actions, and numbers: nothing of prompts, paths and texts. `episode` is a digest. Two processes may prepare a new file at once:
 * the second finds the tables.
 */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS choices (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  decision TEXT NOT NULL,
  action TEXT NOT NULL,
  vector TEXT NOT NULL,
  episode TEXT
);
CREATE INDEX IF NOT EXISTS choices_by_action ON choices (decision, action);
CREATE INDEX IF NOT EXISTS choices_by_episode ON choices (decision, episode, seq) WHERE episode IS NOT NULL;
CREATE TABLE IF NOT EXISTS outcomes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  choice TEXT UNIQUE,
  decision TEXT NOT NULL,
  action TEXT NOT NULL,
  vector TEXT NOT NULL,
  earlier TEXT NOT NULL,
  success INTEGER NOT NULL,
  timeout INTEGER NOT NULL,
  latency_ms REAL,
  cost_usd REAL,
  tokens REAL
);
CREATE INDEX IF NOT EXISTS outcomes_by_action ON outcomes (decision, action, seq);
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
INSERT OR IGNORE INTO state VALUES ('revision', 0), ('frozen', 0);
PRAGMA user_version = ${SCHEMA_VERSION};
`;
