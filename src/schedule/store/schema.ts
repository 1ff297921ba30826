/** Counted up with each change of the tables; an older file is brought up to it, a newer one is refused. */
export const SCHEMA_VERSION = 1;

export const SCHEMA = `
CREATE TABLE jobs (
  name TEXT NOT NULL,
  created INTEGER NOT NULL,
  watermark INTEGER NOT NULL,
  paused INTEGER NOT NULL DEFAULT 0,
  waiting TEXT,
  PRIMARY KEY (name, created)
) STRICT, WITHOUT ROWID;
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job TEXT NOT NULL,
  created INTEGER NOT NULL,
  due INTEGER NOT NULL,
  trigger TEXT NOT NULL,
  status TEXT NOT NULL,
  note TEXT,
  exit_code INTEGER,
  started INTEGER,
  ended INTEGER,
  folder TEXT,
  attempt INTEGER NOT NULL DEFAULT 0,
  owner TEXT,
  leader TEXT,
  renewed INTEGER,
  cancel TEXT,
  reported INTEGER NOT NULL DEFAULT 0,
  UNIQUE (job, created, due)
) STRICT;
CREATE INDEX open_runs ON runs (due) WHERE status IN ('claimed', 'running');
CREATE INDEX unreported_runs ON runs (id) WHERE reported = 0;
PRAGMA user_version = ${SCHEMA_VERSION};
`;
