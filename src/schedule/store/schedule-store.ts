import type {ProcessIdentity} from '../../exec/process/process-identity.ts';
import type {RunRecord, RunStatus} from './run-record.ts';

/** A job in the store. One that is removed and added again under the same name is another job. */
export interface JobKey {
  readonly name: string;
  readonly createdAt: number;
}

export interface JobState {
  /** Due times up to this moment have been considered; that of a new job is the moment it was created. */
  readonly watermark: number;
  readonly paused: boolean;
  /** The reason why the job waits for a person; absent: it does not. */
  readonly waiting?: string | undefined;
}

/** The right to run a row. Each time a row begins, its attempt is counted: whoever holds an older attempt has lost the row. */
export interface RunLease {
  readonly id: number;
  readonly attempt: number;
}

/** A run that has not ended. */
export interface OpenRun extends RunRecord {
  readonly createdAt: number;
  readonly attempt: number;
  /** The process that supervises it; for a claimed one, the process that is going to, if it is not the daemon's business. */
  readonly owner?: ProcessIdentity | undefined;
  /** The leader of the process group of its `fettle exec`. */
  readonly leader?: ProcessIdentity | undefined;
  readonly renewedAt?: number | undefined;
  /** The reason why it is asked to end. */
  readonly cancel?: string | undefined;
}

export interface RunBegin {
  readonly owner: ProcessIdentity;
  readonly startedAt: number;
  /** Absent for a reminder: it has no artefacts. */
  readonly folder?: string | undefined;
}

export interface RunEnd {
  readonly status: Exclude<RunStatus, 'claimed' | 'running'>;
  readonly note?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly endedAt: number;
}

export interface DueRun {
  readonly due: number;
  readonly trigger: 'due' | 'missed';
}

/** The decision about the due times of one job at one moment. It is stored as a whole or not at all. */
export interface DuePlan {
  readonly claims: readonly DueRun[];
  /** Due times that their policy leaves out, with the reason. */
  readonly skips: readonly (DueRun & {readonly note: string})[];
  /** The reason why all open runs of the job are to end; absent: they go on. */
  readonly replace?: string | undefined;
  readonly watermark: number;
}

/**
 * Runs and states of all jobs, shared by the daemon, its supervisors and commands. Each method is one transaction and durable when it returns.
 * All throw FettleError: UNAVAILABLE where another process holds the database too long, IO where the disk is full or the file broken.
 */
export interface ScheduleStore {
  state(job: JobKey): JobState;
  /** On the way back from a pause, due times that passed meanwhile are not made up for. */
  setPaused(job: JobKey, paused: boolean, now: number): void;
  /** Sets why the job waits for a person; undefined: a person has answered. */
  setWaiting(job: JobKey, reason: string | undefined): void;
  /** Removes all that is stored about jobs of this name. A run that goes on is asked to end. */
  forget(name: string): void;

  /** Stores a decision; returns the runs that are claimed by it. A due time that has a row already is not claimed again. */
  apply(job: JobKey, plan: DuePlan, now: number): readonly RunRecord[];
  /** Claims one due time; undefined if it has been claimed before. */
  claim(job: JobKey, run: DueRun): RunRecord | undefined;
  /** Claims a run that a person asks for. With an owner, that process runs it, and the daemon does so only if it dies before. */
  requestRun(job: JobKey, now: number, owner?: ProcessIdentity): RunRecord;
  /** Says which of the due times have a row. */
  recorded(job: JobKey, between: {readonly after: number; readonly upTo: number}): ReadonlySet<number>;

  /** The newest runs of a job, the newest first. */
  runs(job: JobKey, limit: number): readonly RunRecord[];
  run(id: number): RunRecord | undefined;
  openRun(id: number): OpenRun | undefined;
  /** The runs of all jobs that have not ended, the oldest due time first. */
  openRuns(): readonly OpenRun[];

  /** Claimed → running, for one caller only, and only while no other run of the job is running. Undefined: it is not to be run by the caller. */
  begin(id: number, begin: RunBegin): RunLease | undefined;
  /** Records the process group of the run. False: the lease is lost. */
  setLeader(lease: RunLease, leader: ProcessIdentity): boolean;
  /** Renews the lease. `lost`: another has taken over the row, and what runs under this lease must end. */
  renew(lease: RunLease, now: number): {readonly lost: boolean; readonly cancel?: string | undefined};
  /** Running → an end. False: the lease is lost. */
  end(lease: RunLease, end: RunEnd): boolean;
  /** Running → claimed, for a run that has never begun. False: the lease is lost. */
  release(lease: RunLease, note: string): boolean;
  /** Claimed → an end. False: it is not claimed any more. */
  endClaimed(id: number, end: RunEnd): boolean;
  /** Says in the note of a claimed run why it has not begun. */
  setNote(id: number, note: string): void;
  /** A claimed run ends as cancelled at once, a running one is asked to end. False: it has ended. */
  cancel(id: number, reason: string, now: number): boolean;

  /** Ended runs of which nobody was notified yet, the oldest first. */
  unreported(): readonly RunRecord[];
  setReported(id: number): void;
  /** Takes from a run its folder, which was removed. */
  dropFolder(id: number): void;
  /** Removes the rows of ended runs of a job but the newest; returns the folders that they had. */
  dropRuns(job: JobKey, keep: number): readonly string[];
  close(): void;
}
