import {openRunOf, runOf} from './run-row.ts';
import type {ScheduleStore} from './schedule-store.ts';
import {namingCauses, transaction, type Connection} from './store-errors.ts';

type Methods = Pick<ScheduleStore, 'runs' | 'run' | 'openRun' | 'openRuns' | 'unreported' | 'setReported' | 'dropFolder' | 'dropRuns'>;

/** The methods that read runs, and those that take what is old out of the store. */
export function runMethods(connection: Connection): Methods {
  const {database, file} = connection;
  const one = database.prepare('SELECT * FROM runs WHERE id = ?');
  return {
    runs: (job, limit) =>
      namingCauses(file, () =>
        database
          .prepare('SELECT * FROM runs WHERE job = ? AND created = ? ORDER BY id DESC LIMIT ?')
          .all(job.name, job.createdAt, limit)
          .map(runOf),
      ),
    run: (id) =>
      namingCauses(file, () => {
        const row = one.get(id);
        return row === undefined ? undefined : runOf(row);
      }),
    openRun: (id) =>
      namingCauses(file, () => {
        const row = one.get(id);
        return row === undefined || row['ended'] !== null ? undefined : openRunOf(row);
      }),
    openRuns: () =>
      namingCauses(file, () =>
        database.prepare("SELECT * FROM runs WHERE status IN ('claimed', 'running') ORDER BY due, id").all().map(openRunOf),
      ),
    unreported: () =>
      namingCauses(file, () =>
        database.prepare('SELECT * FROM runs WHERE reported = 0 AND ended IS NOT NULL ORDER BY id').all().map(runOf),
      ),
    setReported: (id) => transaction(connection, () => void database.prepare('UPDATE runs SET reported = 1 WHERE id = ?').run(id)),
    dropFolder: (id) => transaction(connection, () => void database.prepare('UPDATE runs SET folder = NULL WHERE id = ?').run(id)),
    dropRuns: (job, keep) =>
      transaction(connection, () =>
        database
          .prepare(
            `DELETE FROM runs WHERE ended IS NOT NULL AND id IN (
              SELECT id FROM runs WHERE job = ? AND created = ? ORDER BY id DESC LIMIT -1 OFFSET ?) RETURNING folder`,
          )
          .all(job.name, job.createdAt, keep)
          .flatMap(({folder}) => (typeof folder === 'string' ? [folder] : [])),
      ),
  };
}
