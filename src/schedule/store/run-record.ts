/**
 * `claimed`: it will be run, and no process has begun. `running`: a supervisor holds its lease. The others are ends: `done` to
 * `cancelled` are what the exit code said, `interrupted` is a run that was killed, `skipped` a due time that its policy left out, `sent` a reminder.
 */
export type RunStatus =
  | 'claimed'
  | 'running'
  | 'done'
  | 'failed'
  | 'usage'
  | 'denied'
  | 'limit'
  | 'loop'
  | 'blocked'
  | 'provider'
  | 'cancelled'
  | 'interrupted'
  | 'skipped'
  | 'sent';

/** One due time of a job, or one run that a person asked for. Moments are milliseconds since 1970. */
export interface RunRecord {
  readonly id: number;
  readonly job: string;
  /** The due time; unique for each job. For a run by hand, the moment it was asked for. */
  readonly due: number;
  readonly trigger: 'due' | 'missed' | 'hand';
  readonly status: RunStatus;
  /** The reason of an end, in one line for a person: which limit, which file changed, how many due times were left out. */
  readonly note?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** Folder with `events.jsonl`, `last-message.txt` and `stderr.txt`; absent when it was removed to keep the quota. */
  readonly folder?: string | undefined;
}
