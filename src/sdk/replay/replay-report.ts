/** The first difference between a replay and its recording. */
export interface Divergence {
  /** From 1. */
  readonly turn: number;
  /** Number of the request in the turn, from 1. */
  readonly request: number;
  readonly what: 'request' | 'call' | 'end';
  /** One line. */
  readonly message: string;
  /** The call in which the difference is, if it is in one. */
  readonly call?: {readonly name: string; readonly arguments: string} | undefined;
  /** Both sides, with values that differ in every run (times, paths, process ids) replaced by words. */
  readonly recorded: string;
  readonly now: string;
}

export interface ReplayReport {
  readonly session: string;
  /** The scratch copy; removed unless `keep` is set. */
  readonly folder: string;
  readonly turns: number;
  readonly requests: number;
  /** Number of calls that were run again. */
  readonly calls: number;
  /** Kinds of calls that were not run again, each once: their recorded results were used. */
  readonly notRun: readonly string[];
  readonly notes: readonly string[];
  readonly divergence: Divergence | undefined;
}
