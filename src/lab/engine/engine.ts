import type {JsonObject} from '../../base/json.ts';
import type {RolloutKey, RolloutResult} from '../rollout/rollout.ts';

/**
 * Carries out many rollouts, on this machine or on many, and survives the death of any process. Every engine runs a rollout at least once; that
 * each has exactly one accepted result comes from one statement on a unique key, and that a finished model run is not paid twice from the artefacts
 * that it leaves under its key.
 */
export interface RolloutEngine {
  /**
   * Becomes the one coordinator of a run, whether the run exists or not. UNAVAILABLE while another process, or another engine of this one, is.
   * What an interrupted coordinator left running is queued again.
   */
  coordinate(run: string, signal: AbortSignal): Promise<Coordinator>;
  /**
   * Adds the rollouts that have no row yet, and returns how many these are. May be called again with the same ones, days later: what has a result
   * keeps it. The settings of the run become those of the newest call. BAD_ARGS if a key belongs to another run.
   */
  enqueue(run: RunSpec, rollouts: Iterable<QueuedRollout>, signal: AbortSignal): Promise<number>;
  /**
   * Runs queued rollouts, `slots` at the same time, until `until` is done, it is drained, or the signal aborts; returns when none of its rollouts
   * runs any more. What the signal interrupts is queued again and loses no attempt.
   */
  work(options: WorkOptions, signal: AbortSignal): Promise<WorkEnd>;
  /** Accepts a result unless there is one, the rollout was cancelled, or its infrastructure failed. Returns true for the first alone. */
  accept(result: RolloutResult, signal: AbortSignal): Promise<boolean>;
  counts(run: string, signal: AbortSignal): Promise<RolloutCounts>;
  /** Accepted results, and the last failure of rollouts that are parked; in the order of their keys, read in pages. */
  results(run: string, signal: AbortSignal): AsyncIterable<RolloutResult>;
  /** The runs that this engine knows, the newest first. */
  runs(signal: AbortSignal): Promise<readonly StoredRun[]>;
  /** Cancels what has no result yet; what runs is aborted within seconds, on whatever machine. Returns how many these are. */
  cancel(run: string, signal: AbortSignal): Promise<number>;
  /** Queues again what is parked or cancelled, with all its attempts. Returns how many these are. */
  requeue(run: string, signal: AbortSignal): Promise<number>;
  /** Returns how many rollouts all live workers of the queue can run at the same time; 0 without a queue. */
  liveSlots(signal: AbortSignal): Promise<number>;
  /** Call it when no `work` runs any more. */
  close(): Promise<void>;
}

/** The right to be the coordinator of a run; it ends with its process, however that ends. */
export interface Coordinator {
  release(): Promise<void>;
}

/** The facts that all rollouts of a run share. Small: everything large is in the artefact store. */
export interface RunSpec {
  readonly name: string;
  /** Everything that a worker on another machine needs to carry out a rollout: where the suite is, limits, the store. No secrets: it is stored. */
  readonly settings: JsonObject;
  /** Rollouts of a higher one start first, always; -15 to 15, without it 0. */
  readonly priority?: number | undefined;
  /** Among runs with the same priority, one with share 2 gets twice the rollouts of one with share 1; 1 to 100, without it 1. */
  readonly share?: number | undefined;
  /** Most rollouts of a provider at the same time, over all workers; where runs differ the lowest counts. */
  readonly limits?: Readonly<Record<string, number>> | undefined;
  /**
   * US dollars. A rollout starts only with a part of it that is reserved for this rollout alone, over all workers (`reserve-cost.ts`); when no more
   * can start and none runs, the work ends.
   */
  readonly budgetUsd?: number | undefined;
}

export interface StoredRun extends RunSpec {
  /** Milliseconds since 1970, by the clock of who added it. */
  readonly createdAt: number;
}

export interface QueuedRollout {
  readonly key: RolloutKey;
  readonly taskDigest: string;
  /** Its own limit, US dollars: the part of a budget that is reserved for it. */
  readonly maxCostUsd?: number | undefined;
}

/** A rollout that this worker runs now. */
export interface ClaimedRollout extends QueuedRollout {
  /** How often the infrastructure failed before. */
  readonly retries: number;
  readonly settings: JsonObject;
  /** The part of the budget of its run that is reserved for it: it may cost no more. Undefined: the run has no budget. */
  readonly reservedUsd?: number | undefined;
}

/** A rollout that this machine cannot carry out: it is left to the workers of others and loses no attempt. Where there are none it is a failure of the infrastructure. */
export interface NotHere {
  /** One line. */
  readonly notHere: string;
}

export interface WorkOptions {
  /** 0: runs nothing itself, and only waits for `until`. */
  readonly slots: number;
  /**
   * Carries out one rollout. What it throws counts as a failure of the infrastructure. After an abort it must end its processes and settle; its
   * result then does not count.
   */
  readonly run: (rollout: ClaimedRollout, signal: AbortSignal) => Promise<RolloutResult | NotHere>;
  /** Name of the run whose end ends the work. Without it a worker waits for more. */
  readonly until?: string | undefined;
  /** After an abort of `signal` nothing new starts; what runs is waited for, `withinMs` at most where given, then queued again. */
  readonly drain?: {readonly signal: AbortSignal; readonly withinMs?: number | undefined} | undefined;
  readonly onEvent?: ((event: WorkEvent) => void) | undefined;
}

export type WorkEvent =
  | {readonly is: 'started'; readonly rollout: ClaimedRollout}
  /** `isFirst` false: another worker was faster, and its result stays. */
  | {readonly is: 'accepted'; readonly result: RolloutResult; readonly isFirst: boolean}
  /** The infrastructure failed; the rollout starts again after `afterMs`. */
  | {readonly is: 'retried'; readonly result: RolloutResult; readonly afterMs: number}
  /** The infrastructure failed too often; the rollout waits for `requeue`. */
  | {readonly is: 'parked'; readonly result: RolloutResult}
  /** Left to other machines. */
  | {readonly is: 'left'; readonly key: RolloutKey; readonly reason: string}
  /** The rollout was cancelled, or another worker has it now. */
  | {readonly is: 'dropped'; readonly key: RolloutKey}
  /** The database does not answer; the work goes on when it does. */
  | {readonly is: 'unreachable'; readonly reason: string}
  | {readonly is: 'reachable'}
  /** A run was added by a newer version of Fettle, and is left to workers of that version. */
  | {readonly is: 'newer'; readonly run: string};

export interface WorkEnd {
  /** `budget`: what is left of the budget of the run is too little for one more rollout. */
  readonly end: 'done' | 'budget' | 'drained' | 'aborted';
  /** Results of this worker that were accepted. */
  readonly accepted: number;
}

export interface RolloutCounts {
  readonly queued: number;
  readonly running: number;
  readonly passed: number;
  readonly failed: number;
  /** The infrastructure failed too often. */
  readonly parked: number;
  readonly cancelled: number;
  /** The sum of what accepted results cost, and attempts that did not count, where the price is known. */
  readonly costUsd: number;
}
