import {counted} from '../../base/counted.ts';
import type {RolloutResult} from '../rollout/rollout.ts';
import {hasPassed, isJudged} from './measures.ts';
import type {Comparison} from './report.ts';
import {signedPoints} from './figures.ts';
import {differenceInterval} from './statistics/interval.ts';
import {commonDivisor, holmAdjusted, signFlipTest} from './statistics/sign-flip.ts';

/** One side of a comparison. */
export interface Side {
  readonly name: string;
  readonly results: readonly RolloutResult[];
}

/** Level of significance for all comparisons of a report together. */
const LEVEL = 0.05;

/**
 * Compares pairs of variants on the tasks that both have judged attempts at, by the difference of the pass rates of each task. Whether one is
 * better is decided by the sign-flip test with Holm's correction.
 */
export function compareSides(pairs: readonly (readonly [Side, Side])[]): readonly Comparison[] {
  const compared = pairs.map(([a, b]) => compareTwo(a, b));
  const adjusted = holmAdjusted(compared.map(({p}) => p));
  return compared.map((one, index) => {
    const adjustedP = adjusted[index] ?? 1;
    const side = one.difference > 0 ? ('b' as const) : ('a' as const);
    const decided = {...one, adjustedP, ...(adjustedP < LEVEL ? {better: side} : {})};
    return {...decided, words: wordsOf(decided)};
  });
}

type Undecided = Omit<Comparison, 'adjustedP' | 'better' | 'words'>;

function compareTwo(a: Side, b: Side): Undecided {
  const [tasksA, tasksB] = [tasksOf(a), tasksOf(b)];
  const shared = [...tasksA].flatMap(([task, one]) => {
    const other = tasksB.get(task);
    return other === undefined || one.digests !== other.digests ? [] : [{one, other}];
  });
  // As whole numbers of one common unit, so that the test counts exactly.
  const unit = shared.flatMap(({one, other}) => [one.judged, other.judged]).reduce(leastMultiple, 1);
  const scaled = shared.map(({one, other}) => (other.passed * unit) / other.judged - (one.passed * unit) / one.judged);
  const differences = scaled.map((difference) => difference / unit);
  const attempts = Math.min(...shared.map(({one, other}) => Math.min(one.judged, other.judged)), Infinity);
  return {
    a: a.name,
    b: b.name,
    tasks: shared.length,
    leftOut: new Set([...tasksA.keys(), ...tasksB.keys()]).size - shared.length,
    rateA: meanOf(shared.map(({one}) => one.passed / one.judged)),
    rateB: meanOf(shared.map(({other}) => other.passed / other.judged)),
    difference: meanOf(differences),
    ...differenceInterval(differences, attempts),
    betterForA: differences.filter((difference) => difference < 0).length,
    betterForB: differences.filter((difference) => difference > 0).length,
    ...signFlipTest(scaled),
  };
}

interface Tried {
  readonly judged: number;
  readonly passed: number;
  /** Digests of the task as it was tried: a task that changed is not the same task. */
  readonly digests: string;
}

function tasksOf({results}: Side): ReadonlyMap<string, Tried> {
  const tasks = Map.groupBy(results.filter(isJudged), ({key}) => key.task);
  return new Map(
    [...tasks].map(([task, ones]) => [
      task,
      {
        judged: ones.length,
        passed: ones.filter(hasPassed).length,
        digests: [...new Set(ones.map(({taskDigest}) => taskDigest))].toSorted().join(' '),
      },
    ]),
  );
}

/** At most what sums of it can be counted exactly for; above, fractions are as good. */
function leastMultiple(a: number, b: number): number {
  const multiple = (a / commonDivisor(a, b)) * b;
  return multiple > 1e9 ? 1 : multiple;
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A comparison from the side that passed more, or just as much: with its name first, and differences that are its lead. */
export interface Lead {
  readonly first: string;
  readonly second: string;
  /** First − second, 0 or more, with both ends of its interval. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly betterForFirst: number;
  readonly betterForSecond: number;
}

/** Turns a comparison so that sentence, counts and picture have the same order: people read "the first" as the one that the sentence names first. */
export function leadOf({a, b, difference, low, high, betterForA, betterForB}: Omit<Comparison, 'words'>): Lead {
  if (difference > 0) return {first: b, second: a, difference, low, high, betterForFirst: betterForB, betterForSecond: betterForA};
  const turned = {difference: 0 - difference, low: 0 - high, high: 0 - low};
  return {first: a, second: b, ...turned, betterForFirst: betterForA, betterForSecond: betterForB};
}

function wordsOf(comparison: Omit<Comparison, 'words'>): string {
  const {better, tasks, adjustedP} = comparison;
  const {first, second, difference, low, high, betterForFirst, betterForSecond} = leadOf(comparison);
  if (tasks === 0) return `${first} and ${second} have no task in common.`;
  const range = `95 % interval ${signedPoints(low)} to ${signedPoints(high)}`;
  const p = `p ${adjustedP < 0.001 ? '< 0.001' : `= ${adjustedP.toFixed(3)}`}`;
  const on = `on ${counted(tasks, 'task')}`;
  if (better !== undefined) return `${first} passes more than ${second}: ${signedPoints(difference)} points ${on} (${range}, ${p}).`;
  const open = `No difference shown between ${first} and ${second}:`;
  if (betterForFirst + betterForSecond === 0) return `${open} the same ${on} (${range} points).`;
  const lead = difference === 0 ? 'the same on average' : `${signedPoints(difference)} points for the first`;
  return `${open} ${lead} ${on}, ${p}; anything from ${signedPoints(low)} to ${signedPoints(high)} fits these results.`;
}
