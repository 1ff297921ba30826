import type {OptionRow} from './option-row.ts';

/** Clients of databases, and the tools that change their schema. */
export const DATABASES: readonly OptionRow[] = [
  {names: 'psql', source: 'psql › Options, Meta-Commands', words: [/%`/, /^\|/, /\\(?:copy|o|g|w|i|ir|cd|setenv|s|e|ef|ev|watch)\b/]},
  {
    names: 'pgcli mycli litecli',
    source: 'the manual of each',
    short: 'el',
    long: 'pgclirc myclirc liteclirc init-command logfile execute',
    words: [/^\s*\\/],
  },
  {names: 'pg_dump pg_dumpall pg_restore pg_basebackup', source: 'PostgreSQL › Client Applications', valued: 'fdhUpFjnt'},
  {names: 'pg_ctl postgres initdb', source: 'PostgreSQL › Server Applications', short: 'ocp', words: [/_command=/]},
  {
    names: 'mysql mariadb',
    source: 'mysql › Client Options',
    long: 'defaults-file defaults-extra-file defaults-group-suffix local-infile login-path ssl-key',
    words: [/\\!|^\s*system\b/],
  },
  {
    names: 'mysqldump mariadb-dump',
    source: 'mysqldump › Options',
    short: 'rT',
    valued: 'rTuphPS',
    long: 'result-file tab defaults-file defaults-extra-file plugin-dir login-path',
  },
  {
    names: 'duckdb',
    source: 'DuckDB › CLI arguments',
    words: [
      /^\s*\./,
      /\n\s*\./,
      /^-(?:cmd|init|unsigned|storage|f|file)$/,
      /\b(?:copy|attach|install|load|export|import|read_\w+|getenv|glob)\b/i,
    ],
  },
  {
    names: 'redis-cli valkey-cli',
    source: 'redis-cli › Options',
    words: [/^(?:flushall|flushdb|shutdown|replicaof|migrate|restore|acl|function|save|bgsave)$/i],
    short: 'x',
  },
  {names: 'cqlsh cypher-shell influx trino presto', source: 'the manual of each', short: 'ef', long: 'execute file cqlshrc'},
  {
    names: 'clickhouse clickhouse-client clickhouse-local',
    source: 'ClickHouse › clickhouse-client',
    short: 'C',
    long: 'queries-file config-file',
    words: [/\b(?:file|executable|url|s3|remote)\s*\(/i, /\binto\s+outfile\b/i],
    actions: /local|server|install|start/,
  },
  {names: 'sqlplus sqlcl sqlcmd isql usql snowsql', source: 'the manual of each', always: 'its input may hold commands of the shell'},
  {names: 'dolt', source: 'dolt › CLI', actions: /sql-server|config.*|push|sql|remote.*/},
  {
    names: 'sqlmap',
    source: 'sqlmap › Usage',
    long: 'eval os-cmd os-shell os-pwn os-bof sql-shell file-write file-read file-dest tamper preprocess postprocess output-dir config alert shell sqlmap-shell udf-inject shared-lib reg-',
  },
  {
    names: 'liquibase flyway',
    source: 'the manual of each',
    single: 'configFiles jarDirs defaultsFile defaults-file classpath search-path initSql',
    actions: /drop-all|dropAll|clean/,
  },
  {names: 'knex', source: 'Knex › Migration CLI', long: 'knexfile require cwd esm', config: '--knexfile'},
  {
    names: 'sequelize typeorm',
    source: 'the manual of each',
    short: 'd',
    long: 'config options-path dataSource',
    actions: /db:drop|schema:drop|schema:sync|query/,
  },
  {names: 'prisma', source: 'Prisma › CLI reference', actions: /db execute|migrate reset|db push|studio|db pull|migrate resolve/},
  {names: 'bpftrace dtrace', source: 'bpftrace(8)', always: 'it runs programs of its own language in the kernel'},
  {names: 'dlv rr', source: 'dlv › CLI', always: 'a debugger runs programs'},
];
