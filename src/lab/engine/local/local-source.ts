import type {RolloutResult} from '../../rollout/rollout.ts';
import type {ClaimedRollout, RunSpec, WorkEvent} from '../engine.ts';
import {retryDelayMs} from '../retry-policy.ts';
import {reservedCost} from '../reserve-cost.ts';
import {failedResult, lowestLimits, providerOf} from '../rollout-facts.ts';
import type {RolloutSource} from '../rollout-worker.ts';
import type {RolloutStore} from './rollout-store.ts';

interface LocalSourceFacts {
  readonly store: RolloutStore;
  /** The runs that this process coordinates. */
  readonly runs: () => readonly string[];
  readonly retryDelaysMs: readonly number[] | undefined;
}

/** The rollouts of one run that wait for one provider. */
interface Lane {
  readonly run: RunSpec;
  readonly provider: string;
  readonly place: number;
  /** The own limit of its first rollout. */
  readonly limitUsd: number | undefined;
}

/** Rollouts of a table that no other process takes from: what runs, and what waits, is known here. */
export class LocalSource {
  private readonly facts: LocalSourceFacts;
  /** How many run for each provider. */
  private readonly running = new Map<string, number>();
  private readonly claims = new Set<ClaimedRollout>();
  /** Rollouts that start again later, by the clock of `performance.now`, which never jumps. */
  private delayed: {readonly rollout: ClaimedRollout; readonly due: number}[] = [];

  constructor(facts: LocalSourceFacts) {
    this.facts = facts;
  }

  /** The source of one worker, whose work is done when nothing of `run` is open. */
  until(run: string | undefined): RolloutSource {
    return {
      pollMs: POLL_MS,
      beatMs: BEAT_MS,
      take: async (count) => this.take(count),
      // Each rollout is a process of its own, and the death of the coordinator says nothing about one of them.
      mustRunAlone: () => false,
      lost: async (running) => running.filter(({key}) => !this.facts.store.isRunning(key)),
      settle: async (rollout, result) => this.settle(rollout, result),
      drop: async (rollout) => this.ended(rollout),
      leave: async (rollout, note) => this.settle(rollout, failedResult(rollout, {note, retries: rollout.retries, startedAt: Date.now()})),
      putBack: async (rollout) => {
        this.ended(rollout);
        this.facts.store.setStatus(rollout.key, {from: 'running', to: 'queued'});
      },
      end: async () => {
        if (run === undefined) return undefined;
        if (!this.facts.store.isOpen(run)) return 'done';
        return this.isSpent(run) ? 'budget' : undefined;
      },
    };
  }

  private take(count: number): readonly ClaimedRollout[] {
    this.wakeDelayed();
    const runs = this.coordinated();
    const limits = lowestLimits(runs);
    const taken: ClaimedRollout[] = [];
    const unpaid = new Set<RunSpec>();
    while (taken.length < count) {
      const lane = this.nextLane(
        runs.filter((run) => !unpaid.has(run)),
        limits,
      );
      if (lane === undefined) break;
      const rollout = this.claim(lane);
      if (rollout === undefined) unpaid.add(lane.run);
      else taken.push(rollout);
    }
    return taken;
  }

  /** Undefined: the run cannot pay it now. */
  private claim({run, provider, limitUsd}: Lane): ClaimedRollout | undefined {
    const {store} = this.facts;
    const spending = store.spending(run.name);
    const reserved = spending === undefined ? undefined : reservedCost(spending, this.reservedFor(run.name), limitUsd);
    const claimed = spending !== undefined && reserved === undefined ? undefined : store.claim(run.name, provider, reserved);
    if (claimed === undefined) return undefined;
    const rollout = {...claimed, settings: run.settings};
    this.running.set(provider, (this.running.get(provider) ?? 0) + 1);
    this.claims.add(rollout);
    return rollout;
  }

  private reservedFor(run: string): number {
    return [...this.claims].reduce((sum, {key, reservedUsd = 0}) => sum + (key.run === run ? reservedUsd : 0), 0);
  }

  /** True where nothing of the run is running, and what is left does not pay any of the next rollouts. */
  private isSpent(run: string): boolean {
    const {store} = this.facts;
    const spending = store.spending(run);
    if (spending === undefined || this.reservedFor(run) > 0) return false;
    const next = store.lanes(run).flatMap((provider) => store.first(run, provider) ?? []);
    return next.length > 0 && next.every(({limitUsd}) => reservedCost(spending, 0, limitUsd) === undefined);
  }

  private coordinated(): readonly RunSpec[] {
    return this.facts.runs().flatMap((name) => this.facts.store.find(name)?.stored ?? []);
  }

  /** The one whose first rollout is next, among those that are below their limit. */
  private nextLane(runs: readonly RunSpec[], limits: ReadonlyMap<string, number>): Lane | undefined {
    const lanes = runs.flatMap((run) =>
      this.facts.store.lanes(run.name).flatMap((provider): readonly Lane[] => {
        if ((this.running.get(provider) ?? 0) >= (limits.get(provider) ?? Infinity)) return [];
        const first = this.facts.store.first(run.name, provider);
        return first === undefined ? [] : [{run, provider, ...first}];
      }),
    );
    return lanes.toSorted((a, b) => (b.run.priority ?? 0) - (a.run.priority ?? 0) || a.place - b.place)[0];
  }

  private settle(rollout: ClaimedRollout, result: RolloutResult): WorkEvent {
    this.ended(rollout);
    const {store, retryDelaysMs} = this.facts;
    if (result.outcome !== 'infrastructure') return {is: 'accepted', result, isFirst: store.accept(result)};
    const afterMs = retryDelayMs(rollout.retries + 1, retryDelaysMs);
    if (!store.fail(result, afterMs === undefined ? 'parked' : 'waiting')) return {is: 'dropped', key: rollout.key};
    if (afterMs === undefined) return {is: 'parked', result};
    this.delayed.push({rollout, due: performance.now() + afterMs});
    return {is: 'retried', result, afterMs};
  }

  private wakeDelayed(): void {
    const now = performance.now();
    const due = this.delayed.filter((one) => one.due <= now);
    if (due.length === 0) return;
    this.delayed = this.delayed.filter((one) => one.due > now);
    for (const {rollout} of due) this.facts.store.setStatus(rollout.key, {from: 'waiting', to: 'queued'});
  }

  private ended(rollout: ClaimedRollout): void {
    this.claims.delete(rollout);
    const provider = providerOf(rollout.key.model);
    this.running.set(provider, (this.running.get(provider) ?? 1) - 1);
  }
}

const POLL_MS = 100;
const BEAT_MS = 500;
