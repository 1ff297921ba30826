import type {SQLInputValue} from 'node:sqlite';
import {identityText} from './run-row.ts';
import type {RunEnd, ScheduleStore} from './schedule-store.ts';
import {transaction, type Connection} from './store-errors.ts';

type Methods = Pick<ScheduleStore, 'begin' | 'setLeader' | 'renew' | 'end' | 'release' | 'endClaimed' | 'setNote' | 'cancel'>;

/** The methods that take a run from one status to the next. Each asks for the status, and the attempt, that it expects. */
export function leaseMethods(connection: Connection): Methods {
  const {database} = connection;
  const changed = (sql: string, values: readonly SQLInputValue[]): boolean =>
    transaction(connection, () => Number(database.prepare(sql).run(...values).changes) > 0);
  return {
    begin: (id, {owner, startedAt, folder}) =>
      transaction(connection, () => {
        const row = database.prepare(BEGIN).get(identityText(owner), startedAt, startedAt, folder ?? null, id);
        return row === undefined ? undefined : {id, attempt: Number(row['attempt'])};
      }),
    setLeader: ({id, attempt}, leader) => changed(`UPDATE runs SET leader = ? WHERE ${HELD}`, [identityText(leader), id, attempt]),
    renew: ({id, attempt}, now) =>
      transaction(connection, () => {
        const row = database.prepare(`UPDATE runs SET renewed = ? WHERE ${HELD} RETURNING cancel`).get(now, id, attempt);
        if (row === undefined) return {lost: true};
        return typeof row['cancel'] === 'string' ? {lost: false, cancel: row['cancel']} : {lost: false};
      }),
    end: ({id, attempt}, end) => changed(`UPDATE runs SET ${ENDED} WHERE ${HELD}`, [...endValues(end), id, attempt]),
    release: ({id, attempt}, note) =>
      changed(`UPDATE runs SET status = 'claimed', note = ?, owner = NULL, leader = NULL, started = NULL, renewed = NULL WHERE ${HELD}`, [
        note,
        id,
        attempt,
      ]),
    endClaimed: (id, end) => changed(`UPDATE runs SET ${ENDED} WHERE id = ? AND status = 'claimed'`, [...endValues(end), id]),
    setNote: (id, note) => void changed("UPDATE runs SET note = ? WHERE id = ? AND status = 'claimed'", [note, id]),
    cancel: (id, reason, now) =>
      transaction(connection, () => {
        const end = database.prepare(`UPDATE runs SET ${ENDED} WHERE id = ? AND status = 'claimed'`);
        if (Number(end.run(...endValues({status: 'cancelled', note: reason, endedAt: now}), id).changes) > 0) return true;
        return Number(database.prepare("UPDATE runs SET cancel = ? WHERE id = ? AND status = 'running'").run(reason, id).changes) > 0;
      }),
  };
}

const BEGIN = `
UPDATE runs SET status = 'running', note = NULL, owner = ?, started = ?, renewed = ?, folder = ?, attempt = attempt + 1
WHERE id = ? AND status = 'claimed' AND NOT EXISTS (
  SELECT 1 FROM runs AS other WHERE other.job = runs.job AND other.created = runs.created AND other.status = 'running')
RETURNING attempt`;

const HELD = "id = ? AND attempt = ? AND status = 'running'";

const ENDED = 'status = ?, note = ?, exit_code = ?, ended = ?, reported = max(reported, ?)';

/** Nobody is notified of a due time that was left out, nor twice of a reminder. */
function endValues({status, note, exitCode, endedAt}: RunEnd): readonly SQLInputValue[] {
  return [status, note ?? null, exitCode ?? null, endedAt, Number(status === 'skipped' || status === 'sent')];
}
