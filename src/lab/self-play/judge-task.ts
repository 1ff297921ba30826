import {checkTests, passingTests, type HoldingTests} from './check-tests.ts';
import {choosePatch, type Choice, type Pairs, type TestFault} from './choose-patch.ts';
import {passesHidden, testsRunner, type Judging, type RunTests} from './run-tests.ts';
import type {TaskWork} from './task-work.ts';

/** The judgement of one task. */
export interface TaskJudgement {
  readonly task: string;
  readonly work: TaskWork;
  readonly pairs: Pairs;
  readonly choice: Choice;
  readonly promoted: Promoted | undefined;
  /** Patches that were chosen and did not hold, and tests that did not, one line each. */
  readonly rejected: readonly string[];
  /** Why nothing was promoted. */
  readonly reason: string | undefined;
}

export interface Promoted extends Omit<HoldingTests, 'notes'> {
  /** Index in the work. */
  readonly patch: number;
  /** The verification of the suite passes with the patch. It decides nothing. */
  readonly isRight: boolean;
}

/** Scores all pairs of patches and tests, chooses a patch, and checks its tests. */
export async function judgeTask(work: TaskWork, judging: Judging, signal: AbortSignal): Promise<TaskJudgement> {
  const run = testsRunner(work.task, judging, signal);
  const before = await onEach(work, run, '');
  const after: boolean[][] = [];
  for (const {patch} of work.patches) after.push(await onEach(work, run, patch));
  const pairs = {lines: work.patches.map(({lines}) => lines), before, after};
  const {chosen, ...promotion} = await promote(work, run, pairs);
  if (chosen === undefined) return {task: work.task.id, work, pairs, ...promotion, promoted: undefined};
  const patch = work.patches[chosen.patch]?.patch ?? '';
  const isRight = await passesHidden(work.task, {patch, judging}, signal);
  return {task: work.task.id, work, pairs, ...promotion, promoted: {...chosen, isRight}};
}

interface Promotion extends Pick<TaskJudgement, 'choice' | 'rejected' | 'reason'> {
  readonly chosen: Omit<Promoted, 'isRight'> | undefined;
}

/** Tries the best patch, then the next best if its tests do not hold. A rejected one counts as passing nothing, and faulty tests do not count. */
async function promote(work: TaskWork, run: RunTests, pairs: Pairs): Promise<Promotion> {
  const rejected = new Map<number, string>();
  const faults = new Map<number, TestFault>();
  for (;;) {
    const after = pairs.after.map((row, patch) => (rejected.has(patch) ? row.map(() => false) : row));
    const choice = choosePatch({...pairs, after}, faults);
    const notes = [...rejected].map(([patch, why]) => `fix ${work.patches[patch]?.attempt ?? 0}: rejected, since ${why}`);
    if (choice.patch === undefined) {
      const last = choosePatch(pairs, faults);
      const reason = rejected.size === 0 ? reasonOf(work, last) : 'no patch is left that passes more than half of the tests that count';
      return {choice: last, chosen: undefined, rejected: notes, reason};
    }
    const passing = passingTests(pairs, choice.verdicts, choice.patch);
    const checked = await checkTests(work, run, {patch: choice.patch, passing});
    if (checked.kind === 'faulty') for (const [test, fault] of checked.faults) faults.set(test, fault);
    else if (checked.kind === 'rejected') rejected.set(choice.patch, checked.why);
    else {
      const {tests, mutants, noticed} = checked;
      const chosen = {patch: choice.patch, tests, mutants, noticed};
      return {choice: choosePatch(pairs, faults), chosen, rejected: [...notes, ...checked.notes], reason: undefined};
    }
  }
}

function reasonOf({patches, tests}: TaskWork, {verdicts}: Choice): string {
  if (patches.length === 0) return 'there is no patch';
  if (tests.length === 0) return 'there are no tests';
  return verdicts.includes('counts') ? 'no patch passes more than half of the tests that count' : 'there are no tests that count';
}

/** One after the other: all trees of a task have the same place. */
async function onEach({tests}: TaskWork, run: RunTests, patch: string): Promise<boolean[]> {
  const passed: boolean[] = [];
  for (const one of tests) passed.push(await run(one, {patch}));
  return passed;
}
