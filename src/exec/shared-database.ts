import {closeSync, openSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {isBusy} from './kernel-lock.ts';

/**
 * Opens an SQLite file that several processes read and write at once, and makes it where it is missing (mode 0600). It has a write-ahead log, so that
 * readers wait for no writer and a killed writer leaves nothing half done. `prepare` sets what else the connection needs and makes the tables; where
 * it throws, the file is closed. A statement waits up to `waitMs` milliseconds for another process that writes. Throws the errors of SQLite.
 */
export function openSharedDatabase(path: string, waitMs: number, prepare: (database: DatabaseSync) => void): DatabaseSync {
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, {timeout: waitMs});
  try {
    useWriteAheadLog(database, waitMs);
    prepare(database);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/** Reads the version that the tables of a file were made with: 0 in a new one. */
export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

/**
 * SQLite fails at once, whatever its timeout, where two processes turn the same new file to a write-ahead log: each holds the read lock that the other
 * would wait for (sqlite.org/c3ref/busy_handler.html). So the statement is tried again here.
 */
function useWriteAheadLog(database: DatabaseSync, waitMs: number): void {
  const end = performance.now() + waitMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, pause);
  }
}

const LONGEST_PAUSE_MS = 20;
