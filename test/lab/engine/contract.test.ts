import {describe, expect, it, vi} from 'vitest';
import type {RolloutEngine, WorkEvent} from '../../../src/lab/engine/engine.ts';
import {engineKinds, type Engines} from './engines.ts';
import {codeOf, keyFor, never, resultFor, resultsOf, rollouts, workAll} from './rollouts.ts';

/** The promises of every engine, proved on each of them. */
describe.for(engineKinds())('the engine $name', ({skipped, start}) => {
  async function opened(): Promise<{readonly engines: Engines; readonly engine: RolloutEngine}> {
    const engines = await start();
    return {engines, engine: await engines.open()};
  }

  async function coordinated(
    count: number,
    over: Parameters<typeof rollouts>[1] = {},
  ): Promise<{readonly engines: Engines; readonly engine: RolloutEngine}> {
    const {engines, engine} = await opened();
    await engine.coordinate('r', never);
    expect(await engine.enqueue({name: 'r', settings: {suite: 's'}}, rollouts(count, over), never)).toBe(count);
    return {engines, engine};
  }

  it.skipIf(skipped)('runs each rollout once and keeps each result', async () => {
    const {engine} = await coordinated(30);
    const ran: string[] = [];
    await workAll(
      engine,
      async (rollout) => {
        ran.push(rollout.key.task);
        expect(rollout).toEqual({key: keyFor(ran.length - 1), taskDigest: `d${ran.length - 1}`, retries: 0, settings: {suite: 's'}});
        return resultFor(rollout, rollout.key.task === 't00003' ? {outcome: 'failed', failure: 'wrong-answer', costUsd: null} : {});
      },
      {slots: 1},
    );
    expect(ran).toEqual(Array.from(rollouts(30), ({key}) => key.task));
    expect(await engine.counts('r', never)).toEqual({queued: 0, running: 0, passed: 29, failed: 1, parked: 0, cancelled: 0, costUsd: 7.25});
    expect((await resultsOf(engine)).map(({key}) => key)).toEqual(Array.from(rollouts(30), ({key}) => key));
  });

  it.skipIf(skipped)('gives results in pages, whatever their number', async () => {
    const {engine} = await coordinated(450);
    for (const rollout of rollouts(450)) await engine.accept(resultFor(rollout), never);
    expect(await resultsOf(engine)).toEqual(Array.from(rollouts(450), (rollout) => resultFor(rollout)));
  });

  it.skipIf(skipped)('resumed days later, queues only what has no row', async () => {
    const {engines, engine} = await coordinated(3);
    await engine.accept(resultFor({key: keyFor(1), taskDigest: 'd1'}), never);
    await engine.close();
    const again = await engines.open();
    await again.coordinate('r', never);
    expect(await again.enqueue({name: 'r', settings: {suite: 'newer'}}, rollouts(5), never)).toBe(2);
    const ran = new Map<string, unknown>();
    await workAll(again, async (rollout) => {
      ran.set(rollout.key.task, rollout.settings);
      return resultFor(rollout);
    });
    expect(ran).toEqual(new Map(['t00000', 't00002', 't00003', 't00004'].map((task) => [task, {suite: 'newer'}])));
  });

  it.skipIf(skipped)('accepts the first of several results', async () => {
    const {engine} = await coordinated(1);
    const all = ['a', 'b', 'c', 'd'].map((note) => resultFor({key: keyFor(0), taskDigest: 'd0'}, {note}));
    const accepted = await Promise.all(all.map(async (result) => await engine.accept(result, never)));
    expect(accepted.filter(Boolean)).toEqual([true]);
    expect(await resultsOf(engine)).toEqual([all[accepted.indexOf(true)]]);
  });

  it.skipIf(skipped)('never accepts a failure of the infrastructure', async () => {
    const {engine} = await coordinated(1);
    expect(await engine.accept(resultFor({key: keyFor(0), taskDigest: 'd0'}, {outcome: 'infrastructure'}), never)).toBe(false);
    expect(await resultsOf(engine)).toEqual([]);
  });

  it.skipIf(skipped)('retries what the infrastructure failed, with growing delays, and says how often', async () => {
    const {engine} = await coordinated(1);
    const events = await workAll(engine, async (rollout) =>
      resultFor(rollout, rollout.retries < 2 ? {outcome: 'infrastructure', note: 'disk full'} : {}),
    );
    expect(events.map(brief)).toEqual(['started 0', 'retried after 5', 'started 1', 'retried after 10', 'started 2', 'accepted passed 2']);
  });

  it.skipIf(skipped)(
    'parks a rollout whose infrastructure fails four times; its neighbours complete; requeue gives it all attempts',
    async () => {
      const {engine} = await coordinated(4);
      const isPoison = (task: string): boolean => task === 't00002';
      const events = await workAll(engine, async (rollout) => {
        if (isPoison(rollout.key.task)) throw new Error('no space\nleft');
        return resultFor(rollout);
      });
      expect(events.filter((event) => event.is === 'parked').map(brief)).toEqual(['parked no space']);
      expect(await engine.counts('r', never)).toMatchObject({queued: 0, running: 0, passed: 3, parked: 1});
      const parked = (await resultsOf(engine)).find(({key}) => isPoison(key.task));
      expect(parked).toMatchObject({outcome: 'infrastructure', note: 'no space', retries: 3, taskDigest: 'd2', costUsd: null});
      expect(await engine.requeue('r', never)).toBe(1);
      const later = await workAll(engine, async (rollout) => resultFor(rollout));
      expect(later.map(brief)).toEqual(['started 0', 'accepted passed 0']);
      expect(await engine.counts('r', never)).toMatchObject({passed: 4, parked: 0});
    },
  );

  it.skipIf(skipped)('what an abort interrupts is queued again and loses no attempt', async () => {
    const {engine} = await coordinated(3);
    const abort = new AbortController();
    const run = async (rollout: Parameters<typeof resultFor>[0], signal: AbortSignal): Promise<ReturnType<typeof resultFor>> => {
      abort.abort();
      expect(signal.aborted).toBe(true);
      return resultFor(rollout);
    };
    expect(await engine.work({slots: 1, until: 'r', run}, abort.signal)).toEqual({end: 'aborted', accepted: 0});
    expect(await engine.counts('r', never)).toMatchObject({queued: 3, running: 0});
    const events = await workAll(engine, async (rollout) => resultFor(rollout), {slots: 1});
    expect(events.filter(({is}) => is === 'started').map(brief)).toEqual(['started 0', 'started 0', 'started 0']);
  });

  it.skipIf(skipped)(
    'what a machine cannot carry out is left to the others, and loses no attempt; where there are none it fails',
    async () => {
      const {engines, engine} = await coordinated(2);
      const events: WorkEvent[] = [];
      const isOver = new AbortController();
      const unable = async (): Promise<void> => {
        const other = engines.areShared ? await engines.open() : engine;
        const until = engines.areShared ? undefined : 'r';
        const onEvent = (event: WorkEvent): void => void events.push(event);
        await other.work({slots: 1, until, run: async () => ({notHere: 'no suite'}), onEvent}, isOver.signal);
      };
      if (!engines.areShared) {
        await unable();
        expect(events.filter(({is}) => is === 'parked').map(brief)).toEqual(['parked no suite', 'parked no suite']);
        return;
      }
      const work = unable();
      await vi.waitUntil(() => events.some(({is}) => is === 'left'), {timeout: 10_000});
      await workAll(engine, async (rollout) => resultFor(rollout));
      isOver.abort();
      await work;
      expect(new Set(events.map(({is}) => is))).toEqual(new Set(['started', 'left']));
      expect((await resultsOf(engine)).map(({outcome, retries}) => [outcome, retries])).toEqual([
        ['passed', 0],
        ['passed', 0],
      ]);
    },
  );

  it.skipIf(skipped)('drained: nothing new starts, and what runs is waited for', async () => {
    const {engine} = await coordinated(5);
    const drain = new AbortController();
    const end = await engine.work(
      {
        slots: 2,
        until: 'r',
        drain: {signal: drain.signal},
        async run(rollout) {
          drain.abort();
          await new Promise((resolve) => setImmediate(resolve));
          return resultFor(rollout);
        },
      },
      never,
    );
    expect(end).toEqual({end: 'drained', accepted: 2});
    expect(await engine.counts('r', never)).toMatchObject({queued: 3, running: 0, passed: 2});
  });

  it.skipIf(skipped)('drained with a time limit: what is not done within it is queued again', async () => {
    const {engine} = await coordinated(2);
    const drain = new AbortController();
    const end = await engine.work(
      {
        slots: 2,
        until: 'r',
        drain: {signal: drain.signal, withinMs: 1},
        async run(rollout, signal) {
          drain.abort();
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          return resultFor(rollout);
        },
      },
      never,
    );
    expect(end).toEqual({end: 'drained', accepted: 0});
    expect(await engine.counts('r', never)).toMatchObject({queued: 2, running: 0});
  });

  it.skipIf(skipped)('cancelled: what runs is aborted, nothing gets a result, and the work is done', async () => {
    const {engine} = await coordinated(10);
    const started = Promise.withResolvers<void>();
    const work = workAll(
      engine,
      async (rollout, signal) => {
        started.resolve();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        return resultFor(rollout);
      },
      {slots: 2},
    );
    await started.promise;
    expect(await engine.cancel('r', never)).toBe(10);
    expect((await work).filter(({is}) => is === 'dropped')).toHaveLength(2);
    expect(await engine.counts('r', never)).toMatchObject({queued: 0, running: 0, cancelled: 10, passed: 0});
    expect(await engine.accept(resultFor({key: keyFor(0), taskDigest: 'd0'}), never)).toBe(false);
    expect(await engine.requeue('r', never)).toBe(10);
    await workAll(engine, async (rollout) => resultFor(rollout));
    expect(await engine.counts('r', never)).toMatchObject({cancelled: 0, passed: 10});
  });

  it.skipIf(skipped)('refuses a second coordinator of a run, until the first is gone', async () => {
    const {engines, engine} = await opened();
    const first = await engine.coordinate('r', never);
    const other = await engines.open();
    expect(await codeOf(other.coordinate('r', never))).toBe('UNAVAILABLE');
    expect(await codeOf(other.coordinate('another', never))).toBe('none');
    await first.release();
    expect(await codeOf(other.coordinate('r', never))).toBe('none');
  });

  it.skipIf(skipped)('two runs with shares 2 and 1 start rollouts 2 : 1, within one; a later one begins where they are', async () => {
    const {engine} = await opened();
    for (const [name, share] of [
      ['two', 2],
      ['one', 1],
    ] as const) {
      await engine.coordinate(name, never);
      await engine.enqueue({name, settings: {}, share}, rollouts(40, {run: name}), never);
    }
    const started: string[] = [];
    const run = async (rollout: Parameters<typeof resultFor>[0]): Promise<ReturnType<typeof resultFor>> => {
      started.push(rollout.key.run);
      if (started.length === 30) {
        await engine.coordinate('late', never);
        await engine.enqueue({name: 'late', settings: {}, share: 1}, rollouts(20, {run: 'late'}), never);
      }
      return resultFor(rollout);
    };
    await engine.work({slots: 1, until: 'two', run}, never);
    const worst = (list: readonly string[], name: string, part: number): number =>
      Math.max(...list.map((_, n) => Math.abs(list.slice(0, n + 1).filter((one) => one === name).length - part * (n + 1))));
    expect(worst(started.slice(0, 30), 'two', 2 / 3)).toBeLessThanOrEqual(1);
    expect(worst(started.slice(30, 50), 'two', 1 / 2)).toBeLessThanOrEqual(1.5);
    expect(worst(started.slice(30, 50), 'late', 1 / 4)).toBeLessThanOrEqual(1.5);
  });

  it.skipIf(skipped)('a run of higher priority goes first', async () => {
    const {engine} = await opened();
    for (const [name, priority] of [
      ['low', 0],
      ['high', 1],
    ] as const) {
      await engine.coordinate(name, never);
      await engine.enqueue({name, settings: {}, priority}, rollouts(3, {run: name}), never);
    }
    const started: string[] = [];
    const run = async (rollout: Parameters<typeof resultFor>[0]): Promise<ReturnType<typeof resultFor>> => {
      started.push(rollout.key.run);
      return resultFor(rollout);
    };
    await engine.work({slots: 1, until: 'low', run}, never);
    expect(started).toEqual(['high', 'high', 'high', 'low', 'low', 'low']);
  });

  it.skipIf(skipped)('a provider never has more rollouts at once than its limit; another goes on', async () => {
    const {engines, engine} = await opened();
    await engine.coordinate('r', never);
    const both = [...rollouts(12, {model: 'slow/m'}), ...rollouts(12, {model: 'other/m'})];
    await engine.enqueue({name: 'r', settings: {}, limits: {slow: 3}}, both, never);
    let [now, most, others] = [0, 0, 0];
    const run = async (rollout: Parameters<typeof resultFor>[0]): Promise<ReturnType<typeof resultFor>> => {
      if (rollout.key.model === 'other/m') others += 1;
      else most = Math.max(most, ++now);
      for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
      if (rollout.key.model === 'slow/m') now -= 1;
      return resultFor(rollout);
    };
    const workers = engines.areShared ? [engine, await engines.open(), await engines.open()] : [engine];
    await Promise.all(workers.map(async (one) => await workAll(one, run, {slots: 6})));
    expect({most, others}).toEqual({most: 3, others: 12});
    expect(await engine.counts('r', never)).toMatchObject({passed: 24});
  });

  it.skipIf(skipped)('leaves the run of a newer version to workers of that version', async () => {
    const {engines, engine} = await opened();
    const newer = await engines.open({payloadVersion: 2});
    const coordinator = await newer.coordinate('r', never);
    await newer.enqueue({name: 'r', settings: {}}, rollouts(2), never);
    await coordinator.release();
    expect(await codeOf(engine.coordinate('r', never))).toBe('UNAVAILABLE');
    expect(await codeOf(engine.enqueue({name: 'r', settings: {}}, rollouts(3), never))).toBe('UNAVAILABLE');
    expect(await newer.counts('r', never)).toMatchObject({queued: 2});
    await newer.coordinate('r', never);
    await workAll(newer, async (rollout) => resultFor(rollout));
    expect(await newer.counts('r', never)).toMatchObject({passed: 2});
  });

  it.skipIf(skipped)('refuses keys of another run and numbers out of their bounds', async () => {
    const {engine} = await opened();
    const codes = [
      engine.enqueue({name: 'r', settings: {}}, rollouts(1, {run: 'other'}), never),
      engine.enqueue({name: 'r', settings: {}, share: 0}, [], never),
      engine.enqueue({name: 'r', settings: {}, priority: 16}, [], never),
      engine.enqueue({name: 'r', settings: {}, limits: {openai: 0}}, [], never),
    ];
    expect(await Promise.all(codes.map(codeOf))).toEqual(['BAD_ARGS', 'BAD_ARGS', 'BAD_ARGS', 'BAD_ARGS']);
  });

  it.skipIf(skipped)('lists its runs, the newest settings of each', async () => {
    const {engine} = await coordinated(1);
    await engine.enqueue({name: 'r', settings: {suite: 'b'}, share: 3, priority: -1, limits: {openai: 2}}, [], never);
    expect(await engine.runs(never)).toEqual([
      {name: 'r', settings: {suite: 'b'}, share: 3, priority: -1, limits: {openai: 2}, createdAt: expect.any(Number)},
    ]);
  });

  it.skipIf(skipped)('work without slots waits for the end of a run', async () => {
    const {engine} = await coordinated(2);
    const waiting = engine.work({slots: 0, until: 'r', run: async (rollout) => resultFor(rollout)}, never);
    for (const rollout of rollouts(2)) await engine.accept(resultFor(rollout), never);
    expect(await waiting).toEqual({end: 'done', accepted: 0});
  });

  function brief(event: WorkEvent): string {
    if (event.is === 'started') return `started ${event.rollout.retries}`;
    if (event.is === 'retried') return `retried after ${event.afterMs}`;
    if (event.is === 'accepted') return `accepted ${event.result.outcome} ${event.result.retries}`;
    if (event.is === 'parked') return `parked ${event.result.note}`;
    return event.is;
  }
});
