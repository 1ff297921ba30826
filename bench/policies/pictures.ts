import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {lineChart} from './line-chart.ts';
import {adaptation, regretCurve} from './simulate.ts';
import {HORIZON} from './tables.ts';

const PICTURES = join(import.meta.dirname, '../../docs/guide/pictures');
const SEEDS = 400;
const [BEST, OTHER] = [0.6, 0.4] as const;
const FIVE = {name: 'five arms', means: [OTHER, OTHER, BEST, OTHER, OTHER]};
const MOVED = {name: 'five arms', means: [BEST, 0.3, 0.3, 0.3, 0.3], after: [0.3, 0.3, 0.3, BEST, 0.3]};

/** Writes the pictures of docs/guide/optimization.md; the same seeds give the same bytes. */
export function drawPolicies(): void {
  writeFileSync(join(PICTURES, 'policies-regret.svg'), regretPicture());
  writeFileSync(join(PICTURES, 'policies-drift.svg'), driftPicture());
}

function regretPicture(): string {
  const each = ((BEST - OTHER) * (FIVE.means.length - 1)) / FIVE.means.length;
  return lineChart({
    title: 'Successes lost to not knowing the best action',
    yName: `one action succeeds ${BEST * 100} % of the time, four ${OTHER * 100} %; mean of ${SEEDS} seeds`,
    xName: 'choices',
    xFrom: 0,
    yMost: 80,
    yStep: 20,
    yText: String,
    lines: [
      {name: 'at random', tone: 0, dashed: true, values: Array.from({length: HORIZON}, (_, at) => each * (at + 1))},
      {name: 'ucb1', tone: 1, values: regretCurve({strategy: 'ucb1'}, FIVE, SEEDS)},
      {name: 'ucb1_tuned', tone: 2, values: regretCurve({strategy: 'ucb1_tuned'}, FIVE, SEEDS)},
      {name: 'epsilon_greedy', tone: 3, values: regretCurve({strategy: 'epsilon_greedy'}, FIVE, SEEDS)},
      {name: 'thompson', tone: 4, values: regretCurve({strategy: 'thompson'}, FIVE, SEEDS)},
      {name: 'actor_critic', tone: 5, values: regretCurve({strategy: 'actor_critic'}, FIVE, SEEDS)},
    ],
  });
}

function driftPicture(): string {
  return lineChart({
    title: 'Choices of the new best action after the old one became bad',
    yName: `60 % and four times 30 %, moved at 500; mean of ${SEEDS} seeds`,
    xName: 'choices',
    xFrom: 500,
    yMost: 1,
    yStep: 0.25,
    yText: (share) => `${share * 100} %`,
    lines: [
      {name: 'thompson', tone: 4, dashed: true, values: smooth(adaptation({strategy: 'thompson'}, MOVED, SEEDS))},
      {name: 'thompson, discount 0.99', tone: 4, values: smooth(adaptation({strategy: 'thompson', discount: 0.99}, MOVED, SEEDS))},
      {name: 'epsilon_greedy', tone: 3, dashed: true, values: smooth(adaptation({strategy: 'epsilon_greedy'}, MOVED, SEEDS))},
      {name: 'epsilon_greedy, 0.99', tone: 3, values: smooth(adaptation({strategy: 'epsilon_greedy', discount: 0.99}, MOVED, SEEDS))},
      {name: 'bandit', tone: 1, values: smooth(adaptation({strategy: 'bandit'}, MOVED, SEEDS))},
    ],
  });
}

/** Means of ten choices. */
function smooth(values: readonly number[]): readonly number[] {
  return values.map((_, at) => {
    const part = values.slice(Math.max(0, at - 9), at + 1);
    return part.reduce((total, value) => total + value, 0) / part.length;
  });
}
