import {onAbort} from '../../base/waiting/on-abort.ts';
import {orLate, systemTimers, type Timers} from '../../base/waiting/or-late.ts';
import type {RolloutResult} from '../rollout/rollout.ts';
import type {ClaimedRollout, NotHere, WorkEnd, WorkEvent, WorkOptions} from './engine.ts';
import {failedResult, noteOf} from './rollout-facts.ts';

/** Gives a worker its rollouts, and takes their results. */
export interface RolloutSource {
  /** Milliseconds between two looks for more, while a slot is free. */
  readonly pollMs: number;
  /** Milliseconds between two calls of `lost`. */
  readonly beatMs: number;
  /** Claims at most `count`; fewer, or none, where no more are ready. The signal ends the wait for a database that does not answer, as of the others. */
  take(count: number, signal: AbortSignal): Promise<readonly ClaimedRollout[]>;
  /** True: it may have killed its workers, so nothing else must run beside it. At most one such rollout is claimed at a time. */
  mustRunAlone(rollout: ClaimedRollout): boolean;
  /** Says that these are still running, and returns those that this worker does not have any more. */
  lost(running: readonly ClaimedRollout[], signal: AbortSignal): Promise<readonly ClaimedRollout[]>;
  /** Accepts the result, or decides when a rollout whose infrastructure failed starts again. */
  settle(rollout: ClaimedRollout, result: RolloutResult): Promise<WorkEvent>;
  /** It has ended, and its result does not count. */
  drop(rollout: ClaimedRollout): Promise<void>;
  /** Leaves it to other machines. */
  leave(rollout: ClaimedRollout, reason: string): Promise<WorkEvent>;
  /** Queues it again; no attempt is counted. */
  putBack(rollout: ClaimedRollout): Promise<void>;
  /** Asked while this worker runs nothing: why there is nothing to wait for; undefined if there is. */
  end(signal: AbortSignal): Promise<'done' | 'budget' | undefined>;
}

/** One call of `work`: slots that are filled from a source until there is no more to do. */
export class RolloutWorker {
  private readonly source: RolloutSource;
  private readonly options: WorkOptions;
  private readonly timers: Timers;
  private readonly running = new Map<ClaimedRollout, {readonly abort: AbortController; readonly ended: Promise<void>}>();
  private readonly over = new AbortController();
  /** Nothing new starts any more. */
  private readonly ending = new AbortController();
  /** A rollout that must run alone: claimed, and waiting until all others have ended. */
  private waiting: ClaimedRollout | undefined;
  private isAlone = false;
  private wake = Promise.withResolvers<void>();
  private end: 'drained' | 'aborted' | undefined;
  private defect: {readonly error: unknown} | undefined;
  private accepted = 0;

  constructor(source: RolloutSource, options: WorkOptions, timers: Timers = systemTimers) {
    this.source = source;
    this.options = options;
    this.timers = timers;
  }

  async work(signal: AbortSignal): Promise<WorkEnd> {
    const leave = [onAbort(signal, () => this.abort()), this.listenForDrain()];
    const beats = this.beat();
    try {
      const end = await this.fill();
      await this.allEnded();
      if (this.waiting !== undefined) await this.source.putBack(this.waiting);
      if (this.defect !== undefined) throw this.defect.error;
      return {end: end ?? this.end ?? 'aborted', accepted: this.accepted};
    } finally {
      for (const stop of leave) stop();
      this.abort();
      await this.allEnded();
      this.over.abort();
      await beats;
    }
  }

  /** Undefined: it was ended from outside. */
  private async fill(): Promise<'done' | 'budget' | undefined> {
    while (!this.isEnding()) {
      const free = this.freeSlots();
      const taken = free > 0 ? await this.source.take(free, this.ending.signal) : [];
      for (const rollout of taken) this.begin(rollout);
      if (this.waiting !== undefined && this.running.size === 0) this.startAlone(this.waiting);
      const end = this.running.size === 0 && !this.isEnding() ? await this.source.end(this.ending.signal) : undefined;
      if (end !== undefined) return end;
      if (free <= 0 || taken.length < free) await this.idle();
    }
    return undefined;
  }

  private freeSlots(): number {
    if (this.running.size === 0) this.isAlone = false;
    return this.isAlone || this.waiting !== undefined ? 0 : this.options.slots - this.running.size;
  }

