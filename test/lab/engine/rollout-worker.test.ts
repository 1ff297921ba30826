import {describe, expect, it} from 'vitest';
import type {ClaimedRollout, WorkEnd} from '../../../src/lab/engine/engine.ts';
import {RolloutWorker, type RolloutSource} from '../../../src/lab/engine/rollout-worker.ts';
import {keyFor, never, resultFor} from './rollouts.ts';

const claimed = (n: number): ClaimedRollout => ({key: keyFor(n), taskDigest: `d${n}`, retries: 0, settings: {}});

/** A source that writes down what happens to its rollouts. */
function sourceOf(
  rollouts: readonly ClaimedRollout[],
  over: Partial<RolloutSource> = {},
): {readonly source: RolloutSource; readonly log: string[]} {
  const [queue, log]: [ClaimedRollout[], string[]] = [[...rollouts], []];
  const note = (what: string, {key}: ClaimedRollout): void => void log.push(`${what} ${key.task}`);
  const source: RolloutSource = {
    pollMs: 1,
    beatMs: 1,
    take: async (count) => queue.splice(0, count),
    mustRunAlone: () => false,
    lost: async () => [],
    async settle(rollout, result) {
      note('settled', rollout);
      return {is: 'accepted', result, isFirst: true};
    },
    async leave(rollout, reason) {
      note('left', rollout);
      return {is: 'left', key: rollout.key, reason};
    },
    drop: async (rollout) => note('dropped', rollout),
    putBack: async (rollout) => note('put back', rollout),
    end: async () => (queue.length === 0 ? 'done' : undefined),
    ...over,
  };
  return {source, log};
}

async function workOn(source: RolloutSource, run: (rollout: ClaimedRollout) => Promise<void>, slots = 4): Promise<WorkEnd> {
  const options = {
    slots,
    run: async (rollout: ClaimedRollout) => {
      await run(rollout);
      return resultFor(rollout);
    },
  };
  return await new RolloutWorker(source, options).work(never);
}

const turns = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve));
};

describe('the slots of a worker', () => {
  it('are never more than asked for, and all are used', async () => {
    const {source} = sourceOf(Array.from({length: 40}, (_, n) => claimed(n)));
    let [now, most] = [0, 0];
    const end = await workOn(source, async () => {
      most = Math.max(most, ++now);
      await turns(3);
      now -= 1;
    });
    expect({most, end}).toEqual({most: 4, end: {end: 'done', accepted: 40}});
  });

  it('are empty beside a rollout that must run alone', async () => {
    const {source, log} = sourceOf([0, 1, 2, 3, 4].map(claimed), {mustRunAlone: ({key}) => key.task === 't00001'});
    const running = new Set<string>();
    const beside = new Map<string, number>();
    await workOn(
      source,
      async ({key}) => {
        running.add(key.task);
        await turns(3);
        beside.set(key.task, running.size);
        running.delete(key.task);
      },
      2,
    );
    expect(beside.get('t00001')).toBe(1);
    expect(log.toSorted()).toEqual([0, 1, 2, 3, 4].map((n) => `settled t0000${n}`));
  });

  it('put back a rollout that waits to run alone when the work ends', async () => {
    const drain = new AbortController();
    const {source, log} = sourceOf([claimed(0), claimed(1)], {mustRunAlone: ({key}) => key.task === 't00001'});
    const run = async (rollout: ClaimedRollout): Promise<ReturnType<typeof resultFor>> => {
      drain.abort();
      return resultFor(rollout);
    };
    expect(await new RolloutWorker(source, {slots: 2, run, drain: {signal: drain.signal}}).work(never)).toEqual({
      end: 'drained',
      accepted: 1,
    });
    expect(log).toEqual(['settled t00000', 'put back t00001']);
  });

  it('drop a rollout that another worker has, also one that waits', async () => {
    const rollouts = [claimed(0), claimed(1)];
    const [going, lost] = [Promise.withResolvers<void>(), new Set<ClaimedRollout>()];
    const {source, log} = sourceOf(rollouts, {
      mustRunAlone: ({key}) => key.task === 't00001',
      lost: async (running) => running.filter((rollout) => lost.has(rollout)),
    });
    const options = {
      slots: 2,
      async run(rollout: ClaimedRollout, signal: AbortSignal) {
        for (const one of rollouts) lost.add(one);
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        going.resolve();
        return resultFor(rollout);
      },
    };
    expect(await new RolloutWorker(source, options).work(never)).toEqual({end: 'done', accepted: 0});
    expect(log.toSorted()).toEqual(['dropped t00000', 'dropped t00001']);
  });

  it('end with the error of a source that fails, after what runs has ended', async () => {
    const log: string[] = [];
    const {source} = sourceOf([claimed(0), claimed(1)], {
      async settle() {
        throw new Error('disk full');
      },
      putBack: async ({key}) => void log.push(key.task),
    });
    const options = {
      slots: 2,
      async run(rollout: ClaimedRollout, signal: AbortSignal) {
        if (rollout.key.task === 't00001') await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        return resultFor(rollout);
      },
    };
    await expect(new RolloutWorker(source, options).work(never)).rejects.toThrow('disk full');
    expect(log).toEqual(['t00001']);
  });
});
