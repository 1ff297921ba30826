import {createHash} from 'node:crypto';
import {counted} from '../../base/counted.ts';
import {importFiles} from '../suite/imports/import-files.ts';
import type {SuiteTask, Verification} from '../suite/task.ts';
import {choosePatch, type Choice, type Pairs} from './choose-patch.ts';
import {mutatePatch} from './mutate-patch.ts';
import {mutateTests} from './mutate-tests.ts';
import type {CleanPatch} from './patch-sections.ts';
import {TESTS_AT} from './role-prompts.ts';
import type {ScoreTable} from './score-table.ts';
import type {ScoredTree} from './score-tree.ts';
import type {TestSet} from './test-set.ts';

/** The usable work of the roles on one task. */
export interface TaskWork {
  readonly task: SuiteTask;
  readonly patches: readonly (CleanPatch & {readonly attempt: number})[];
  readonly tests: readonly (TestSet & {readonly attempt: number})[];
  /** Answers that cannot be used, one line each. */
  readonly unusable: readonly string[];
}

/** Everything with which the work on a task is judged. */
export interface Judging {
  readonly table: ScoreTable;
  /** Folder for the files of test sets, which no role sees. */
  readonly importsFolder: string;
  /** Runs a verification on a tree; true if it passed. */
  readonly score: (tree: ScoredTree, signal: AbortSignal) => Promise<boolean>;
}

/** The judgement of one task. */
export interface TaskJudgement {
  readonly task: string;
  readonly work: TaskWork;
  readonly pairs: Pairs;
  readonly choice: Choice;
  readonly promoted: Promoted | undefined;
  /** Patches that were chosen and did not hold, one line each. */
  readonly rejected: readonly string[];
  /** Why nothing was promoted. */
  readonly reason: string | undefined;
}

export interface Promoted {
  /** Indexes in the work. */
  readonly patch: number;
  readonly tests: readonly number[];
  readonly mutants: number;
  /** Mutants that at least one promoted test set noticed. */
  readonly noticed: number;
  /** The verification of the suite passes with the patch. It decides nothing. */
  readonly isRight: boolean;
}

/** Scores all pairs of patches and tests, chooses a patch, and checks its tests by mutations of it and of themselves. */
export async function judgeTask(work: TaskWork, judging: Judging, signal: AbortSignal): Promise<TaskJudgement> {
  const call = {work, judging, signal};
  const before = await forEach(work.tests, async (tests) => await passes(call, '', tests));
  const after = await forEach(
    work.patches,
    async ({patch}) => await forEach(work.tests, async (tests) => await passes(call, patch, tests)),
  );
  const pairs = {lines: work.patches.map(({lines}) => lines), before, after};
  return {task: work.task.id, work, pairs, ...(await promote(call, pairs))};
}

type Promotion = Pick<TaskJudgement, 'choice' | 'promoted' | 'rejected' | 'reason'>;

/** Tries the best patch, then the next best if its tests do not hold. A rejected one counts as passing nothing. */
async function promote(call: Call, pairs: Pairs): Promise<Promotion> {
  const {work} = call;
  const rejected = new Map<number, string>();
  for (;;) {
    const after = pairs.after.map((row, patch) => (rejected.has(patch) ? row.map(() => false) : row));
    const choice = choosePatch({...pairs, after});
    const notes = [...rejected].map(([patch, why]) => `fix ${work.patches[patch]?.attempt ?? 0}: rejected, since ${why}`);
    if (choice.patch === undefined) {
      const first = choosePatch(pairs);
      const reason = rejected.size === 0 ? reasonOf(work, first) : 'no patch is left that passes more than half of the tests that count';
      return {choice: first, promoted: undefined, rejected: notes, reason};
    }
    const checked = await checkTests(call, {pairs, choice, patch: choice.patch});
    if (typeof checked === 'string') {
      rejected.set(choice.patch, checked);
      continue;
    }
    const isRight = await isRightPatch(call, work.patches[choice.patch]?.patch ?? '');
    return {choice, promoted: {patch: choice.patch, ...checked, isRight}, rejected: notes, reason: undefined};
  }
}