  private begin(rollout: ClaimedRollout): void {
    if (this.source.mustRunAlone(rollout)) this.waiting = rollout;
    else this.start(rollout);
  }

  private startAlone(rollout: ClaimedRollout): void {
    this.waiting = undefined;
    this.isAlone = true;
    this.start(rollout);
  }

  private isEnding(): boolean {
    return this.ending.signal.aborted;
  }

  private async idle(): Promise<void> {
    await orLate(this.wake.promise, this.source.pollMs, {timers: this.timers});
    this.wake = Promise.withResolvers<void>();
  }

  private start(rollout: ClaimedRollout): void {
    const abort = new AbortController();
    // What was claimed while the end came goes back without a start.
    if (this.isEnding()) abort.abort();
    // Later: it must be known as running before it can end the work.
    const ended = Promise.resolve()
      .then(() => this.carryOut(rollout, abort.signal))
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.running.delete(rollout);
        this.wake.resolve();
      });
    this.running.set(rollout, {abort, ended});
  }

  private async carryOut(rollout: ClaimedRollout, signal: AbortSignal): Promise<void> {
    if (!signal.aborted) this.emit({is: 'started', rollout});
    const result = signal.aborted ? undefined : await this.resultOf(rollout, signal);
    if (signal.reason === LOST) {
      await this.source.drop(rollout);
      this.emit({is: 'dropped', key: rollout.key});
    } else if (signal.aborted || result === undefined) await this.source.putBack(rollout);
    else if ('notHere' in result) this.emit(await this.source.leave(rollout, result.notHere));
    else this.settled(await this.source.settle(rollout, result));
  }

  private async resultOf(rollout: ClaimedRollout, signal: AbortSignal): Promise<RolloutResult | NotHere> {
    const startedAt = Date.now();
    try {
      const result = await this.options.run(rollout, signal);
      return 'notHere' in result ? result : {...result, retries: rollout.retries};
    } catch (thrown) {
      return failedResult(rollout, {note: noteOf(thrown), retries: rollout.retries, startedAt});
    }
  }

  private settled(event: WorkEvent): void {
    if (event.is === 'accepted' && event.isFirst) this.accepted += 1;
    this.emit(event);
  }

  private emit(event: WorkEvent): void {
    this.options.onEvent?.(event);
  }

  /** One call at a time, until the work is over. */
  private async beat(): Promise<void> {
    while (!this.over.signal.aborted) {
      await this.pause(this.source.beatMs);
      if (this.over.signal.aborted) continue;
      try {
        for (const rollout of await this.source.lost(this.claimed(), this.over.signal)) await this.lose(rollout);
      } catch (error) {
        this.fail(error);
      }
    }
  }

  private claimed(): readonly ClaimedRollout[] {
    return [...this.running.keys(), ...(this.waiting === undefined ? [] : [this.waiting])];
  }

  private async lose(rollout: ClaimedRollout): Promise<void> {
    if (rollout !== this.waiting) this.running.get(rollout)?.abort.abort(LOST);
    else {
      this.waiting = undefined;
      await this.source.drop(rollout);
    }
  }

  /** Returns early when the work is over. */
  private async pause(ms: number): Promise<void> {
    const over = Promise.withResolvers<void>();
    const leave = onAbort(this.over.signal, over.resolve);
    await orLate(over.promise, ms, {timers: this.timers});
    leave();
  }

  private listenForDrain(): () => void {
    const {drain} = this.options;
    if (drain === undefined) return () => undefined;
    let cancel: (() => void) | undefined;
    const leave = onAbort(drain.signal, () => {
      this.leave('drained');
      if (drain.withinMs !== undefined) cancel = this.timers.after(drain.withinMs, () => this.abortRunning());
    });
    return () => {
      leave();
      cancel?.();
    };
  }

  private abort(): void {
    this.leave('aborted');
    this.abortRunning();
  }

  private leave(end: 'drained' | 'aborted'): void {
    this.end ??= end;
    this.ending.abort();
    this.wake.resolve();
  }

  private abortRunning(): void {
    for (const {abort} of this.running.values()) abort.abort();
  }

  /** A defect of the source, a full disk for example, ends the work. */
  private fail(error: unknown): void {
    this.defect ??= {error};
    this.ending.abort();
    this.wake.resolve();
    this.abortRunning();
  }

  private async allEnded(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ended}) => ended));
  }
}

/** Why a rollout was aborted that this worker does not have any more. */
const LOST = Symbol('lost');
