import {lstatSync, mkdirSync} from 'node:fs';
import {dirname} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {FettleError} from '../../base/errors.ts';
import {openSharedDatabase, schemaVersion} from '../../exec/shared-database.ts';
import {jobMethods} from './job-methods.ts';
import {leaseMethods} from './lease-methods.ts';
import {runMethods} from './run-methods.ts';
import {SCHEMA, SCHEMA_VERSION} from './schema.ts';
import type {ScheduleStore} from './schedule-store.ts';
import {namingCauses} from './store-errors.ts';

/**
 * Opens the database of runs and states, and makes it where there is none (mode 0600, its folder 0700). A killed process, or a power failure,
 * loses nothing that a method has returned from. Throws UNAVAILABLE where others could write it or hold it too long, IO where it is broken.
 */
export function openScheduleStore(file: string): ScheduleStore {
  return namingCauses(file, () => {
    mkdirSync(dirname(file), {recursive: true, mode: 0o700});
    refuseForeign(file);
    const database = openSharedDatabase(file, BUSY_MS, (opened) => {
      // FULL: a due time that is claimed stays claimed, even if the power fails a moment later.
      opened.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -1000');
      migrate(opened, file);
    });
    const connection = {database, file};
    return {...jobMethods(connection), ...runMethods(connection), ...leaseMethods(connection), close: () => database.close()};
  });
}

/** Time to wait for another process that writes. */
const BUSY_MS = 5000;

function migrate(database: DatabaseSync, file: string): void {
  if (schemaVersion(database) === SCHEMA_VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = schemaVersion(database);
    if (version > SCHEMA_VERSION) throw newer(file);
    if (version === 0) database.exec(SCHEMA);
    database.exec('COMMIT');
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}

function newer(file: string): FettleError {
  const hint = 'Use that version of Fettle, or set FETTLE_HOME to another folder.';
  return new FettleError({code: 'UNAVAILABLE', message: `${file} was written by a newer version of Fettle.`, hint});
}

/** Whoever can write it decides what is run and what is reported of it. */
function refuseForeign(file: string): void {
  const uid = process.getuid?.();
  const [folder, own] = [lstatSync(dirname(file)), lstatSync(file, {throwIfNoEntry: false})];
  const isForeign = [folder, ...(own === undefined ? [] : [own])].some((one) => uid !== undefined && one.uid !== uid);
  if (!isForeign && (folder.mode & 0o022) === 0 && own?.isSymbolicLink() !== true) return;
  const hint = `Only you may write to ${dirname(file)}: make it your own (chown, chmod 700), or set FETTLE_HOME to a folder that is.`;
  throw new FettleError({code: 'UNAVAILABLE', message: `The schedule in ${dirname(file)} can be written by others.`, hint});
}
