import type {Clock} from '../clock.ts';
import type {JobDefinition} from '../jobs/job-definition.ts';
import type {RunRecord} from '../store/run-record.ts';
import type {ScheduleFolders} from '../store/schedule-folders.ts';
import type {ScheduleStore} from '../store/schedule-store.ts';
import type {Processes} from '../supervisor/processes.ts';
import type {ProgramCommand} from '../supervisor/supervisor-ports.ts';

/** All definitions that there are. Broken ones are data: the other jobs go on. */
export interface LoadedJobs {
  readonly jobs: readonly JobDefinition[];
  readonly broken: readonly {readonly name: string; readonly reason: string}[];
}

/** A text for a person: the end of a run, or a reminder. */
export interface Notification {
  readonly title: string;
  readonly text: string;
  readonly job: string;
  readonly run: RunRecord;
}

export interface DaemonPorts {
  loadJobs(): Promise<LoadedJobs>;
  /** Returns the command of a process that calls `superviseRun` for the run and exits. */
  superviseCommand(run: RunRecord): ProgramCommand;
  /** Tells a person; throws FettleError with the reason why nobody could be reached. `createTell` makes one. */
  tell(notification: Notification, signal: AbortSignal): Promise<void>;
  /** Writes one line into the log of the daemon. */
  log(line: string): void;
}

export interface DaemonOptions {
  readonly folders: ScheduleFolders;
  readonly store: ScheduleStore;
  readonly ports: DaemonPorts;
  readonly clock?: Clock;
  readonly processes?: Processes;
}

/** The parts of a daemon, with the system's own in the place of what was left out. */
export type DaemonParts = Required<DaemonOptions>;
