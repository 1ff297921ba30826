import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {differenceInterval, meanInterval, wilsonInterval} from '../../../../src/lab/report/statistics/interval.ts';
import {quantileOf, studentQuantile} from '../../../../src/lab/report/statistics/quantile.ts';

const rounded = ({low, high}: {low: number; high: number}): readonly number[] => [low, high].map((end) => Math.round(end * 1e4) / 1e4);
const single = (value: number) => ({value, groups: 1});

describe("Wilson's interval", () => {
  it('has the values that Newcombe 1998 prints, table I, method 3', () => {
    const shown = [
      [81, 263],
      [15, 148],
      [0, 20],
      [1, 29],
    ].map(([passed = 0, size = 0]) => rounded(wilsonInterval(passed / size, size)));
    expect(shown).toEqual([
      [0.2553, 0.3662],
      [0.0624, 0.1605],
      [0, 0.1611],
      [0.0061, 0.1718],
    ]);
  });

  it('says nothing without trials', () => expect(wilsonInterval(0, 0)).toEqual({low: 0, high: 1}));
});

describe('the interval of a mean over tasks', () => {
  it("is Wilson's with one attempt for each task", () => {
    const tasks = Array.from({length: 20}, (_, at) => single(at < 13 ? 1 : 0));
    expect(rounded(meanInterval(tasks))).toEqual(rounded(wilsonInterval(13 / 20, 20)));
  });

  it('is as wide with many attempts as the tasks differ: ten attempts that all agree are worth one', () => {
    const agree = Array.from({length: 20}, (_, at) => ({value: at < 10 ? 1 : 0, groups: 10}));
    const vary = Array.from({length: 20}, () => ({value: 0.5, groups: 10}));
    // Student's quantile for 20 tasks; half the width with 200 attempts that do not differ by task.
    expect([rounded(meanInterval(agree)), rounded(meanInterval(vary))]).toEqual([
      rounded(wilsonInterval(0.5, 20, studentQuantile(19))),
      rounded(wilsonInterval(0.5, 200, studentQuantile(19))),
    ]);
  });

  it('is never a point: where all tasks pass, another one may fail', () => {
    const all = Array.from({length: 20}, () => single(1));
    expect(rounded(meanInterval(all))).toEqual([0.8389, 1]);
    expect(rounded(meanInterval([single(0)]))).toEqual([0, 0.7935]);
    expect(rounded(meanInterval([{value: 0.4, groups: 10}]))).toEqual(rounded(wilsonInterval(0.4, 1)));
    expect(meanInterval([])).toEqual({low: 0, high: 1});
  });

  it('holds the mean, and lies within 0 and 1', () => {
    const task = fc.tuple(fc.nat(8), fc.integer({min: 1, max: 8})).map(([c, n]) => ({value: Math.min(c, n) / n, groups: n}));
    fc.assert(
      fc.property(fc.array(task, {minLength: 1, maxLength: 60}), (tasks) => {
        const mean = tasks.reduce((sum, {value}) => sum + value, 0) / tasks.length;
        const {low, high} = meanInterval(tasks);
        expect([low >= 0, low <= mean + 1e-9, mean <= high + 1e-9, high <= 1]).toEqual([true, true, true, true]);
      }),
    );
  });
});

describe('the interval of a paired difference', () => {
  it('is the adjusted one of Bonett and Price 2012 with one attempt for each task', () => {
    // 50 pairs, 12 better, 4 worse: (12 − 4) / 52 ± 1.96 · √((13/52 + 5/52 − (8/52)²) / 52)
    const differences = [...Array<number>(12).fill(1), ...Array<number>(4).fill(-1), ...Array<number>(34).fill(0)];
    const half = 1.959963984540054 * Math.sqrt((13 / 52 + 5 / 52 - (8 / 52) ** 2) / 52);
    expect(rounded(differenceInterval(differences, 1))).toEqual(rounded({low: 8 / 52 - half, high: 8 / 52 + half}));
  });

  it('is no proof of equality where no task differs', () => {
    expect(rounded(differenceInterval(Array<number>(20).fill(0), 1))).toEqual([-0.126, 0.126]);
    expect(differenceInterval([], 1)).toEqual({low: -1, high: 1});
  });

  it('changes sides with the sides', () => {
    const differences = fc.array(
      fc.integer({min: -4, max: 4}).map((one) => one / 4),
      {minLength: 1, maxLength: 40},
    );
    fc.assert(
      fc.property(differences, fc.integer({min: 1, max: 9}), (ones, attempts) => {
        const there = differenceInterval(ones, attempts);
        const back = differenceInterval(
          ones.map((one) => -one),
          attempts,
        );
        expect(there.low).toBeCloseTo(-back.high, 12);
        expect(there.high).toBeCloseTo(-back.low, 12);
        expect(there.low).toBeLessThanOrEqual(there.high);
      }),
    );
  });
});

describe('quantiles', () => {
  it("are Student's, as tables print them", () => {
    const shown = [1, 5, 6, 10, 19, 30, 100].map((freedom) => Math.round(studentQuantile(freedom) * 1000) / 1000);
    expect(shown).toEqual([12.706, 2.571, 2.447, 2.228, 2.093, 2.042, 1.984]);
  });

  it('lie between neighbours', () => {
    expect([quantileOf([4, 1, 3, 2], 0.5), quantileOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 0.9), quantileOf([7], 0.9)]).toEqual([
      2.5, 10, 7,
    ]);
    expect(quantileOf([], 0.5)).toBe(undefined);
  });
});
