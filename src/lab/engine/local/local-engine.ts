import {hash} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {systemTimers, type Timers} from '../../../base/waiting/or-late.ts';
import {openKernelLock, type KernelLock} from '../../../exec/kernel-lock.ts';
import type {RolloutResult} from '../../rollout/rollout.ts';
import type {Coordinator, QueuedRollout, RolloutCounts, RolloutEngine, RunSpec, StoredRun, WorkEnd, WorkOptions} from '../engine.ts';
import {batchesOf, checkRun, PAYLOAD_VERSION} from '../rollout-facts.ts';
import {RolloutWorker} from '../rollout-worker.ts';
import {LocalSource} from './local-source.ts';
import {openStore} from './open-store.ts';
import {RolloutStore} from './rollout-store.ts';

export interface LocalPlace {
  /** Holds the table and the locks; on a local disk, since SQLite needs its locks. */
  readonly folder: string;
  readonly timers?: Timers | undefined;
  readonly retryDelaysMs?: readonly number[] | undefined;
  readonly payloadVersion?: number | undefined;
}

/** Opens the engine of one machine: a table in SQLite and a coordinator for each run. There is no queue: what has no result is run. */
export function openLocalEngine(place: LocalPlace): RolloutEngine {
  return new LocalEngine(place);
}

class LocalEngine implements RolloutEngine {
  private readonly place: LocalPlace;
  private readonly version: number;
  private readonly store: RolloutStore;
  private readonly source: LocalSource;
  private readonly locks = new Map<string, KernelLock>();

  constructor(place: LocalPlace) {
    this.place = place;
    this.version = place.payloadVersion ?? PAYLOAD_VERSION;
    this.store = new RolloutStore(openStore(place.folder));
    this.source = new LocalSource({store: this.store, runs: () => [...this.locks.keys()], retryDelaysMs: place.retryDelaysMs});
  }

  async coordinate(run: string, signal: AbortSignal): Promise<Coordinator> {
    signal.throwIfAborted();
    this.refuseNewer(run);
    this.locks.set(run, this.lock(run));
    this.store.moveAll(run, ['running', 'waiting'], 'queued');
    return {release: async () => this.release(run)};
  }

  async enqueue(run: RunSpec, rollouts: Iterable<QueuedRollout>, signal: AbortSignal): Promise<number> {
    checkRun(run);
    this.refuseNewer(run.name);
    this.store.putRun(run, {version: this.version, createdAt: Date.now()});
    let added = 0;
    for (const batch of batchesOf(run.name, rollouts)) {
      signal.throwIfAborted();
      added += this.store.add(batch, run);
      // Lets timers and signals of the process through.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return added;
  }

  async work(options: WorkOptions, signal: AbortSignal): Promise<WorkEnd> {
    if (this.locks.size === 0 || (options.until !== undefined && !this.locks.has(options.until)))
      throw new FettleError({code: 'BAD_ARGS', message: 'This process is not the coordinator of a run.', hint: 'Call `coordinate` first.'});
    return await new RolloutWorker(this.source.until(options.until), options, this.place.timers ?? systemTimers).work(signal);
  }

  async accept(result: RolloutResult, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    return result.outcome !== 'infrastructure' && this.store.accept(result);
  }

  async liveSlots(): Promise<number> {
    return 0;
  }

  async counts(run: string, signal: AbortSignal): Promise<RolloutCounts> {
    signal.throwIfAborted();
    return this.store.counts(run);
  }

  async *results(run: string, signal: AbortSignal): AsyncGenerator<RolloutResult> {
    for (let after: RolloutResult | undefined; ;) {
      signal.throwIfAborted();
      const page = this.store.resultsAfter(run, after?.key);
      if (page.length === 0) return;
      yield* page;
      after = page.at(-1);
    }
  }

  async runs(signal: AbortSignal): Promise<readonly StoredRun[]> {
    signal.throwIfAborted();
    return this.store.runs().map(({stored}) => stored);
  }

  async cancel(run: string, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    return this.store.moveAll(run, ['queued', 'waiting', 'running', 'parked'], 'cancelled');
  }

  async requeue(run: string, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    return this.store.moveAll(run, ['parked', 'cancelled'], 'queued');
  }

  async close(): Promise<void> {
    for (const run of this.locks.keys()) this.release(run);
    this.store.close();
  }

  private lock(run: string): KernelLock {
    const folder = join(this.place.folder, 'coordinators');
    mkdirSync(folder, {recursive: true, mode: 0o700});
    const lock = openKernelLock(join(folder, hash('sha256', run).slice(0, 24)));
    if (lock.tryAlone()) return lock;
    lock.close();
    const hint = 'Wait for it, or end it; `fettle lab report` shows how far it is.';
    throw new FettleError({code: 'UNAVAILABLE', message: `Another process coordinates the run ${run}.`, hint});
  }

  private release(run: string): void {
    this.locks.get(run)?.close();
    this.locks.delete(run);
  }

  private refuseNewer(run: string): void {
    const stored = this.store.find(run);
    if (stored === undefined || stored.version <= this.version) return;
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: `The run ${run} was begun by a newer version of Fettle.`,
      hint: 'Go on with that version.',
    });
  }
}
