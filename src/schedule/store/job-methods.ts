import type {RunRecord} from './run-record.ts';
import {runOf, identityText} from './run-row.ts';
import type {DueRun, JobKey, ScheduleStore} from './schedule-store.ts';
import {namingCauses, transaction, type Connection} from './store-errors.ts';

type Methods = Pick<ScheduleStore, 'state' | 'setPaused' | 'setWaiting' | 'forget' | 'apply' | 'claim' | 'requestRun' | 'recorded'>;

/** The methods that decide about a job. */
export function jobMethods(connection: Connection): Methods {
  const {database, file} = connection;
  const select = database.prepare('SELECT watermark, paused, waiting FROM jobs WHERE name = ? AND created = ?');
  const create = database.prepare('INSERT OR IGNORE INTO jobs (name, created, watermark) VALUES (?, ?, ?)');
  const has = database.prepare('SELECT 1 FROM runs WHERE job = ? AND created = ? AND due = ?');
  /** Runs one statement on the row of a job, which is made where there is none. */
  const change = (job: JobKey, sql: string, values: readonly (number | string | null)[]): void => {
    create.run(job.name, job.createdAt, job.createdAt);
    database.prepare(`UPDATE jobs SET ${sql} WHERE name = ? AND created = ?`).run(...values, job.name, job.createdAt);
  };
  return {
    state: (job) =>
      namingCauses(file, () => {
        const row = select.get(job.name, job.createdAt);
        if (row === undefined) return {watermark: job.createdAt, paused: false};
        const waiting = typeof row['waiting'] === 'string' ? {waiting: row['waiting']} : {};
        return {watermark: Number(row['watermark']), paused: row['paused'] !== 0, ...waiting};
      }),
    setPaused: (job, paused, now) =>
      transaction(connection, () => {
        change(job, 'watermark = CASE WHEN paused = 1 AND ? = 0 THEN ? ELSE watermark END', [Number(paused), now]);
        change(job, 'paused = ?', [Number(paused)]);
      }),
    setWaiting: (job, reason) => transaction(connection, () => change(job, 'waiting = ?', [reason ?? null])),
    forget: (name) =>
      transaction(connection, () => {
        database.prepare('DELETE FROM jobs WHERE name = ?').run(name);
        database.prepare("DELETE FROM runs WHERE job = ? AND status <> 'running'").run(name);
        database.prepare('UPDATE runs SET cancel = ?, reported = 1 WHERE job = ?').run('The job was removed.', name);
      }),
    apply: (job, plan, now) =>
      transaction(connection, () => {
        if (plan.replace !== undefined) replaceOpen(connection, job, {reason: plan.replace, now});
        for (const skip of plan.skips) insertSkip(connection, job, {...skip, now});
        const claimed = plan.claims.flatMap((run) => insertClaim(connection, job, run) ?? []);
        change(job, 'watermark = ?', [plan.watermark]);
        return claimed;
      }),
    claim: (job, run) => transaction(connection, () => insertClaim(connection, job, run)),
    requestRun: (job, now, owner) =>
      transaction(connection, () => {
        let due = now;
        while (has.get(job.name, job.createdAt, due) !== undefined) due += 1;
        const row = database
          .prepare(
            "INSERT INTO runs (job, created, due, trigger, status, owner, reported) VALUES (?, ?, ?, 'hand', 'claimed', ?, ?) RETURNING *",
          )
          .get(job.name, job.createdAt, due, owner === undefined ? null : identityText(owner), Number(owner !== undefined));
        if (row === undefined) throw new Error('no row was returned');
        return runOf(row);
      }),
    recorded: (job, {after, upTo}) =>
      namingCauses(file, () => {
        const rows = database
          .prepare('SELECT due FROM runs WHERE job = ? AND created = ? AND due > ? AND due <= ?')
          .all(job.name, job.createdAt, after, upTo);
        return new Set(rows.map((row) => Number(row['due'])));
      }),
  };
}

function insertClaim({database}: Connection, job: JobKey, {due, trigger}: DueRun): RunRecord | undefined {
  const row = database
    .prepare("INSERT INTO runs (job, created, due, trigger, status) VALUES (?, ?, ?, ?, 'claimed') ON CONFLICT DO NOTHING RETURNING *")
    .get(job.name, job.createdAt, due, trigger);
  return row === undefined ? undefined : runOf(row);
}

function insertSkip({database}: Connection, job: JobKey, skip: DueRun & {readonly note: string; readonly now: number}): void {
  database
    .prepare(
      "INSERT INTO runs (job, created, due, trigger, status, note, ended, reported) VALUES (?, ?, ?, ?, 'skipped', ?, ?, 1) ON CONFLICT DO NOTHING",
    )
    .run(job.name, job.createdAt, skip.due, skip.trigger, skip.note, skip.now);
}

function replaceOpen({database}: Connection, job: JobKey, {reason, now}: {readonly reason: string; readonly now: number}): void {
  const {name, createdAt} = job;
  database
    .prepare("UPDATE runs SET status = 'cancelled', note = ?, ended = ?, reported = 1 WHERE job = ? AND created = ? AND status = 'claimed'")
    .run(reason, now, name, createdAt);
  database.prepare("UPDATE runs SET cancel = ? WHERE job = ? AND created = ? AND status = 'running'").run(reason, name, createdAt);
}
