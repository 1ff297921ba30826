import {counted} from '../../base/counted.ts';
import type {Pairs, TestFault} from './choose-patch.ts';
import {decoysOf} from './decoys.ts';
import {mutatePatch} from './mutate-patch.ts';
import {mutateTests} from './mutate-tests.ts';
import type {RunTests} from './run-tests.ts';
import type {TaskWork} from './task-work.ts';
import type {TestSet} from './test-set.ts';

/** A patch, and the test sets that count and that it passes. */
export interface Candidate {
  /** Index in the work. */
  readonly patch: number;
  /** Indexes in the work. */
  readonly passing: readonly number[];
}

/** Promoted tests of a patch. */
export interface HoldingTests {
  /** Indexes in the work. */
  readonly tests: readonly number[];
  readonly mutants: number;
  /** Mutants that at least one of the tests noticed. */
  readonly noticed: number;
  /** Reasons against the others that the patch passes, one line each. */
  readonly notes: readonly string[];
}

export type CheckedTests =
  | ({readonly kind: 'hold'} & HoldingTests)
  /** These test sets prove nothing with any patch. */
  | {readonly kind: 'faulty'; readonly faults: ReadonlyMap<number, TestFault>}
  /** The reason why the patch is rejected. */
  | {readonly kind: 'rejected'; readonly why: string};

/**
 * Checks the tests that a patch passes. Each must say the same when it is run again, and with changes of the sources that change nothing that they do;
 * it must fail when the patch is changed, and when it is changed itself.
 */
export async function checkTests(work: TaskWork, run: RunTests, {patch: at, passing}: Candidate): Promise<CheckedTests> {
  const patch = work.patches[at]?.patch ?? '';
  const sets = passing.flatMap((index) => {
    const tests = work.tests[index];
    return tests === undefined ? [] : [{index, tests, name: `test ${tests.attempt}`}];
  });
  const faults = new Map<number, TestFault>();
  for (const {index, tests} of sets) {
    const fault = await faultOf(tests, run, patch);
    if (fault !== undefined) faults.set(index, fault);
  }
  if (faults.size > 0) return {kind: 'faulty', faults};
  const mutants = mutatePatch(patch);
  if (mutants.length === 0) return {kind: 'rejected', why: 'nothing of it can be mutated to check its tests'};
  const rows: boolean[][] = [];
  for (const mutant of mutants) rows.push(await each(sets, async ({tests}) => !(await run(tests, {patch: mutant.patch}))));
  const noticed = rows.filter((row) => row.includes(true)).length;
  if (noticed === 0) return {kind: 'rejected', why: `none of its tests notices any of ${counted(mutants.length, 'mutation')} of it`};
  const reasons = await each(sets, async ({tests}, n) => {
    if (!rows.some((row) => row[n] === true)) return `it notices none of ${counted(mutants.length, 'mutation')} of it`;
    return await indecision(tests, run, patch);
  });
  const tests = sets.flatMap(({index}, n) => (reasons[n] === undefined ? [index] : []));
  const notes = sets.flatMap(({name}, n) => (reasons[n] === undefined ? [] : [`${name}: not promoted, since ${reasons[n]}`]));
  if (tests.length > 0) return {kind: 'hold', tests, mutants: mutants.length, noticed, notes};
  return {kind: 'rejected', why: reasons.find((reason) => reason === ALWAYS) === undefined ? NOT_SHOWN : ALWAYS_ITS};
}

const ALWAYS = 'it passes even when its expectations are changed';
const ALWAYS_ITS = 'its tests pass with it even when they are changed';
const NOT_SHOWN = 'none of its tests can be shown to decide';

/** Returns the reason why nothing depends on what the tests expect; undefined if they fail once an expectation is changed. */
async function indecision(tests: TestSet, run: RunTests, patch: string): Promise<string | undefined> {
  const changed = mutateTests(tests);
  if (changed.length === 0) return 'it has no expectation that can be changed to check it';
  for (const one of changed) if (!(await run(one, {patch}))) return undefined;
  return ALWAYS;
}

/** Runs the tests again on both trees, and on both with comments that look like the change. */
async function faultOf(tests: TestSet, run: RunTests, patch: string): Promise<TestFault | undefined> {
  const before = await run(tests, {patch: '', decoys: decoysOf(patch, 'added')});
  const after = await run(tests, {patch, decoys: decoysOf(patch, 'removed')});
  const isSteady = !(await run(tests, {patch: '', again: true})) && (await run(tests, {patch, again: true}));
  if (!isSteady) return 'unsteady';
  return before || !after ? 'reads-sources' : undefined;
}

/** One after the other: all trees of a task have the same place. */
async function each<From, To>(items: readonly From[], make: (item: From, at: number) => Promise<To>): Promise<To[]> {
  const made: To[] = [];
  for (const [at, item] of items.entries()) made.push(await make(item, at));
  return made;
}

/** Returns the test sets that count with this choice and that a patch passes. */
export function passingTests(pairs: Pairs, verdicts: readonly string[], patch: number): readonly number[] {
  return verdicts.flatMap((verdict, at) => (verdict === 'counts' && pairs.after[patch]?.[at] === true ? [at] : []));
}
