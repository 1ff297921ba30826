import {chmod, rename, symlink} from 'node:fs/promises';
import {cpSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, it} from 'vitest';
import {databasePath, forgetAll, openForBuilding, openForReading} from '../../../src/code/store/open-database.ts';
import {SCHEMA_VERSION} from '../../../src/code/store/schema.ts';
import {scratch} from '../../support/scratch.ts';

const tables = (database: DatabaseSync): number =>
  Number(database.prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE type = 'table'").get()?.['tables']);

describe('the database of an index', () => {
  it('has one file for each root, of its owner alone, in a folder of its owner alone', async () => {
    const folder = join(await scratch(), 'code');
    const path = databasePath(folder, '/one');
    expect(databasePath(folder, '/two')).not.toBe(path);
    openForBuilding(path).close();
    expect([statSync(path).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it.each(['no database at all', 'SQLite format 3\0 and then nothing that fits'])('made anew when it is spoilt: %s', async (content) => {
    const path = join(await scratch(), 'x.sqlite');
    writeFileSync(path, content.repeat(100));
    const database = openForBuilding(path);
    expect(tables(database)).toBeGreaterThan(8);
    database.close();
  });

  it('made anew when it is of another version, and not read before', async () => {
    const path = join(await scratch(), 'x.sqlite');
    const other = new DatabaseSync(path);
    other.exec(`CREATE TABLE file(other); PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    other.close();
    expect(openForReading(path)).toBe(undefined);
    const database = openForBuilding(path);
    expect(tables(database)).toBeGreaterThan(8);
    database.close();
    openForReading(path)?.close();
  });

  it('forgotten as a whole, while somebody reads', async () => {
    const path = join(await scratch(), 'x.sqlite');
    const database = openForBuilding(path);
    database.exec("INSERT INTO meta VALUES ('built', 1); INSERT INTO name(text, folded, initials) VALUES ('abc', 'abc', 'a')");
    database.exec("INSERT INTO name_parts(rowid, folded) VALUES (1, 'abc')");
    const reader = openForReading(path);
    const count = (): unknown =>
      reader?.prepare('SELECT (SELECT count(*) FROM meta) + (SELECT count(*) FROM name) AS all_rows').get()?.['all_rows'];
    expect(count()).toBe(2);
    forgetAll(database);
    expect(count()).toBe(0);
    reader?.close();
    database.close();
  });

  it('is absent where the one that made it was killed before the first table (issue: kill at random, index opens)', async () => {
    const [path, killed] = [join(await scratch(), 'x.sqlite'), join(await scratch(), 'killed.sqlite')];
    const making = new DatabaseSync(path);
    making.exec('PRAGMA cache_size = 1; CREATE TABLE one(text); BEGIN; INSERT INTO one VALUES (hex(randomblob(100000)))');
    for (const end of ['', '-journal']) cpSync(path + end, killed + end);
    making.close();
    expect(openForReading(killed)).toBe(undefined);
    openForBuilding(killed).close();
    openForReading(killed)?.close();
  });

  it('is absent before the first build', async () => {
    expect(openForReading(join(await scratch(), 'none.sqlite'))).toBe(undefined);
  });
});

describe('an index that others could have written (issue 6: "cache poisoning by another user")', () => {
  it.each([
    ['the folder can be written by all', async (folder: string) => await chmod(folder, 0o777)],
    ['the folder can be written by a group', async (folder: string) => await chmod(folder, 0o720)],
    [
      'the file is a link',
      async (folder: string, path: string) => {
        await rename(path, join(folder, 'other'));
        await symlink(join(folder, 'other'), path);
      },
    ],
  ])('is neither read nor written: %s', async (_, spoil) => {
    const folder = join(await scratch(), 'code');
    const path = databasePath(folder, '/work');
    openForBuilding(path).close();
    openForReading(path)?.close();
    await spoil(folder, path);
    for (const open of [openForBuilding, openForReading]) {
      expect(() => open(path)).toThrow(
        expect.objectContaining({code: 'UNAVAILABLE', message: 'The folder of code indexes can be written by others.'}),
      );
    }
  });
});
