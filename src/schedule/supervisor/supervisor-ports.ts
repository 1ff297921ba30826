import type {Clock} from '../clock.ts';
import type {JobDefinition} from '../jobs/job-definition.ts';
import type {ScheduleFolders} from '../store/schedule-folders.ts';
import type {ScheduleStore} from '../store/schedule-store.ts';

/** A program with its arguments. */
export interface ProgramCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface SupervisorPorts {
  /** Reads the definition of a job again; undefined where there is none any more. Throws FettleError where its file is broken. */
  readJob(name: string): Promise<JobDefinition | undefined>;
  /** Returns why a run must not begin before a person has looked, for example that the project has changed; undefined: it may. */
  checkProject(job: JobDefinition, signal: AbortSignal): Promise<string | undefined>;
  /** Returns the `fettle exec --json` of a job. It is started in the workspace of the job. */
  execCommand(job: JobDefinition): ProgramCommand;
  /** Gets what the run writes to stderr, as it comes, for whoever watches it. */
  onStderr?(chunk: Buffer): void;
}

export interface SuperviseRequest {
  /** A claimed run. */
  readonly id: number;
  readonly store: ScheduleStore;
  readonly folders: ScheduleFolders;
  readonly ports: SupervisorPorts;
  readonly clock?: Clock;
}
