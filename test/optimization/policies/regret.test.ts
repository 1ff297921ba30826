import {describe, expect, it} from 'vitest';
import {adaptedShare, regretRatio, taskRegret} from '../../../bench/policies/simulate.ts';
import {hardDrifts, randomTables, taskTables} from '../../../bench/policies/tables.ts';
import {seededNumbers} from '../../../src/optimization/random-streams.ts';

// A part of `npm run bench -- policies`, with fewer tables and seeds.
const SEEDS = 60;
const [TABLE = {name: '', means: []}] = randomTables(1, seededNumbers(4));
const FIVE = {name: 'five', means: [0.45, 0.45, 0.6, 0.45, 0.45]};

describe('regret over that of random choices, 500 choices', () => {
  it.each([
    ['bandit', 0.5],
    ['epsilon_greedy', 0.5],
    ['ucb1', 0.75],
    ['ucb1_tuned', 0.5],
    ['thompson', 0.5],
    ['actor_critic', 0.5],
  ] as const)('%s: at most %d', (strategy, most) => {
    expect(Math.max(...[TABLE, FIVE].map((table) => regretRatio({strategy}, table, SEEDS)))).toBeLessThanOrEqual(most);
  });

  it('linucb: at most half of the best of the others where the best action depends on the task', () => {
    const [table = {name: '', meansByTask: []}] = taskTables(1, seededNumbers(2));
    const others = (['epsilon_greedy', 'thompson', 'actor_critic'] as const).map((strategy) => taskRegret({strategy}, table, 20));
    expect(taskRegret({strategy: 'linucb'}, table, 20)).toBeLessThanOrEqual(0.5 * Math.min(...others));
  });
});

describe('after another action became the best at choice 500', () => {
  const table = hardDrifts().find(({name}) => name === '5 arms, 0.65 and 0.35, moved') ?? {name: '', means: []};
  it.each(['epsilon_greedy', 'thompson'] as const)(
    '%s with a discount chooses it in 75 %% of choices 200 to 300 behind, twice as often as without',
    (strategy) => {
      const [plain, fading] = [adaptedShare({strategy}, table, SEEDS), adaptedShare({strategy, discount: 0.99}, table, SEEDS)];
      expect(fading).toBeGreaterThanOrEqual(0.75);
      expect(fading).toBeGreaterThanOrEqual(2 * plain);
    },
  );
});
