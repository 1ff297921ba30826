import {statSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {Worker} from 'node:worker_threads';
import {describe, expect, it} from 'vitest';
import {openSharedDatabase, schemaVersion} from '../../src/exec/shared-database.ts';
import {scratch} from '../support/scratch.ts';

const MODULE = new URL('../../src/exec/shared-database.ts', import.meta.url).href;

/** Opens the file, says when it has to wait, and stores one row. */
const WRITER = `
const {parentPort, workerData} = require('node:worker_threads');
const wait = Atomics.wait;
Atomics.wait = (...args) => {
  parentPort.postMessage('waits');
  return wait(...args);
};
import(workerData.module).then(({openSharedDatabase}) => {
  const database = openSharedDatabase(workerData.path, 60_000, (opened) => opened.exec('INSERT INTO rows VALUES (1)'));
  database.close();
});
`;

describe('openSharedDatabase', () => {
  it('waits for one that makes the tables of the new file (SQLite fails there at once: sqlite.org/c3ref/busy_handler.html)', async () => {
    const path = join(await scratch(), 'new.sqlite');
    const maker = new DatabaseSync(path);
    maker.exec('BEGIN IMMEDIATE; CREATE TABLE rows (value INTEGER)');
    const worker = new Worker(WRITER, {eval: true, workerData: {path, module: MODULE}});
    const ended = new Promise((resolve) => worker.once('error', resolve).once('exit', resolve));
    worker.once('message', () => maker.exec('COMMIT'));
    expect(await ended).toBe(0);
    expect(maker.prepare('SELECT value FROM rows').all()).toEqual([{value: 1}]);
    maker.close();
  });

  it('has a write-ahead log, the version of its maker, and a file that only its owner reads', async () => {
    const path = join(await scratch(), 'new.sqlite');
    openSharedDatabase(path, 0, (database) => database.exec('PRAGMA user_version = 7')).close();
    const database = openSharedDatabase(path, 0, () => undefined);
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({journal_mode: 'wal'});
    expect(schemaVersion(database)).toBe(7);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    database.close();
  });

  it('gives up after the time to wait, where another holds the new file', async () => {
    const path = join(await scratch(), 'held.sqlite');
    const holder = new DatabaseSync(path);
    holder.exec('BEGIN IMMEDIATE; CREATE TABLE rows (value)');
    expect(() => openSharedDatabase(path, 20, () => undefined)).toThrow('database is locked');
    holder.exec('COMMIT');
    openSharedDatabase(path, 20, () => undefined).close();
    holder.close();
  });

  it('closes the file where preparing it throws', async () => {
    const path = join(await scratch(), 'refused.sqlite');
    let opened: DatabaseSync | undefined;
    const refuse = (database: DatabaseSync): never => {
      opened = database;
      throw new Error('refused');
    };
    expect(() => openSharedDatabase(path, 0, refuse)).toThrow('refused');
    expect(opened?.isOpen).toBe(false);
  });
});
