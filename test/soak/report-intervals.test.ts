import {describe, expect, it} from 'vitest';
import {compareSides} from '../../src/lab/report/compare.ts';
import {meanInterval, differenceInterval, type Interval, type TaskEstimate} from '../../src/lab/report/statistics/interval.ts';
import {passAtK} from '../../src/lab/report/statistics/pass-at-k.ts';
import {createRandom} from '../../src/lab/report/statistics/random.ts';
import {results} from '../lab/report/results.ts';

const random = createRandom(20_261_123);

/** Chances of a task: Beta(a, b) with whole a and b, as the a-th smallest of a + b − 1 uniform numbers. */
function chance([a, b]: readonly [number, number]): number {
  const uniform = Array.from({length: a + b - 1}, random).toSorted((one, other) => one - other);
  return uniform[a - 1] ?? 0;
}

const SUITES: Readonly<Record<string, readonly [number, number]>> = {even: [1, 1], middling: [3, 3], easy: [8, 1], hard: [1, 5]};
const TASKS = [10, 20, 50, 200];
const ATTEMPTS: readonly (readonly [attempts: number, k: number])[] = [
  [1, 1],
  [3, 1],
  [10, 1],
  [5, 2],
  [5, 5],
];
const ROUNDS = 1500;

/** E[1 − (1 − p)^k] for p of Beta(a, b). */
function truth([a, b]: readonly [number, number], k: number): number {
  let none = 1;
  for (let at = 0; at < k; at += 1) none *= (b + at) / (a + b + at);
  return 1 - none;
}

function sample(suite: readonly [number, number], tasks: number, [attempts, k]: readonly [number, number]): TaskEstimate[] {
  return Array.from({length: tasks}, () => {
    const p = chance(suite);
    const passed = Array.from({length: attempts}, random).filter((one) => one < p).length;
    return {value: passAtK(attempts, passed, k) ?? 0, groups: Math.floor(attempts / k)};
  });
}

function bootstrapInterval(tasks: readonly TaskEstimate[]): Interval {
  const means = Array.from({length: 400}, () => {
    let sum = 0;
    for (let at = 0; at < tasks.length; at += 1) sum += tasks[Math.floor(random() * tasks.length)]?.value ?? 0;
    return sum / tasks.length;
  }).toSorted((a, b) => a - b);
  return {low: means[10] ?? 0, high: means[389] ?? 1};
}

function coverage(
  interval: (tasks: readonly TaskEstimate[]) => Interval,
  suite: readonly [number, number],
  [tasks, tried]: readonly [number, readonly [number, number]],
): number {
  const real = truth(suite, tried[1]);
  let held = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const {low, high} = interval(sample(suite, tasks, tried));
    if (low <= real + 1e-9 && real <= high + 1e-9) held += 1;
  }
  return held / ROUNDS;
}

describe('intervals of reports, by simulation', () => {
  it('hold the true pass@k in about 95 of 100 runs', () => {
    const settings = Object.values(SUITES).flatMap((suite) => TASKS.flatMap((tasks) => ATTEMPTS.map((tried) => ({suite, tasks, tried}))));
    const found = settings.map(({suite, tasks, tried}) => {
      const real = truth(suite, tried[1]);
      return {held: coverage(meanInterval, suite, [tasks, tried]), rare: tasks * Math.min(real, 1 - real) < 1};
    });
    const all = found.map(({held}) => held);
    expect(all.reduce((sum, one) => sum + one, 0) / all.length).toBeGreaterThan(0.94);
    expect(Math.min(...found.flatMap(({held, rare}) => (rare ? [] : [held])))).toBeGreaterThan(0.89);
    // Where less than one task of the suite is expected to fail, Wilson's interval falls to 0.84 at worst (Agresti and Coull 1998).
    expect(Math.min(...all)).toBeGreaterThan(0.82);
  });

  it('are not those of a bootstrap over tasks, which are too short for easy suites', () => {
    const setting = [10, [1, 1]] as const;
    expect(coverage(bootstrapInterval, SUITES['easy'] ?? [8, 1], setting)).toBeLessThan(0.75);
    expect(coverage(meanInterval, SUITES['easy'] ?? [8, 1], setting)).toBeGreaterThan(0.93);
  });

  it('of differences hold the true one in at least 92 of 100 runs', () => {
    const found = [10, 20, 50].flatMap((tasks) =>
      [1, 3, 10].map((attempts) => {
        let held = 0;
        for (let round = 0; round < ROUNDS; round += 1) {
          const differences = Array.from({length: tasks}, () => {
            const p = chance([2, 2]);
            const passed = (rate: number): number => Array.from({length: attempts}, random).filter((one) => one < rate).length;
            return (passed(p ** 2) - passed(p)) / attempts;
          });
          const {low, high} = differenceInterval(differences, attempts);
          // E[p² − p] for Beta(2, 2) is 3/10 − 1/2.
          if (low <= -0.2 && -0.2 <= high) held += 1;
        }
        return held / ROUNDS;
      }),
    );
    expect(Math.min(...found)).toBeGreaterThan(0.92);
  });
});

it('two equal agents are told apart in at most 5 of 100 runs', () => {
  let apart = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const marks = (p: number): string => Array.from({length: 3}, () => (random() < p ? '+' : '-')).join('');
    const chances = Array.from({length: 20}, () => chance([1, 1]));
    const side = (name: string) => ({name, results: results(Object.fromEntries(chances.map((p, at) => [`t${at}`, marks(p)])))});
    if (compareSides([[side('A'), side('B')]])[0]?.better !== undefined) apart += 1;
  }
  // 5 of 100 and three standard errors.
  expect(apart / ROUNDS).toBeLessThan(0.067);
});
