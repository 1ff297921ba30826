import {describe, expect, it} from 'vitest';
import type {ClaimedRollout, QueuedRollout, RolloutEngine} from '../../../src/lab/engine/engine.ts';
import type {RolloutResult} from '../../../src/lab/rollout/rollout.ts';
import {engineKinds} from './engines.ts';
import {codeOf, never, resultFor, rollouts} from './rollouts.ts';

/** Issue 19 › 3: `--budget USD` holds for all rollouts together, on one machine and on many. */
describe.for(engineKinds())('a budget, the engine $name', ({skipped, start}) => {
  it.skipIf(skipped)('is never exceeded by what is spent and what is reserved, over all workers; a larger one goes on', async () => {
    const engines = await start();
    const engine = await engines.open();
    await queue(engine, 2, Array.from(rollouts(16)));
    const money = newMoney();
    const run = async (rollout: ClaimedRollout): Promise<RolloutResult> => await money.pay(rollout, 0.2 + 0.02 * (money.started % 3));
    const workers = engines.areShared ? [engine, await engines.open(), await engines.open()] : [engine];
    const ends = await Promise.all(workers.map(async (one) => (await one.work({slots: 4, until: 'r', run}, never)).end));
    expect(new Set(ends)).toEqual(new Set(['budget']));
    expect(money.most).toBeLessThanOrEqual(2 + 1e-9);
    const {passed, queued, running, costUsd} = await engine.counts('r', never);
    expect({running, all: passed + queued, cost: costUsd.toFixed(6)}).toEqual({running: 0, all: 16, cost: money.spent.toFixed(6)});
    // What is left is less than a mean rollout.
    expect(2 - money.spent).toBeLessThan(money.spent / passed);

    await queue(engine, 20, Array.from(rollouts(16)));
    expect(await engine.work({slots: 4, until: 'r', run}, never)).toEqual({end: 'done', accepted: queued});
    expect(await engine.counts('r', never)).toMatchObject({passed: 16, queued: 0});
  });

  it.skipIf(skipped)('reserves the own limit of a rollout, so that no more run at once than it can pay', async () => {
    const engine = await (await start()).open();
    await queue(
      engine,
      1,
      Array.from(rollouts(6), (rollout) => ({...rollout, maxCostUsd: 0.4})),
    );
    const money = newMoney();
    const run = async (rollout: ClaimedRollout): Promise<RolloutResult> => await money.pay(rollout, 0.05);
    expect((await engine.work({slots: 6, until: 'r', run}, never)).end).toBe('done');
    expect({atOnce: money.atOnce, reserved: money.reserved}).toEqual({atOnce: 2, reserved: [0.4, 0.4, 0.4, 0.4, 0.4, 0.4]});
  });

  it.skipIf(skipped)('pays attempts that do not count, too, but not twice what a later one keeps', async () => {
    const engine = await (await start()).open();
    await queue(engine, 1, Array.from(rollouts(1)));
    const costs = [
      {costUsd: 0.1, outcome: 'infrastructure'},
      {costUsd: 0.1, keptUsd: 0.1, outcome: 'infrastructure'},
      {costUsd: 0.15, keptUsd: 0.1, outcome: 'passed'},
    ] as const;
    const run = async (rollout: ClaimedRollout): Promise<RolloutResult> => resultFor(rollout, costs[rollout.retries]);
    expect((await engine.work({slots: 1, until: 'r', run}, never)).end).toBe('done');
    expect((await engine.counts('r', never)).costUsd).toBeCloseTo(0.15, 9);
  });

  it.skipIf(skipped)(
    'counts what was spent before there was one; a queue of nothing but unpaid rollouts is no end without it',
    async () => {
      const engine = await (await start()).open();
      const all = Array.from(rollouts(4));
      await queue(engine, undefined, all);
      for (const rollout of all.slice(0, 2)) await engine.accept(resultFor(rollout, {costUsd: 0.5}), never);
      await queue(engine, 1.2, all);
      const run = async (rollout: ClaimedRollout): Promise<RolloutResult> => resultFor(rollout);
      expect(await engine.work({slots: 2, until: 'r', run}, never)).toEqual({end: 'budget', accepted: 0});
      await queue(engine, undefined, all);
      expect(await engine.work({slots: 2, until: 'r', run}, never)).toEqual({end: 'done', accepted: 2});
      expect(await codeOf(queue(engine, 0, all))).toBe('BAD_ARGS');
    },
  );
});

async function queue(engine: RolloutEngine, budgetUsd: number | undefined, all: readonly QueuedRollout[]): Promise<void> {
  const coordinator = await engine.coordinate('r', never).catch(() => undefined);
  void coordinator;
  await engine.enqueue({name: 'r', settings: {}, budgetUsd}, all, never);
}

interface Money {
  readonly started: number;
  readonly spent: number;
  /** The most that was spent and reserved at any moment. */
  readonly most: number;
  readonly atOnce: number;
  readonly reserved: readonly number[];
  /** A rollout that runs for some turns of the event loop and costs this much, or what was reserved for it if that is less. */
  pay(rollout: ClaimedRollout, costUsd: number): Promise<RolloutResult>;
}

function newMoney(): Money {
  const running = new Set<ClaimedRollout>();
  const all: number[] = [];
  let [spent, most, atOnce] = [0, 0, 0];
  return {
    get started() {
      return all.length;
    },
    get spent() {
      return spent;
    },
    get most() {
      return most;
    },
    get atOnce() {
      return atOnce;
    },
    reserved: all,
    async pay(rollout, costUsd) {
      running.add(rollout);
      all.push(rollout.reservedUsd ?? Infinity);
      atOnce = Math.max(atOnce, running.size);
      most = Math.max(most, spent + [...running].reduce((sum, {reservedUsd = Infinity}) => sum + reservedUsd, 0));
      for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
      const paid = Math.min(costUsd, rollout.reservedUsd ?? Infinity);
      running.delete(rollout);
      spent += paid;
      return resultFor(rollout, {costUsd: paid});
    },
  };
}
