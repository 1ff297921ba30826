import type {RolloutResult} from '../rollout/rollout.ts';

/** A run as reports and exports see it: the plan, and what was accepted so far. */
export interface RunResults {
  readonly name: string;
  readonly suiteName: string;
  readonly tasks: readonly ReportTask[];
  /** Tasks that cannot be run on the machine, each with the first reason. */
  readonly notRun: readonly {readonly id: string; readonly reason: string}[];
  readonly models: readonly string[];
  readonly toolsets: readonly string[];
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** In any order. */
  readonly results: readonly RolloutResult[];
}

export interface ReportTask {
  readonly id: string;
  /** Labels of the suite; `language` makes a table. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Shown in the page of the report. */
  readonly prompt?: string | undefined;
}
