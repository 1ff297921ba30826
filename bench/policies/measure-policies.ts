import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DEFAULTS} from '../../src/config/defaults.ts';
import {openLedger} from '../../src/optimization/ledger/ledger.ts';
import {openOptimizer} from '../../src/optimization/optimizer.ts';
import {seededNumbers, seededStreams} from '../../src/optimization/random-streams.ts';
import {adaptedShare, regretRatio, taskRegret, type BenchPolicy, type Strategy} from './simulate.ts';
import {driftingTables, hardDrifts, hardTables, randomTables, taskTables} from './tables.ts';

const SEEDS = 200;
/** Of the random tables. */
const SEED = 20_260_101;
export const FADING = 0.99;

/** At most this share of the regret of choosing at random, on every table. */
const MOST_REGRET: readonly (readonly [Strategy, number])[] = [
  ['epsilon_greedy', 0.5],
  ['ucb1', 0.75],
  ['ucb1_tuned', 0.5],
  ['thompson', 0.5],
  ['actor_critic', 0.5],
];

const CONTEXT_FREE: readonly Strategy[] = ['bandit', 'epsilon_greedy', 'ucb1', 'ucb1_tuned', 'thompson', 'actor_critic'];
const MOST_TASK_REGRET = 0.5;
const LEAST_ADAPTED = 0.75;
const LEAST_FASTER = 2;
const MOST_MS = 0.2;

/** Measures the policies on tables of rewards: means of {@link SEEDS} seeds, the same in every run. Returns how many bounds are broken. */
export function measurePolicies(): number {
  const random = seededNumbers(SEED);
  return measureRegret(random) + measureTasks(random) + measureDrift(random) + measureTime();
}

function measureRegret(random: () => number): number {
  const tables = [...hardTables(), ...randomTables(16, random)];
  console.log(`policies: regret over that of random choices, 500 choices, ${tables.length} tables, ${SEEDS} seeds each`);
  const failed = MOST_REGRET.map(([strategy, most]) => {
    const found = tables.map(({name, means}) => ({name, figure: regretRatio({strategy}, {name, means}, SEEDS)}));
    const worst = found.reduce((a, b) => (b.figure > a.figure ? b : a));
    return report(
      worst.figure <= most,
      `${strategy.padEnd(15)} mean ${mean(found)}  worst ${worst.figure.toFixed(3)} (bound ${most}): ${worst.name}`,
    );
  });
  const other = tables.map((table) => ({figure: regretRatio({strategy: 'bandit'}, table, SEEDS)}));
  console.log(`       bandit          mean ${mean(other)}  worst ${Math.max(...other.map(({figure}) => figure)).toFixed(3)} (not bounded)`);
  return sum(failed);
}

function measureTasks(random: () => number): number {
  const tables = taskTables(8, random);
  console.log(
    `policies: where the best action depends on the task, regret of linucb over that of the best of the others, ${tables.length} tables`,
  );
  const found = tables.map((table) => {
    const others = CONTEXT_FREE.map((strategy) => taskRegret({strategy}, table, SEEDS));
    return {name: table.name, figure: taskRegret({strategy: 'linucb'}, table, SEEDS) / Math.min(...others)};
  });
  const worst = found.reduce((a, b) => (b.figure > a.figure ? b : a));
  return report(
    worst.figure <= MOST_TASK_REGRET,
    `linucb          mean ${mean(found)}  worst ${worst.figure.toFixed(3)} (bound ${MOST_TASK_REGRET}): ${worst.name}`,
  );
}

function measureDrift(random: () => number): number {
  const tables = [...hardDrifts(), ...driftingTables(10, random)];
  console.log(
    `policies: another action becomes the best at 500, share of choices 700 to 800 that are it, ${tables.length} tables, ${SEEDS} seeds each`,
  );
  const shares = (policy: BenchPolicy) => tables.map((table) => ({name: table.name, figure: adaptedShare(policy, table, SEEDS)}));
  const show = (name: string, found: ReturnType<typeof shares>): string => {
    const worst = found.reduce((a, b) => (b.figure < a.figure ? b : a));
    return `${name.padEnd(22)} mean ${mean(found)}  worst ${worst.figure.toFixed(3)}: ${worst.name}`;
  };
  console.log(`       ${show('bandit', shares({strategy: 'bandit'}))}`);
  const pairs = (['epsilon_greedy', 'thompson', 'ucb1_tuned'] as const).map((strategy) => {
    const [plain, fading] = [shares({strategy}), shares({strategy, discount: FADING})];
    console.log(`       ${show(strategy, plain)}`);
    console.log(`       ${show(`${strategy} ${FADING}`, fading)}`);
    return {strategy, fading, times: Number(mean(fading)) / Number(mean(plain))};
  });
  const best = Math.max(...pairs.map(({fading}) => Math.min(...fading.map(({figure}) => figure))));
  const faster = pairs.filter(({strategy}) => strategy !== 'ucb1_tuned');
  return sum([
    report(best >= LEAST_ADAPTED, `the best of them on its worst table: ${best.toFixed(3)} (bound ${LEAST_ADAPTED})`),
    ...faster.map(({strategy, times}) =>
      report(times >= LEAST_FASTER, `${strategy}: ${times.toFixed(1)} times as often with the discount (bound ${LEAST_FASTER})`),
    ),
  ]);
}

/**
 * A decision with its row in the ledger, after an outcome was learned: 8 actions and three features. A thousand decisions are made {@link REPEATS} times
 * from the same seed, each time on a new ledger; of each decision the shortest time counts, since other processes take turns on the same processors.
 */
function measureTime(): number {
  const found = [...CONTEXT_FREE, 'linucb' as const].map((strategy) => {
    const repeats = Array.from({length: REPEATS}, () => timesOf(strategy));
    const [first = []] = repeats;
    return {strategy, repeats, shortest: first.map((_, at) => Math.min(...repeats.map((times) => times[at] ?? Infinity)))};
  });
  const slowest = found.reduce((worst, one) => (quantile(one.shortest, 0.95) > quantile(worst.shortest, 0.95) ? one : worst));
  const shown = (values: readonly number[]): string => [0.5, 0.95].map((share) => quantile(values, share).toFixed(3)).join(' and ');
  return report(
    quantile(slowest.shortest, 0.95) <= MOST_MS,
    `policies: a decision with its row in the ledger, median and 95th percentile of the slowest policy (${slowest.strategy}): ` +
      `${shown(slowest.shortest)} ms (bound ${MOST_MS}); with the turns of others ${shown(slowest.repeats.flat())} ms`,
  );
}

const REPEATS = 5;

/** Milliseconds of each decision. */
function timesOf(strategy: Strategy): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), 'fettle-policies-'));
  const ledger = openLedger(folder);
  try {
    const optimizer = openOptimizer({settings: {...DEFAULTS.optimization, strategy}, ledger, random: seededStreams(1)});
    const actions = Array.from({length: 8}, (_, arm) => `action-${arm}`);
    return Array.from({length: 1000}, () => {
      const start = performance.now();
      const {action} = optimizer.select(actions, {features: {language: 'typescript', size: 0.4, kind: 'fix'}});
      const took = performance.now() - start;
      optimizer.applyReward({action, success: action === 'action-3'});
      return took;
    });
  } finally {
    ledger.close();
    rmSync(folder, {recursive: true});
  }
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;
}

function report(ok: boolean, text: string): number {
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${text}`);
  return ok ? 0 : 1;
}

function mean(found: readonly {readonly figure: number}[]): string {
  return (sum(found.map(({figure}) => figure)) / found.length).toFixed(3);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
