/** The place of the rollouts of a run: this machine alone, or a queue that workers of other machines share. */
export type Executor = 'local' | 'queue';

export interface ExecutorFacts {
  readonly rollouts: number;
  /** Rollouts at the same time on this machine, which works in the queue, too. */
  readonly localSlots: number;
  /** The same for the live workers of the queue. */
  readonly queueSlots: number;
  /** Mean of earlier rollouts of the suite, in milliseconds; undefined: none was measured. */
  readonly rolloutMs: number | undefined;
  /** False: artefacts are kept in a folder that other machines do not have. */
  readonly isStoreShared: boolean;
}

export interface ExecutorEstimate {
  /** The places that can be chosen, the one that is expected to be better first. */
  readonly feasible: readonly [Executor, ...Executor[]];
  /** One line for a person. */
  readonly why: string;
}

/**
 * Compares the expected times: rounds of rollouts at the same time, each as long as the mean. The queue has to be a fifth quicker, since its database and
 * its workers can fail.
 */
export function chooseExecutor(facts: ExecutorFacts): ExecutorEstimate {
  const {rollouts, localSlots, queueSlots, rolloutMs, isStoreShared} = facts;
  if (queueSlots === 0) return {feasible: ['local'], why: 'no worker of the queue is live'};
  if (!isStoreShared) return {feasible: ['local'], why: 'other machines cannot read its artefacts: name a place with --store'};
  const each = rolloutMs ?? ASSUMED_MS;
  const here = Math.ceil(rollouts / localSlots) * each;
  const there = START_MS + Math.ceil(rollouts / (localSlots + queueSlots)) * each * QUEUE_FACTOR;
  const basis = rolloutMs === undefined ? `${duration(each)} assumed for a rollout` : `${duration(each)} measured for a rollout`;
  const why = `${rollouts} rollouts take about ${duration(here)} here and ${duration(there)} with ${queueSlots} more at a time in the queue (${basis})`;
  return {feasible: there < here * MOST_SHARE ? ['queue', 'local'] : ['local', 'queue'], why};
}

const ASSUMED_MS = 30_000;
/** Until workers that wait have found the first rollouts. */
const START_MS = 5000;
/** A rollout of the queue took 1.11 times as long as by itself, one here 1.01 times (`npm run bench -- lab`). */
const QUEUE_FACTOR = 1.1;
const MOST_SHARE = 0.8;

function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
