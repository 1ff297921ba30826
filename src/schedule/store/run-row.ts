import type {SQLOutputValue} from 'node:sqlite';
import type {ProcessIdentity} from '../../exec/process/process-identity.ts';
import type {RunRecord, RunStatus} from './run-record.ts';
import type {OpenRun} from './schedule-store.ts';

export type Row = Readonly<Record<string, SQLOutputValue>>;

export function runOf(row: Row): RunRecord {
  return {
    id: Number(row['id']),
    job: String(row['job']),
    due: Number(row['due']),
    trigger: oneOf(TRIGGERS, row['trigger']),
    status: oneOf(STATUSES, row['status']),
    ...present({
      note: text(row['note']),
      exitCode: number(row['exit_code']),
      startedAt: number(row['started']),
      endedAt: number(row['ended']),
      folder: text(row['folder']),
    }),
  };
}

export function openRunOf(row: Row): OpenRun {
  return {
    ...runOf(row),
    createdAt: Number(row['created']),
    attempt: Number(row['attempt']),
    ...present({
      owner: identity(row['owner']),
      leader: identity(row['leader']),
      renewedAt: number(row['renewed']),
      cancel: text(row['cancel']),
    }),
  };
}

function present<T extends object>(fields: T): Partial<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}

function text(value: SQLOutputValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: SQLOutputValue | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

/** Written by {@link identityText} alone, into a file that nobody else can write. */
function identity(value: SQLOutputValue | undefined): ProcessIdentity | undefined {
  return typeof value === 'string' ? (JSON.parse(value) as ProcessIdentity) : undefined;
}

export function identityText({pid, start, boot, space}: ProcessIdentity): string {
  return JSON.stringify({pid, start, boot, space});
}

function oneOf<T extends string>(all: readonly T[], value: SQLOutputValue | undefined): T {
  const found = all.find((one) => one === value);
  if (found === undefined) throw new Error(`the schedule has a row with "${String(value)}"`);
  return found;
}

const TRIGGERS: readonly RunRecord['trigger'][] = ['due', 'missed', 'hand'];

const STATUSES = Object.keys({
  claimed: 0,
  running: 0,
  done: 0,
  failed: 0,
  usage: 0,
  denied: 0,
  limit: 0,
  loop: 0,
  blocked: 0,
  provider: 0,
  cancelled: 0,
  interrupted: 0,
  skipped: 0,
  sent: 0,
} satisfies Readonly<Record<RunStatus, 0>>) as readonly RunStatus[];