async function isRightPatch(call: Call, patch: string): Promise<boolean> {
  const {task} = call.work;
  const verify = verifyOf(task);
  return await scored(call, {patch, verify}, digestOf(['hidden', task.digest, verify.command]));
}

interface Call {
  readonly work: TaskWork;
  readonly judging: Judging;
  readonly signal: AbortSignal;
}

interface Chosen {
  readonly pairs: Pairs;
  readonly choice: Choice;
  readonly patch: number;
}

/**
 * Checks the tests that a patch passes, both ways: they must fail when the patch is changed, and when they are changed themselves. Returns those that do,
 * or why the patch is rejected.
 */
async function checkTests(call: Call, {pairs, choice, patch}: Chosen): Promise<Pick<Promoted, 'tests' | 'mutants' | 'noticed'> | string> {
  const {work} = call;
  const text = work.patches[patch]?.patch ?? '';
  const passing = work.tests.flatMap((tests, at) =>
    choice.verdicts[at] === 'counts' && pairs.after[patch]?.[at] === true ? [{tests, at}] : [],
  );
  const mutants = mutatePatch(text);
  const rows = await forEach(
    mutants,
    async (mutant) => await forEach(passing, async ({tests}) => !(await passes(call, mutant.patch, tests))),
  );
  const noticed = rows.filter((row) => row.includes(true)).length;
  if (mutants.length > 0 && noticed === 0) return `none of its tests notices any of ${counted(mutants.length, 'mutation')} of it`;
  const noticing = passing.filter((_, n) => mutants.length === 0 || rows.some((row) => row[n] === true));
  const decides = await forEach(noticing, async ({tests}) => await isDeciding(call, text, tests));
  const tests = noticing.flatMap(({at}, n) => (decides[n] === true ? [at] : []));
  return tests.length === 0 ? 'its tests pass with it even when they are changed' : {tests, mutants: mutants.length, noticed};
}

/** True if the test set fails with the patch once an expectation of it is changed, or if it has none that can be changed. */
async function isDeciding(call: Call, patch: string, tests: TestSet): Promise<boolean> {
  const changed = mutateTests(tests);
  for (const one of changed) if (!(await passes(call, patch, one))) return true;
  return changed.length === 0;
}

async function passes(call: Call, patch: string, {digest, command, files}: TestSet): Promise<boolean> {
  const folder = await importFiles(call.judging.importsFolder, files);
  const verify: Verification = {
    command,
    tests: [folder],
    testsAt: TESTS_AT,
    rewardFiles: [],
    timeoutS: verifyOf(call.work.task).timeoutS,
    env: {},
  };
  return await scored(call, {patch, verify}, digest);
}

async function scored({work: {task}, judging, signal}: Call, tree: ScoredTree, tests: string): Promise<boolean> {
  signal.throwIfAborted();
  const patch = tree.patch === '' ? '' : digestOf([tree.patch]);
  return await judging.table.score({task: task.digest, patch, tests}, async () => await judging.score(tree, signal));
}

function verifyOf({steps}: SuiteTask): Verification {
  return steps[0]?.verify ?? {command: 'false', tests: [], testsAt: '.', rewardFiles: [], timeoutS: 1, env: {}};
}

function reasonOf({patches, tests}: TaskWork, {verdicts}: Choice): string {
  if (patches.length === 0) return 'there is no patch';
  if (tests.length === 0) return 'there are no tests';
  return verdicts.includes('counts')
    ? 'no patch passes more than half of the tests that count'
    : 'no tests fail before and pass with a patch';
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** One after the other: all trees of a task have the same place. */
async function forEach<From, To>(items: readonly From[], make: (item: From) => Promise<To>): Promise<To[]> {
  const made: To[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}
