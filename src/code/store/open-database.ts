import {createHash} from 'node:crypto';
import {existsSync, lstatSync, mkdirSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {FettleError} from '../../base/errors.ts';
import {openSharedDatabase, schemaVersion} from '../../exec/shared-database.ts';
import {SCHEMA, SCHEMA_VERSION} from './schema.ts';

/** Where the index of a workspace is kept: one file for each real root and version of the tables. */
export function databasePath(stateFolder: string, root: string): string {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 24);
  return join(stateFolder, `${name}-v${SCHEMA_VERSION}.sqlite`);
}

/** Opens it for the one that builds; what is missing, unfinished or spoilt is made again. Nobody else may read the file (mode 0600). */
export function openForBuilding(path: string): DatabaseSync {
  mkdirSync(dirname(path), {recursive: true, mode: 0o700});
  refuseForeign(path);
  try {
    return prepared(path);
  } catch {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, {force: true});
    return prepared(path);
  }
}

/** Forgets everything that is stored; those who read see the old state until then. */
export function forgetAll(database: DatabaseSync): void {
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'name_parts_%'").all();
  const drops = names.map((row) => `DROP TABLE "${String(row['name'])}";`).join('');
  database.exec(`BEGIN IMMEDIATE; ${drops} ${SCHEMA} COMMIT`);
}

/** Opens it for questions; undefined where there is none yet. Throws UNAVAILABLE where it cannot be read. */
export function openForReading(path: string): DatabaseSync | undefined {
  if (!existsSync(path)) return undefined;
  refuseForeign(path);
  try {
    const database = new DatabaseSync(path, {readOnly: true, timeout: 2000});
    if (schemaVersion(database) === SCHEMA_VERSION) {
      database.exec('PRAGMA cache_size = -16000; PRAGMA mmap_size = 268435456');
      return database;
    }
    database.close();
    return undefined;
  } catch (cause) {
    if (isBegun(cause)) return undefined;
    const hint = 'Remove the file: it is made again.';
    throw new FettleError({code: 'UNAVAILABLE', message: `The code index ${path} cannot be read.`, hint, cause});
  }
}

/** What others could write would be told to a model as the code of this project: their folder, or a link, is no place for an index. */
function refuseForeign(path: string): void {
  const uid = process.getuid?.();
  const [folder, file] = [lstatSync(dirname(path)), lstatSync(path, {throwIfNoEntry: false})];
  const isForeign = [folder, ...(file === undefined ? [] : [file])].some((one) => uid !== undefined && one.uid !== uid);
  if (!isForeign && (folder.mode & 0o022) === 0 && file?.isSymbolicLink() !== true) return;
  const hint = `Only you may write to ${dirname(path)}: remove it, or set FETTLE_HOME to a folder of your own.`;
  throw new FettleError({code: 'UNAVAILABLE', message: 'The folder of code indexes can be written by others.', hint});
}

/** Killed while the file was made: before the first table there is a journal that only the one that builds can take back. */
function isBegun(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && cause.errcode === READONLY_ROLLBACK;
}

/** SQLite › result codes. */
const READONLY_ROLLBACK = 776;

function prepared(path: string): DatabaseSync {
  return openSharedDatabase(path, BUSY_MS, (database) => {
    // Killed processes lose nothing; after a power failure the last changes may be missing, and are found by their hashes.
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -12000; PRAGMA temp_store = MEMORY');
    const version = schemaVersion(database);
    if (version === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
    else if (version !== SCHEMA_VERSION) throw new Error(`version ${version}`);
  });
}

/** Milliseconds to wait for another process that writes. */
const BUSY_MS = 5000;
