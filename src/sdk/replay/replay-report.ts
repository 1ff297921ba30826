/** The first difference between a replay and its recording. */
export interface Divergence {
  /** From 1. */
  readonly turn: number;
  /** Number of the request in the turn, from 1. */
  readonly request: number;
  readonly what: 'request' | 'call' | 'end';
  /** One line. */
  readonly message: string;
  /** The call, for a difference in one. */
  readonly call?: {readonly name: string; readonly arguments: string} | undefined;
  /** Both sides, with what passes (times, places, numbers of processes) replaced by words. */
  readonly recorded: string;
  readonly now: string;
}

export interface ReplayReport {
  readonly session: string;
  /** The scratch copy; removed unless `keep` is set. */
  readonly folder: string;
  readonly turns: number;
  readonly requests: number;
  /** Calls that were run again. */
  readonly calls: number;
  /** Calls that were not, each kind once: their recorded results were used. */
  readonly notRun: readonly string[];
  readonly notes: readonly string[];
  readonly divergence: Divergence | undefined;
}
