import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {paidFor, reservedCost, type Spending} from '../../../src/lab/engine/reserve-cost.ts';
import {keyFor, resultFor} from './rollouts.ts';

const spending = (over: Partial<Spending> = {}): Spending => ({budgetUsd: 8, spentUsd: 0, ended: 0, greatestUsd: 0, ...over});

describe('the part of a budget that is reserved for a rollout', () => {
  it.each([
    ['its own limit', spending(), 0, 0.5, 0.5],
    ['its own limit, alone: all that is left', spending({spentUsd: 7.8, ended: 10, greatestUsd: 1}), 0, 5, undefined],
    ['its own limit is more than is left, and the mean is not', spending({spentUsd: 7, ended: 10, greatestUsd: 1}), 0, 5, 1],
    ['not beside others with less than its limit', spending({spentUsd: 7, ended: 10, greatestUsd: 1}), 0.1, 5, undefined],
    ['an eighth of the budget as long as nothing is known', spending(), 7, undefined, 1],
    ['and no more than eight at once', spending(), 8, undefined, undefined],
    ['twice the greatest cost', spending({spentUsd: 1, ended: 4, greatestUsd: 0.5}), 5.5, undefined, 1],
    ['an eighth of what is free, where that is more', spending({spentUsd: 1, ended: 40, greatestUsd: 0.05}), 3, undefined, 0.5],
    ['what is free, where that is the greatest cost', spending({spentUsd: 1, ended: 4, greatestUsd: 0.5}), 6.5, undefined, 0.5],
    ['not less than the greatest beside others', spending({spentUsd: 1, ended: 4, greatestUsd: 0.5}), 6.6, undefined, undefined],
    ['the mean, alone', spending({spentUsd: 7.7, ended: 40, greatestUsd: 0.5}), 0, undefined, 0.3],
    ['models that cost nothing are held by nothing', spending({ended: 4}), 4, undefined, 0.5],
  ])('%s', (_, run, reserved, limit, expected) => {
    const found = reservedCost(run, reserved, limit);
    expect(found === undefined ? found : Number(found.toFixed(9))).toBe(expected);
  });

  it('never exceeds the budget with what is spent and reserved, whatever rollouts cost', () => {
    const amounts = fc.array(
      fc.record({cost: fc.double({min: 0, max: 3, noNaN: true}), limit: fc.option(fc.double({min: 0.001, max: 9, noNaN: true}))}),
    );
    fc.assert(
      fc.property(fc.double({min: 0.001, max: 10, noNaN: true}), amounts, fc.integer({min: 1, max: 20}), (budgetUsd, all, slots) => {
        let run = spending({budgetUsd});
        const running: {readonly reserved: number; readonly cost: number}[] = [];
        const end = (): void => {
          const {cost = 0, reserved = 0} = running.shift() ?? {};
          const paid = Math.min(cost, reserved);
          run = {...run, spentUsd: run.spentUsd + paid, ended: run.ended + 1, greatestUsd: Math.max(run.greatestUsd, paid)};
        };
        const sum = (): number => running.reduce((total, {reserved}) => total + reserved, 0);
        for (const {cost, limit} of all) {
          if (running.length >= slots) end();
          for (let reserved = reservedCost(run, sum(), limit ?? undefined); ; reserved = reservedCost(run, sum(), limit ?? undefined)) {
            if (reserved !== undefined) running.push({reserved, cost});
            if (reserved !== undefined || running.length === 0) break;
            end();
          }
          expect(run.spentUsd + sum()).toBeLessThanOrEqual(budgetUsd * (1 + 1e-6));
        }
      }),
    );
  });

  it('an attempt costs what no earlier one has paid', () => {
    const rollout = {key: keyFor(0), taskDigest: 'd'};
    const costs = [{costUsd: null}, {costUsd: 2}, {costUsd: 2, keptUsd: 1.5}, {costUsd: 2, keptUsd: 1.5, retries: 1}];
    expect(costs.map((over) => paidFor(resultFor(rollout, over)))).toEqual([0, 2, 2, 0.5]);
  });
});
