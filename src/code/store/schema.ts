/** A database of another version is thrown away and made anew: it is a cache. Raise it with every change of tables, packing or extraction. */
export const SCHEMA_VERSION = 6;

/** What of a file is kept when it changes is its row in `file`: other tables refer to its id. */
export const SCHEMA = `
CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) WITHOUT ROWID;
CREATE TABLE file(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, language TEXT NOT NULL, broken INTEGER NOT NULL, hash TEXT NOT NULL,
  size INTEGER NOT NULL, mtime REAL NOT NULL, version INTEGER NOT NULL, resolved INTEGER NOT NULL, symbols INTEGER NOT NULL,
  relations INTEGER NOT NULL, interface TEXT NOT NULL);
CREATE INDEX file_open ON file(id) WHERE resolved = 0;
CREATE TABLE facts(file INTEGER PRIMARY KEY, core BLOB, links BLOB, numbers BLOB, detail BLOB, uses BLOB);
CREATE TABLE meaning(file INTEGER PRIMARY KEY, edges BLOB, more BLOB, needs BLOB, open BLOB);
CREATE TABLE name(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, folded TEXT NOT NULL, initials TEXT NOT NULL);
CREATE INDEX name_start ON name(substr(folded, 1, 3), length(folded), folded);
CREATE INDEX name_initials ON name(initials, length(folded));
CREATE VIRTUAL TABLE name_parts USING fts5(folded, content='', columnsize=0, detail=none, tokenize='trigram');
CREATE TABLE named(name INTEGER, rank INTEGER, symbol INTEGER, kind INTEGER, PRIMARY KEY(name, rank, symbol)) WITHOUT ROWID;
CREATE TABLE incoming(target INTEGER, file INTEGER, PRIMARY KEY(target, file)) WITHOUT ROWID;
CREATE TABLE dependent(key INTEGER, file INTEGER, PRIMARY KEY(key, file)) WITHOUT ROWID;
CREATE TABLE open_use(key INTEGER, file INTEGER, PRIMARY KEY(key, file)) WITHOUT ROWID;
CREATE TABLE skipped(path TEXT PRIMARY KEY, why TEXT NOT NULL, size INTEGER NOT NULL, mtime REAL NOT NULL) WITHOUT ROWID;
PRAGMA user_version = ${SCHEMA_VERSION};
`;
